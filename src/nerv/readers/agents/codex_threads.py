"""Codex's threads: which rollout is a subagent's or a fork, and which of its lines are copies of another's.

A subagent's rollout, and a fork's, may begin with the history of the thread that it comes from, written again with
new times. What a subagent inherits is its parent's work; a fork goes on with what it copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from forgetest.errors import UserError
from nerv.readers.agents.transcript import mapping, text
from nerv.readers.clock import absolute_ms
from nerv.readers.event_fields import whole_number
from nerv.readers.source_files import SourceFiles

FILE_NAME = "rollout-*.jsonl"

_TYPES = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
_BARE = ("message", "reasoning", "function_call", "function_call_output", "local_shell_call")
_MOST_FILES, _MOST_SUBAGENTS = 2_000, 200
_FIRST_LINES = 5
_COPY_PAUSE_MS = 500
"""History is copied without a pause; an answer of the model takes longer than this."""
_RECORD = msgspec.json.Decoder(dict[str, Any])

Record = tuple[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """The thread of a rollout, as its first line states it."""

    id: str = ""
    parent: str = ""
    """The thread that started it as its subagent; empty for a thread of the user's, and for a fork of one."""
    continues: str = ""
    """The thread from which it goes on without a copy of its history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """A rollout and its lines."""

    file: Path
    records: Sequence[Record]


def is_line(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a line of a rollout, or the first line of one from before lines had a payload."""
    if record.get("type") in _TYPES and isinstance(record.get("payload"), Mapping):
        return True
    return _is_bare_header(record)


def is_prompt(record: Mapping[str, Any]) -> bool:
    """Return whether a line records what the user typed, apart from what was sent to the model."""
    payload = mapping(record.get("payload"))
    if record.get("type") != "event_msg":
        return False
    item = mapping(payload.get("item"))
    return payload.get("type") == "user_message" or (
        payload.get("type") == "item_completed" and item.get("type") == "UserMessage"
    )


def enveloped(records: Sequence[Record]) -> Sequence[Record]:
    """Return the lines of a rollout in today's form: older ones have no type and payload around each."""
    if not any(_is_bare_header(record) for _, record in records[:_FIRST_LINES]):
        return records
    found: list[Record] = []
    for number, record in records:
        if _is_bare_header(record):
            found.append((number, {"type": "session_meta", "payload": record}))
        elif record.get("type") in _BARE:
            found.append((number, {"type": "response_item", "payload": record}))
        elif "payload" in record:
            found.append((number, record))
    return found


def thread_of(records: Sequence[Record]) -> Thread:
    """Return the thread that a rollout records; the lines that it copied may name others after it."""
    meta = next((mapping(record.get("payload")) for _, record in records if record.get("type") == "session_meta"), {})
    source = mapping(meta.get("source")).get("subagent")
    is_subagent = source is not None or meta.get("thread_source") == "subagent"
    spawned = mapping(mapping(source).get("thread_spawn"))
    parent = text(spawned.get("parent_thread_id")) or text(meta.get("parent_thread_id"))
    parent = parent or (text(meta.get("forked_from_id")) if is_subagent else "")
    base = text(mapping(meta.get("history_base")).get("thread_id"))
    return Thread(id=text(meta.get("id")), parent=parent, continues=base if base != meta.get("id") else "")


def own_records(records: Sequence[Record]) -> Sequence[Record]:
    """Return the lines that belong to the thread of a rollout, without a subagent's copy of its parent's."""
    thread = thread_of(records)
    metas = [index for index, (_, record) in enumerate(records) if record.get("type") == "session_meta"]
    own = [
        record
        for index, record in enumerate(records)
        if index not in metas[1:] or mapping(record[1].get("payload")).get("id") == thread.id
    ]
    if not thread.parent or not own:
        return own
    meta = mapping(records[metas[0]][1].get("payload"))
    start = whole_number(meta.get("subagent_history_start_ordinal"))
    if start is not None:
        return [one for one in own if one[1].get("type") == "session_meta" or _ordinal(one[1], start) >= start]
    return [own[0], *own[_end_of_copy(own) :]] if len(own) < len(records) or meta.get("forked_from_id") else own


def subagents_beside(file: Path, thread: Thread, files: SourceFiles) -> list[Rollout]:
    """Return the rollouts in the same folder whose threads were started by this one, or by one of its subagents."""
    if not thread.id:
        return []
    threads = {other: _thread(other) for other in _rollouts(file.parent) if other != file}
    known: set[str] = {thread.id}
    found: list[Path] = []
    while started := [other for other, each in threads.items() if each.parent in known]:
        found += started
        known |= {threads.pop(other).id for other in started}
    return [
        Rollout(file=other, records=list(files.records(other, other.name, _RECORD)))
        for other in sorted(found)[:_MOST_SUBAGENTS]
    ]


def without_subagents(logs: Sequence[Path]) -> list[Path]:
    """Leave out the rollouts of subagents whose parents are among the logs."""
    threads = {log: _thread(log) for log in logs if log.match(FILE_NAME)}
    known = {thread.id for thread in threads.values()}
    return [log for log in logs if log not in threads or threads[log].parent not in known or not threads[log].parent]


def _end_of_copy(records: Sequence[Record]) -> int:
    """Return where a subagent's own lines begin: with the turn that follows the copy, or after the first pause."""
    times = [absolute_ms(record.get("timestamp")) for _, record in records]
    latest, end = times[0], len(records)
    for index, ms in enumerate(times):
        if ms is not None and latest is not None and ms - latest >= _COPY_PAUSE_MS:
            end = index
            break
        latest = ms if ms is not None else latest
    for index in range(end - 1, 0, -1):
        payload = mapping(records[index][1].get("payload"))
        if payload.get("type") == "task_started":
            return index
        if payload.get("role") == "assistant" or "call_id" in payload:
            break
    return end


def _ordinal(record: Mapping[str, Any], default: int) -> int:
    found = whole_number(record.get("ordinal"))
    return default if found is None else found


def _is_bare_header(record: Mapping[str, Any]) -> bool:
    return {"id", "timestamp", "instructions"} <= record.keys() and not record.keys() & {"type", "payload"}


def _rollouts(folder: Path) -> list[Path]:
    return list(islice(sorted(folder.glob(FILE_NAME)), _MOST_FILES))


def _thread(file: Path) -> Thread:
    """Return the thread of a rollout, by its first lines."""
    try:
        return thread_of(list(islice(SourceFiles().records(file, file.name, _RECORD), _FIRST_LINES)))
    except (OSError, UserError):
        return Thread()
