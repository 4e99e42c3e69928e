"""Logs of agents other than Claude Code: recognised by their content, and read as transcripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from forgetest.errors import UserError
from nerv.readers.agents import (
    aider,
    atif,
    codex,
    codex_threads,
    cursor,
    gemini,
    gemini_stream,
    harbor,
    mini_swe_agent,
    opencode,
    opencode_sessions,
    openhands,
    openhands_sdk,
    own_log,
    results,
    swe_agent,
)
from nerv.readers.agents.transcript import Transcript
from nerv.readers.source_files import SourceFiles, is_file

SUPPORTED = (
    "a results folder of nerv, a Claude Code session (*.jsonl) or recorded stream-json, SWE-agent (*.traj), "
    "mini-swe-agent (*.traj.json), OpenHands (output.jsonl, SDK events), ATIF (Harbor's trajectory.json, or a trial's "
    "folder), Terminal-Bench (results.json), Codex CLI (rollout-*.jsonl, exec --json), Gemini CLI (session-*.json, "
    "stream-json), Cursor (stream-json), opencode (export, run --format json), Aider (.aider.chat.history.md), "
    "SWE-bench predictions, or our own forms: a log or a row (docs/agent-logs.md)"
)
FILE_NAMES = (
    "*.traj",
    "*.traj.json",
    *harbor.LOGS,
    "trajectory.json",
    *codex.FILE_NAMES,
    "session-*.json",
    "session-*.jsonl",
    opencode_sessions.FILE_NAME,
    ".aider.chat.history.md",
    "output.jsonl",
    "event-00000-*.json",
    "events/event-00000-*.json",
    "results.json",
    "preds.json",
    *(f"*/{name}" for name in harbor.LOGS),
)
"""Names of logs that are looked for in a folder."""

_HEAD = 40
_RECORD = msgspec.json.Decoder(dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLog:
    """A file that holds the log of an agent, and which of the runs in it is meant."""

    file: Path
    run: str = ""


def locate(path: Path) -> AgentLog | None:
    """Return the log that a path means, or None where it is none of these. `FILE#RUN` names one of several runs."""
    file, _, run = str(path).partition("#")
    found = AgentLog(file=path) if path.exists() else AgentLog(file=Path(file), run=run)
    return found if is_file(found.file) and _form(found.file) else None


def read(log: AgentLog, files: SourceFiles) -> Transcript:
    """Read the log of an agent."""
    return harbor.with_result(_read(log, files), log.file, files)


def without_subagents(logs: Sequence[Path]) -> list[Path]:
    """Leave out the logs of subagents whose run is among the logs: they are read with it."""
    return opencode_sessions.without_subagents(codex_threads.without_subagents(logs))


def _read(log: AgentLog, files: SourceFiles) -> Transcript:
    file, form = log.file, _form(log.file)
    name = file.name
    if form == aider.KIND:
        return aider.read([line.decode("utf-8", "replace") for _, line in files.lines(file, name)])
    if form == "document":
        return _read_document(files.document(file, name), log, files)
    if form == "openhands-events" and openhands_sdk.is_stored_event(file):
        return openhands.read_events(openhands_sdk.stored_events(file, files, _RECORD))
    records = list(files.records(file, name, _RECORD))
    every = [record for _, record in records]
    match form:
        case "openhands-runs":
            return openhands.read_run(_chosen_run(every, [openhands.run_name(run) for run in every], log))
        case "openhands-events":
            return openhands.read_events(records)
        case "results":
            return results.read(_chosen_run(every, [results.result_name(run) for run in every], log))
        case codex.KIND:
            return codex.read(records, file, files)
        case cursor.KIND:
            return cursor.read(records)
        case "gemini-stream":
            return gemini_stream.read(records)
        case gemini.KIND:
            return gemini.read_lines(records, file, files)
        case opencode.KIND:
            return opencode.read_lines(records)
    return own_log.read(records, name)


def _read_document(document: Any, log: AgentLog, files: SourceFiles) -> Transcript:
    if found := results.results_in(document):
        return results.read(_chosen_run(found, [results.result_name(one) for one in found], log))
    if openhands.is_run(document if isinstance(document, Mapping) else {}):
        return openhands.read_run(document)
    if atif.recognises(document):
        return atif.read(atif.with_continuations(document, log.file, files), log.file, files)
    if codex.recognises_document(document):
        return codex.read_document(document, log.file, files)
    if gemini.recognises(document):
        return gemini.read(document)
    if opencode.recognises(document):
        return opencode.read(document, log.file, files)
    if mini_swe_agent.recognises(document):
        return mini_swe_agent.read(document)
    if swe_agent.recognises(document):
        return swe_agent.read(document)
    raise UserError(f"{log.file.name}: no log of an agent that is known; there are: {SUPPORTED}")


def _form(file: Path) -> str | None:
    """Return the form of a file, by its first lines, or by the whole of it if it is one JSON document."""
    files = SourceFiles()
    try:
        head = list(islice(files.lines(file, file.name), _HEAD))
    except (OSError, UserError):
        return None
    if aider.recognises(line.decode("utf-8", "replace") for _, line in head):
        return aider.KIND
    for _, line in head:
        try:
            record = _RECORD.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if form := _form_of_record(record):
            return form
    return "document" if _is_known_document(files, file) else None


def _form_of_record(record: Mapping[str, Any]) -> str | None:
    if own_log.recognises(record):
        return own_log.KIND
    if openhands.is_run(record):
        return "openhands-runs"
    if openhands_sdk.is_event(record):
        return "openhands-events"
    if codex.recognises(record):
        return codex.KIND
    if cursor.recognises(record):
        return cursor.KIND
    if gemini.recognises(record) and "messages" not in record:
        return gemini.KIND
    if gemini_stream.recognises(record):
        return "gemini-stream"
    if opencode.is_line(record):
        return opencode.KIND
    return "results" if results.is_result(record) else None


def _is_known_document(files: SourceFiles, file: Path) -> bool:
    document = files.document(file, file.name)
    known = (
        results.results_in,
        lambda document: openhands.is_run(document if isinstance(document, Mapping) else {}),
        atif.recognises,
        codex.recognises_document,
        gemini.recognises,
        opencode.recognises,
        mini_swe_agent.recognises,
        swe_agent.recognises,
    )
    return document is not None and any(recognises(document) for recognises in known)


def _chosen_run(runs: Sequence[Mapping[str, Any]], names: Sequence[str], log: AgentLog) -> Mapping[str, Any]:
    """Return the run that is meant among several in a file."""
    if log.run:
        if log.run not in names:
            raise UserError(f"{log.file}: has no run {log.run}; there are: {', '.join(names[:10])}")
        return runs[names.index(log.run)]
    if len(runs) > 1:
        raise UserError(f"{log.file}: holds several runs; name one, for example {log.file}#{names[0]}")
    return runs[0]
