"""Codex CLI: rollouts of its sessions (`rollout-*.jsonl`) and the output of `codex exec --json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerv.readers.agents import codex_events, codex_exec, codex_threads
from nerv.readers.agents.codex_rollout import RolloutReader
from nerv.readers.agents.transcript import Subagent, Transcript, TranscriptBuilder, mapping, mappings, subjects
from nerv.readers.source_files import SourceFiles

KIND = "codex"
FILE_NAMES = (codex_threads.FILE_NAME, "rollout-*.json")

Records = Sequence[tuple[int, Mapping[str, Any]]]


def recognises(record: Mapping[str, Any]) -> bool:
    """Return whether a line is one of Codex's."""
    started = record.get("type") == "thread.started" and "thread_id" in record
    return started or codex_threads.is_line(record) or codex_events.is_line(record)


def recognises_document(document: object) -> bool:
    """Return whether it is a rollout of the first Codex CLI, which was one JSON object."""
    found = mapping(document)
    return "id" in mapping(found.get("session")) and isinstance(found.get("items"), list)


def read(records: Records, file: Path, files: SourceFiles) -> Transcript:
    """Read a rollout with those of its subagents beside it, or a recorded `codex exec --json`."""
    if any(codex_events.is_line(record) for _, record in records):
        return codex_events.read(records)
    records = codex_threads.enveloped(records)
    if not any("payload" in record for _, record in records):
        return codex_exec.read(records)
    subagents = []
    for found in codex_threads.subagents_beside(file, codex_threads.thread_of(records), files):
        builder = TranscriptBuilder()
        _take(RolloutReader(builder), codex_threads.own_records(found.records))
        subagents.append(Subagent(name=found.file.name, lines=builder.lines))
    builder = TranscriptBuilder()
    reader = RolloutReader(builder)
    own = codex_threads.own_records(records)
    _take(reader, own)
    base = codex_threads.thread_of(records).continues
    return Transcript(
        kind=KIND,
        lines=builder.lines,
        known=subjects(tokens=builder.has_tokens, compactions=True, time=builder.has_times),
        base_commit=reader.base_commit,
        permissions_bypassed=reader.permissions_bypassed,
        subagents=subagents,
        warnings=[f"goes on from the thread {base}, whose own rollout has what came before"] if base else [],
    )


def read_document(document: Mapping[str, Any], file: Path, files: SourceFiles) -> Transcript:
    """Read a rollout that is one JSON object."""
    records = [mapping(document.get("session")), *mappings(document.get("items"))]
    return read(list(enumerate(records)), file, files)


def _take(reader: RolloutReader, records: Records) -> None:
    reader.prompts_are_events = any(codex_threads.is_prompt(record) for _, record in records)
    for number, record in records:
        reader.take(number, record)
    reader.finish()
