"""The lines of a session and of its subagents, in the order of time: one agent goes on where another has edited."""

from __future__ import annotations

import heapq
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgetest.errors import UserError
from nerv.readers.claude_code.session_records import session_records
from nerv.readers.clock import absolute_ms
from nerv.readers.source_files import SourceFiles, is_file

_LOOKED_AT = 50
_MOST_SIDE_FILES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine:
    """A line of a session's log, or of the log of a subagent."""

    file: str
    number: int
    fields: Mapping[str, Any]


def session_lines(main: Path, files: SourceFiles) -> Iterator[SessionLine]:
    """Yield the lines of a session and of its subagents by time; a line without a time follows the one before it.

    A subagent's file is opened when its time comes: a session may have more of them than files may be open.
    """
    waiting = deque(sorted(((_start_ms(file), file) for file in _side_files(main)), key=lambda each: each[0]))
    running: list[_Next] = []
    _add_next(running, _lines(main, main.name, 0, files), 0)
    opened = 0
    while running or waiting:
        while waiting and (not running or waiting[0][0] <= running[0][0]):
            start, file = waiting.popleft()
            opened += 1
            _add_next(running, _lines(file, str(file.relative_to(main.parent)), start, files), opened)
        if running:
            _, stream, line, rest = heapq.heappop(running)
            yield line
            _add_next(running, rest, stream)


_Timed = tuple[int, SessionLine]
_Next = tuple[int, int, SessionLine, Iterator[_Timed]]
"""The time of a file's next line, the number of the file, the line, and the lines after it."""


def _add_next(running: list[_Next], lines: Iterator[_Timed], stream: int) -> None:
    found = next(lines, None)
    if found is not None:
        heapq.heappush(running, (found[0], stream, found[1], lines))


def _lines(file: Path, name: str, latest: int, files: SourceFiles) -> Iterator[_Timed]:
    for number, fields in session_records(file, name, files):
        latest = max(latest, absolute_ms(fields.get("timestamp")) or 0)
        yield latest, SessionLine(file=name, number=number, fields=fields)


def _side_files(main: Path) -> list[Path]:
    """Return the subagents' files: in a folder named after the session, or next to it with the session's id."""
    folder = main.with_suffix("")
    found = sorted(
        {*folder.glob("subagents/*.jsonl"), *folder.glob("subagents/**/agent-*.jsonl"), *folder.glob("agent-*.jsonl")}
    )
    beside = sorted(file for file in main.parent.glob("agent-*.jsonl") if file != main)
    sessions = _session_ids(main) if beside else frozenset()
    found += [file for file in beside if _first_text(file, "sessionId") in sessions]
    return [file for file in found[:_MOST_SIDE_FILES] if is_file(file)]


def _session_ids(main: Path) -> frozenset[str]:
    lines = session_records(main, main.name, SourceFiles())
    return frozenset(found for _, line in lines if isinstance(found := line.get("sessionId"), str))


def _start_ms(file: Path) -> int:
    """Return the time of the first line that has one; without any, the file comes last."""
    found = absolute_ms(_first_text(file, "timestamp"))
    return sys.maxsize if found is None else found


def _first_text(file: Path, name: str) -> str:
    try:
        for number, line in session_records(file, file.name, SourceFiles()):
            if isinstance(found := line.get(name), str):
                return found
            if number >= _LOOKED_AT:
                break
    except (OSError, UserError):
        pass
    return ""
