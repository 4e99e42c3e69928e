"""The tests are run; and run again where the clock may have been unjust.

CPU time is a test's own, whatever else the machine does, but some machines are slow: where a test ran out of it, the
case's reference solution says how much it takes here. Time on the clock is everybody's: a test that ran out of that
is run again while nothing else is judged, before it counts as a time-out.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build
from forgetest.toolchains.rust.compile.adapt import fitted
from forgetest.toolchains.rust.compile.build import Recipe
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import Part, Report
from forgetest.verdict import Execution, Mount, Step, TimedOut

_TIMES_THE_REFERENCE = 10
"""A sample may take so many times what the reference solution takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A built sample, ready for its tests."""

    recipe: Recipe
    case: Case
    code: str
    object: bytes
    control: bool

    def part(self, *, cpu_s: float, only: Sequence[int] | None = None) -> Part:
        """The tests, or some of them."""
        entry = build.entry(build.secret(self.code, self.recipe))
        return Part(tests=self.recipe.tests, entry=entry, cpu_s=cpu_s, only=only)

    def run(
        self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False
    ) -> Generator[Step, Execution, Report]:
        """Run them."""
        part = self.part(cpu_s=cpu_s, only=only)
        seen = run_mounts(self.recipe)
        execution = yield launch.run_step([part], self.object, seen, control=self.control, alone=alone)
        return launch.read(execution, part)


def run_mounts(recipe: Recipe) -> tuple[Mount, ...]:
    """What tests see of the host."""
    return (Mount(source=recipe.runtime, target="/rt"), *recipe.tools.run_libraries)


def tested(trial: Trial) -> Generator[Step, Execution, Report]:
    """What became of every test."""
    cpu_s = trial.case.timeout_secs
    report = yield from trial.run(cpu_s=cpu_s)
    if _stopped(report, "cpu"):
        needed_s = yield from _reference_cpu_s(trial, _stopped(report, "cpu"))
        if needed_s * _TIMES_THE_REFERENCE > cpu_s:
            cpu_s = needed_s * _TIMES_THE_REFERENCE
            again = yield from trial.run(cpu_s=cpu_s, only=_stopped(report, "cpu"))
            report = report.with_(again, _stopped(report, "cpu"))
    if waited := _stopped(report, "wall"):
        # one is enough to see whether it was others that were in the way: most of these simply sleep
        first = yield from trial.run(cpu_s=cpu_s, only=waited[:1], alone=True)
        if first.outcomes[waited[0]].timed_out != "wall":
            return report.with_((yield from trial.run(cpu_s=cpu_s, only=waited, alone=True)), waited)
    return report


def _stopped(report: Report, by: TimedOut) -> list[int]:
    return [index for index, outcome in enumerate(report.outcomes) if outcome.timed_out == by]


def _reference_cpu_s(trial: Trial, indices: Sequence[int]) -> Generator[Step, Execution, float]:
    """The most CPU time that the reference solution takes for one of these tests; 0 where that is not known."""
    case = trial.case
    if case.reference_solution is None or case.reference_solution.strip() == trial.code.strip():
        return 0.0
    fit = yield from fitted(trial.recipe, case, case.reference_solution)
    if fit.built.object is None:
        return 0.0
    reference = replace(trial, code=case.reference_solution, object=fit.built.object, control=False)
    report = yield from reference.run(cpu_s=case.timeout_secs * _TIMES_THE_REFERENCE, only=indices)
    outcomes = report.outcomes
    return max((outcomes[index].cpu_ms for index in indices if outcomes[index].status == "passed"), default=0.0) / 1000
