"""An event log or session log, cut to a budget: decisive lines come before repetitive ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from nerv.judge.injections import Injection, excerpt, injection_kind
from nerv.judge.material import MaterialPart
from nerv.location import Location
from nerv.readers.source_files import SourceFiles

_DECIDES = (
    "benchmark_",
    "phase_",
    "cycle_",
    "tasks_created",
    "task_",
    "worktree_",
    "review_",
    "human_review",
    "spec_completion",
    "audit_",
    "mid_project",
)
_TROUBLE = ("permission_denied", "tool_error", "compaction", "loop_", "stuck", "permission_always")
_LONGEST = 400
_OBJECT = msgspec.json.Decoder(dict[str, Any])
_MOST_INJECTIONS = 50


@dataclass(slots=True)
class _Rank:
    """The first and the last lines of one rank, within a number of characters."""

    budget: int
    head: list[tuple[int, str]] = field(default_factory=list)
    tail: deque[tuple[int, str]] = field(default_factory=deque)
    head_size: int = 0
    tail_size: int = 0
    dropped: int = 0

    def add(self, number: int, text: str) -> None:
        size = len(text) + 1
        if self.head_size + size <= self.budget * 2 // 3 and not self.tail:
            self.head.append((number, text))
            self.head_size += size
            return
        self.tail.append((number, text))
        self.tail_size += size
        while self.tail_size > self.budget // 3 and self.tail:
            _, gone = self.tail.popleft()
            self.tail_size -= len(gone) + 1
            self.dropped += 1


@dataclass(slots=True)
class Log:
    """A log after one pass: its lines by rank, and the passages that address a judge."""

    name: str
    ranks: tuple[_Rank, _Rank, _Rank]
    lines: int = 0
    injections: list[Injection] = field(default_factory=list)

    def part(self, budget: int) -> MaterialPart:
        """Return the log within a budget: lines in their order, each with its number."""
        chosen: list[tuple[int, str]] = []
        left = budget
        dropped = 0
        for rank in self.ranks:
            lines = [*rank.head, *rank.tail]
            dropped += rank.dropped
            fitting, size = [], 0
            for line in lines:
                size += len(line[1]) + 10
                if size > left:
                    break
                fitting.append(line)
            dropped += len(lines) - len(fitting)
            chosen += fitting
            left -= min(left, size)
        text = "\n".join(f"{number}: {line}" for number, line in sorted(chosen))
        left_out = ""
        if dropped:
            left_out = f"{dropped} of {self.lines} lines for the budget of {budget} characters, repetitive ones first"
        return MaterialPart(title="the event log", text=text, left_out=left_out)


def scan_log(file: Path, name: str, budget: int) -> Log:
    """Read a log once, in bounded memory."""
    log = Log(name=name, ranks=(_Rank(budget), _Rank(budget), _Rank(budget // 2)))
    for number, line in SourceFiles().records(file, name, _OBJECT):
        kind = line.get("event") or line.get("type")
        if not isinstance(kind, str) or (kind == "summary" and "message" not in line):
            continue
        log.lines += 1
        log.ranks[_rank(kind)].add(number, _condensed(line))
        if len(log.injections) < _MOST_INJECTIONS:
            for text in _texts(line):
                attempt = injection_kind(text)
                if attempt:
                    location = Location(file=name, line=number)
                    log.injections.append(Injection(kind=attempt, text=excerpt(text), location=location))
                    break
    return log


def _rank(kind: str) -> int:
    if kind.startswith(_DECIDES):
        return 0
    return 1 if kind.startswith(_TROUBLE) or kind in ("user", "result") else 2


def _condensed(line: Mapping[str, Any]) -> str:
    """Return an event on one line, without fields that a judge does not need."""
    if "event" in line:
        kept = {key: value for key, value in line.items() if key not in ("region", "action", "factor")}
        return _json_text(kept)[:_LONGEST]
    message = line.get("message")
    content = message.get("content") if isinstance(message, Mapping) else line.get("result", line.get("content"))
    if isinstance(content, list):
        content = [_condensed_block(block) for block in content if isinstance(block, Mapping)]
    return _json_text({"type": line.get("type"), "time": line.get("timestamp"), "content": content})[:_LONGEST]


def _condensed_block(block: Mapping[str, Any]) -> object:
    kind = block.get("type")
    if kind == "tool_use":
        return {"tool": block.get("name"), "input": block.get("input")}
    if kind == "tool_result":
        return {"result": block.get("content"), "error": block.get("is_error") or False}
    return block.get("text", kind)


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    """Yield every string in an event."""
    if isinstance(value, str):
        yield value
    elif depth < 8 and isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key)
            yield from _texts(each, depth + 1)
    elif depth < 8 and isinstance(value, list):
        for each in value:
            yield from _texts(each, depth + 1)


def _json_text(value: object) -> str:
    return msgspec.json.encode(value).decode()
