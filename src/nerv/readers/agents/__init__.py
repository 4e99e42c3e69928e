"""Logs of agents other than Claude Code: recognised by their content, and read as transcripts."""

from __future__ import annotations

from collections.abc import Mapping
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
    cursor,
    gemini,
    mini_swe_agent,
    openhands,
    own_log,
    swe_agent,
)
from nerv.readers.agents.transcript import Transcript
from nerv.readers.source_files import SourceFiles, is_file

SUPPORTED = (
    "a results folder of nerv, a Claude Code session (*.jsonl) or recorded stream-json, SWE-agent (*.traj), "
    "mini-swe-agent (*.traj.json), OpenHands (output.jsonl, SDK events), ATIF (Harbor's trajectory.json), Codex CLI "
    "(rollout-*.jsonl, exec --json), Gemini CLI (session-*.json), Cursor (stream-json), Aider "
    "(.aider.chat.history.md), or our own form (docs/agent-logs.md)"
)
FILE_NAMES = (
    "*.traj",
    "*.traj.json",
    "agent/trajectory.json",
    "trajectory.json",
    "rollout-*.jsonl",
    "session-*.json",
    ".aider.chat.history.md",
    "output.jsonl",
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
    file, form = log.file, _form(log.file)
    name = file.name
    if form == aider.KIND:
        return aider.read([line.decode("utf-8", "replace") for _, line in files.lines(file, name)])
    if form == "document":
        return _read_document(files.document(file, name), name)
    records = list(files.records(file, name, _RECORD))
    if form == "openhands-runs":
        return openhands.read_run(_chosen_run([record for _, record in records], log))
    if form == "openhands-events":
        return openhands.read_events(records)
    if form == codex.KIND:
        return codex.read(records)
    if form == cursor.KIND:
        return cursor.read(records)
    if form == gemini.KIND:
        return gemini.read_lines(records)
    return own_log.read(records, name)


def _read_document(document: Any, name: str) -> Transcript:
    if own_log.is_row(document):
        return own_log.read_row(document)
    if openhands.is_run(document if isinstance(document, Mapping) else {}):
        return openhands.read_run(document)
    if atif.recognises(document):
        return atif.read(document)
    if gemini.recognises(document):
        return gemini.read(document)
    if mini_swe_agent.recognises(document):
        return mini_swe_agent.read(document)
    if swe_agent.recognises(document):
        return swe_agent.read(document)
    raise UserError(f"{name}: no log of an agent that is known; there are: {SUPPORTED}")


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
    if openhands.is_event(record):
        return "openhands-events"
    if codex.recognises(record):
        return codex.KIND
    if cursor.recognises(record):
        return cursor.KIND
    if gemini.recognises(record) and "messages" not in record:
        return gemini.KIND
    return None


def _is_known_document(files: SourceFiles, file: Path) -> bool:
    document = files.document(file, file.name)
    known = (own_log.is_row, atif.recognises, gemini.recognises, mini_swe_agent.recognises, swe_agent.recognises)
    return document is not None and any(recognises(document) for recognises in known)


def _chosen_run(runs: list[Mapping[str, Any]], log: AgentLog) -> Mapping[str, Any]:
    names = [openhands.run_name(run) for run in runs]
    if log.run:
        if log.run not in names:
            raise UserError(f"{log.file}: has no run {log.run}; there are: {', '.join(names[:10])}")
        return runs[names.index(log.run)]
    if len(runs) > 1:
        raise UserError(f"{log.file}: holds several runs; name one, for example {log.file}#{names[0]}")
    return runs[0]
