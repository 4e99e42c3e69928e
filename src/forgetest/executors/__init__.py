"""Executors decide where judging runs: one module each, found by the entry point `forgetest.executors`.

An entry point names a function `create(slots, options) -> Executor`. `slots` is how many groups are to be judged at
once, or None for as many as there is room for; `options` is the table `[executor]` of forgetest.toml without `type`.
All values that pass this seam can be pickled, so that a worker may run in another process or on another machine. Known
verdicts and the journal never pass it: they stay with the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from forgetest.evalset import Case
from forgetest.sample import Recheck
from forgetest.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTask:
    """One sample to judge."""

    number: int
    """Identifies the task among those of one call of `map`."""
    case: Case
    code: str
    verdict: Verdict | None = None
    """A verdict that is known already; only what is missing of it, and rechecks, are left to do."""
    recheck: int = 0
    """How many more times to judge the sample, to find flaky verdicts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The result of one task."""

    number: int
    verdict: Verdict | None = None
    reason: str | None = None
    """Why there is no verdict: our failure, never the sample's."""
    lasting: bool = False
    """The same sample would get the same verdict at another time, so it may be cached."""
    recheck: Recheck | None = None
    wall_ms: float = 0.0


class Worker(Protocol):
    """Judges samples where it was opened. Thread-safe."""

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        """Judge a group, which may share compiler calls; yield results as they finish, each task's once."""

    def version(self, case: Case) -> str:
        """Return the version of the tools that samples of this case are judged with."""

    def close(self) -> None:
        """End what is still running and release the sandbox."""


class WorkerSpec(Protocol):
    """A picklable description of a worker; equal specs describe the same worker."""

    def open(self) -> Worker:
        """Open the worker in this process."""

    def for_this_machine(self) -> WorkerSpec:
        """Return the spec with folders and environment of the machine that this is called on."""


class Executor(Protocol):
    """Runs workers."""

    @property
    def slots(self) -> int:
        """How many groups are judged at once."""

    def map(self, spec: WorkerSpec, groups: Iterable[Sequence[JudgeTask]]) -> Iterator[Sequence[Judged]]:
        """Judge every group with workers of this spec; results come as they finish, each task's exactly once.

        A group is taken only when a slot is free for it, by one thread at a time; taking one may block, which holds
        up no group that is being judged. The tasks of a worker that dies are returned with a reason. What `groups` or
        a worker raises is raised here. Safe to call from several threads.
        """

    def close(self) -> None:
        """Close all workers. Workers stay open from one `map` to the next until then."""
