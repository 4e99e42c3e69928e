"""Events of an event log, with all known spellings of their fields."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from nerv.location import Location, Moment
from nerv.readers.clock import Clock

TEXT = 500
"""Number of characters kept of any text."""

_ALIASES = {
    "cycle_start": "cycle_started",
    "cycle_complete": "cycle_completed",
    "task_start": "task_started",
    "task_complete": "task_completed",
    "task_failed": "task_error",
    "permission_request": "permission_requested",
    "loop_detected": "loop_dialog_dismissed",
    "stuck_detected": "loop_dialog_dismissed",
    "review_complete": "review_decision",
}
_TASK_IN_LABEL = re.compile(r"\b[Tt]ask\s+#?([A-Za-z0-9][\w.\-]*)")
_NO_IDS = frozenset(
    [
        *(
            "a",
            "all",
            "an",
            "and",
            "are",
            "at",
            "for",
            "has",
            "in",
            "is",
            "not",
            "of",
            "on",
            "the",
            "to",
            "was",
            "with",
        ),
        *(
            "approved",
            "cancelled",
            "completed",
            "created",
            "done",
            "errored",
            "failed",
            "finished",
            "merged",
            "rejected",
        ),
        *("reviewed", "skipped", "started", "succeeded", "successfully", "timed", "was", "with"),
        *("board", "card", "error", "list", "rejected", "review"),
    ]
)
"""Words after "Task" that are not ids."""
_CYCLE_IN_LABEL = re.compile(r"\b[Cc]ycle\s+#?(\d{1,6})\b")


class EventLine(msgspec.Struct):
    """The known keys of a line; others are skipped while decoding, which saves time."""

    event: Any = None
    t: Any = None
    timestamp: Any = None
    label: Any = None
    taskId: Any = None  # noqa: N815  (the logs' own spelling)
    task_id: Any = None
    task: Any = None
    title: Any = None
    description: Any = None
    tasks: Any = None
    taskIds: Any = None  # noqa: N815
    cycle: Any = None
    cycleId: Any = None  # noqa: N815
    cycleNumber: Any = None  # noqa: N815
    goal: Any = None
    status: Any = None
    decision: Any = None
    approved: Any = None
    passed: Any = None
    checked: Any = None
    total: Any = None
    pct: Any = None
    branch: Any = None
    path: Any = None
    worktree: Any = None
    worktreePath: Any = None  # noqa: N815
    tool: Any = None
    command: Any = None
    input: Any = None
    pattern: Any = None
    id: Any = None
    requestId: Any = None  # noqa: N815
    success: Any = None
    error: Any = None
    message: Any = None
    reviewer: Any = None
    sessionId: Any = None  # noqa: N815
    model: Any = None
    inputTokens: Any = None  # noqa: N815
    outputTokens: Any = None  # noqa: N815
    cachedTokens: Any = None  # noqa: N815
    costUsd: Any = None  # noqa: N815
    cost_usd: Any = None


decoder = msgspec.json.Decoder(EventLine)


@dataclass(slots=True)  # not frozen: that takes three times as long, and a log has millions of events
class Event:
    """One event, with accessors for the fields that most kinds share."""

    kind: str
    ms: int | None
    line: EventLine
    label: str
    file: str
    number: int

    @property
    def moment(self) -> Moment:
        """Time and location; created on demand, since most events never need it."""
        return Moment(location=Location(file=self.file, line=self.number), ms=self.ms)

    @property
    def task_id(self) -> str | None:
        """The task's id, from a field or from the label."""
        line = self.line
        for value in (line.taskId, line.task_id, line.task):
            found = value.get("id") if isinstance(value, dict) else value
            if isinstance(found, str | int) and not isinstance(found, bool) and str(found).strip():
                return str(found).strip()[:200]
        match = _TASK_IN_LABEL.search(self.label)
        if match and match[1].lower() not in _NO_IDS:
            return match[1].rstrip(".-")[:200]
        return None

    @property
    def title(self) -> str:
        """The task's title or description, or an empty string."""
        line = self.line
        nested = line.task if isinstance(line.task, dict) else {}
        for value in (line.title, nested.get("title"), line.description, nested.get("description")):
            if isinstance(value, str) and value.strip():
                return shorten(value)
        without = _TASK_IN_LABEL.sub("", self.label).strip(" :-\u2013\u2014")
        return shorten(without) if len(without.split()) > 2 else ""

    @property
    def cycle(self) -> int | None:
        """The cycle's number, from a field or the label."""
        line = self.line
        for value in (line.cycleNumber, line.cycle, line.cycleId):
            if isinstance(value, dict):
                value = value.get("number", value.get("cycleNumber"))
            number = whole_number(value)
            if number is not None:
                return number
        match = _CYCLE_IN_LABEL.search(self.label)
        return int(match[1]) if match else None

    @property
    def request(self) -> str:
        """The command or input of a tool call."""
        for value in (self.line.command, self.line.input, self.line.pattern):
            if value not in (None, "", {}):
                return as_request(value)
        return ""


def as_request(value: object) -> str:
    """Return a tool's input as one text; equal requests give equal texts."""
    if isinstance(value, dict) and isinstance(value.get("command"), str):
        value = value["command"]
    text = value if isinstance(value, str) else msgspec.json.encode(value, order="deterministic").decode()
    if len(text) <= TEXT:
        return shorten(text)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{shorten(text)[: TEXT - 20]} … {digest}"


def event_of(line: EventLine, number: int, name: str, clock: Clock) -> Event | None:
    """Return the event on a line, or None."""
    if not isinstance(line.event, str) or not line.event:
        return None
    label = line.label if isinstance(line.label, str) else ""
    kind = line.event.strip()[:100]
    t = line.t
    ms = t if type(t) is int else clock.since_start(t=t, timestamp=line.timestamp)
    return Event(_ALIASES.get(kind, kind), ms, line, label[:TEXT], name, number)


def shorten(text: str) -> str:
    """Return the text on one line, cut to the limit."""
    return " ".join(text[: 4 * TEXT].split())[:TEXT]


def whole_number(value: object) -> int | None:
    """Return a whole number, also if it was written as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 10**15 else None
    if isinstance(value, float) and value.is_integer():
        return int(value) if abs(value) < 10**15 else None
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,15}\s*", value):
        return int(value)
    return None


def amount(value: object) -> float | None:
    """Return a number that is not negative; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value < 1e15 else None
