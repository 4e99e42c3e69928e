"""Fair time limits: what a toolchain does before it calls a test too slow.

CPU time is a test's own, whatever else the machine does, but some machines are slow: where a test ran out of it, the
case's reference solution shows how much it takes here. Time on the clock is shared: a test that ran out of that is
run again while nothing else is judged, before it counts as a time-out.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Protocol, Self, TypeVar

from forgetest.verdict import Execution, Step, TestOutcome, TimedOut

TIMES_THE_REFERENCE = 10
"""A sample may take this many times the CPU time of the reference solution."""


class TestResults(Protocol):
    """What was observed of a case's tests."""

    @property
    def outcomes(self) -> Sequence[TestOutcome]:
        """One outcome for each test of the case."""

    def with_(self, again: Self, indices: Sequence[int]) -> Self:
        """Return this run, with the outcomes of another for the tests at these indices."""


Run = TypeVar("Run", bound=TestResults, covariant=True)


class RunTests(Protocol[Run]):
    """Run the tests of a case, or those at some indices."""

    def __call__(
        self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False
    ) -> Generator[Step, Execution, Run]:
        """Run them with this much CPU time for each."""


def retry_alone(step: Step) -> Generator[Step, Execution, Execution]:
    """Run a step, and once more while nothing else is judged if it ran out of time on the clock."""
    execution = yield step
    if execution.ended == "wall_limit":
        execution = yield replace(step, alone=True)
    return execution


def run_with_fair_limits(
    run: RunTests[Run],
    cpu_s: float,
    reference_cpu_s: Callable[[Sequence[int]], Generator[Step, Execution, float]],
    *,
    retry_waiting: bool = True,
) -> Generator[Step, Execution, Run]:
    """Run all tests, and those again that the clock may have treated unjustly.

    `reference_cpu_s` measures the reference solution: the most CPU time it takes for one of these tests, 0 where that
    is not known. `retry_waiting`: run tests again that waited; not for a sample that could have learnt something in the
    first run, since the moment at which a second one starts would tell it.
    """
    report = yield from run(cpu_s=cpu_s)
    if slow := _stopped(report, "cpu"):
        needed_s = yield from reference_cpu_s(slow)
        if needed_s * TIMES_THE_REFERENCE > cpu_s:
            cpu_s = needed_s * TIMES_THE_REFERENCE
            report = report.with_((yield from run(cpu_s=cpu_s, only=slow)), slow)
    if retry_waiting and (waiting := _stopped(report, "wall")):
        # one is enough to see whether other work was in the way: most of these simply sleep
        first = yield from run(cpu_s=cpu_s, only=waiting[:1], alone=True)
        if first.outcomes[waiting[0]].timed_out != "wall":
            return report.with_((yield from run(cpu_s=cpu_s, only=waiting, alone=True)), waiting)
    return report


def _stopped(report: TestResults, by: TimedOut) -> list[int]:
    return [index for index, outcome in enumerate(report.outcomes) if outcome.timed_out == by]
