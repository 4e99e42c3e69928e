"""Mutable record of a run, filled event by event, with bounded size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from nerv.changes import Diff
from nerv.evidence import (
    Audit,
    Cycle,
    Merge,
    Permission,
    Review,
    SpecCompletion,
    Task,
    TaskStatus,
    TokenUsage,
    Worktree,
)
from nerv.location import Location, Moment, Occurrences

_T = TypeVar("_T")

MOST = 10_000
"""Limit for anything that is kept one by one."""
MOST_TASKS = 5_000
MOST_CYCLES = 1_000
_MOST_KINDS = 200


@dataclass(slots=True)
class OccurrenceCounter:
    """Counter that grows while a log is read."""

    count: int = 0
    moments: list[Moment] = field(default_factory=list)

    def add(self, moment: Moment) -> None:
        """Count one more."""
        self.count += 1
        if len(self.moments) < Occurrences.SAMPLE:
            self.moments.append(moment)

    def happened(self, moment: Callable[[], Moment]) -> None:
        """Count one more; the moment is built only if it is kept as a sample."""
        self.count += 1
        if len(self.moments) < Occurrences.SAMPLE:
            self.moments.append(moment())

    def at_least(self, count: int, moment: Moment) -> None:
        """Raise the count to that of another source: the larger number counts."""
        while self.count < count and len(self.moments) < Occurrences.SAMPLE and not self.moments:
            self.add(moment)
        self.count = max(self.count, count)

    def occurrences(self) -> Occurrences:
        """Return the current count as a value."""
        return Occurrences(count=self.count, moments=tuple(self.moments))


@dataclass(slots=True)
class TaskRecord:
    """Mutable record of a task."""

    id: str
    location: Location
    title: str = ""
    status: TaskStatus = "created"
    cycle: int | None = None
    started: Moment | None = None
    ended: Moment | None = None
    errors: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    timeouts: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    loops: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    completions: int = 0
    working_ms: int | None = None
    usage: TokenUsage = TokenUsage()  # noqa: RUF009  (a frozen value)
    tool_calls: int = 0
    tool_errors: int = 0
    compactions: int = 0
    compactions_counted: bool = False
    diff: Diff | None = None
    attributed: bool = True
    merged: bool = False

    def task(self) -> Task:
        """Return the record as a value."""
        began = self.started.ms if self.started else None
        ended = self.ended.ms if self.ended else None
        working = self.working_ms
        if working is None and began is not None and ended is not None:
            working = max(0, ended - began)
        return Task(
            id=self.id,
            title=self.title,
            status=self.status,
            location=self.location,
            cycle=self.cycle,
            started=self.started,
            ended=self.ended,
            errors=self.errors.occurrences(),
            timeouts=self.timeouts.occurrences(),
            loops=self.loops.occurrences(),
            completions=self.completions,
            working_ms=working,
            usage=self.usage,
            tool_calls=self.tool_calls,
            tool_errors=self.tool_errors,
            compactions=self.compactions,
            diff=self.diff,
            attributed=self.attributed,
        )


@dataclass(slots=True)
class CycleRecord:
    """Mutable record of a cycle."""

    number: int
    goal: str = ""
    started: Moment | None = None
    completed: Moment | None = None
    usage: TokenUsage = TokenUsage()  # noqa: RUF009  (a frozen value)

    def cycle(self) -> Cycle:
        """Return the record as a value."""
        return Cycle(
            number=self.number, goal=self.goal, started=self.started, completed=self.completed, usage=self.usage
        )


@dataclass(slots=True)
class RunRecord:
    """Everything recorded of a run."""

    tasks: dict[str, TaskRecord] = field(default_factory=dict)
    cycles: dict[int, CycleRecord] = field(default_factory=dict)
    cycle_ids: dict[str, int] = field(default_factory=dict)
    completion: list[SpecCompletion] = field(default_factory=list)
    audits: list[Audit] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    merges: list[Merge] = field(default_factory=list)
    worktrees: list[Worktree] = field(default_factory=list)
    permissions: list[Permission] = field(default_factory=list)
    permissions_requested: int | None = None
    compactions: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    compactions_counted: bool = False
    tool_calls: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    tool_errors: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    task_errors: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    task_timeouts: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    loops: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    phase_errors: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    event_counts: dict[str, int] = field(default_factory=dict)
    overflow: dict[str, int] = field(default_factory=dict)
    earliest_ms: int | None = None
    latest_ms: int | None = None

    def count_event(self, kind: str, ms: int | None) -> None:
        """Count an event of any kind."""
        if kind in self.event_counts:
            self.event_counts[kind] += 1
        elif len(self.event_counts) < _MOST_KINDS:
            self.event_counts[kind] = 1
        else:
            self.overflow["kinds of event"] = self.overflow.get("kinds of event", 0) + 1
        if ms is not None:
            if self.earliest_ms is None or self.latest_ms is None:
                self.earliest_ms = self.latest_ms = ms
            elif ms > self.latest_ms:
                self.latest_ms = ms
            elif ms < self.earliest_ms:
                self.earliest_ms = ms

    def keep(self, where: list[_T], what: _T, noun: str, most: int = MOST) -> None:
        """Append to a list up to a limit; beyond it, only count."""
        if len(where) < most:
            where.append(what)
        else:
            self.overflow[noun] = self.overflow.get(noun, 0) + 1

    def task(self, task_id: str, location: Location) -> TaskRecord | None:
        """Return the task with that id, creating it if necessary; None if there are too many."""
        found = self.tasks.get(task_id)
        if found is None:
            if len(self.tasks) >= MOST_TASKS:
                self.overflow["tasks"] = self.overflow.get("tasks", 0) + 1
                return None
            found = self.tasks[task_id] = TaskRecord(id=task_id, location=location)
        return found

    def cycle(self, number: int) -> CycleRecord | None:
        """Return the cycle with that number, creating it if necessary; None if there are too many."""
        found = self.cycles.get(number)
        if found is None:
            if len(self.cycles) >= MOST_CYCLES:
                self.overflow["cycles"] = self.overflow.get("cycles", 0) + 1
                return None
            found = self.cycles[number] = CycleRecord(number=number)
        return found
