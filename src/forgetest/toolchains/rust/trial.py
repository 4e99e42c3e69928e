"""The tests are run; and run again where the clock may have been unjust.

CPU time is a test's own, whatever else the machine does, but some machines are slow: where a test ran out of it, the
case's reference solution says how much it takes here. Time on the clock is everybody's: a test that ran out of that
is run again while nothing else is judged, before it counts as a time-out.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.evalset import Case
from forgetest.toolchains.rust import build, launch
from forgetest.toolchains.rust.build import Recipe
from forgetest.toolchains.rust.fitting import fitted
from forgetest.toolchains.rust.launch import Report
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

    def step(self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False) -> Step:
        """Run the tests, or some of them."""
        return launch.run_step(
            self.recipe.tests,
            build.entry(build.secret(self.code, self.recipe)),
            self.object,
            (Mount(source=self.recipe.runtime, target="/rt"), *self.recipe.tools.run_libraries),
            cpu_s,
            control=self.control,
            only=only,
            alone=alone,
        )


def tested(trial: Trial) -> Generator[Step, Execution, Report]:
    """What became of every test."""
    tests, cpu_s = trial.recipe.tests, trial.case.timeout_secs
    report = launch.read((yield trial.step(cpu_s=cpu_s)), tests)
    if _stopped(report, "cpu"):
        needed_s = yield from _reference_cpu_s(trial, _stopped(report, "cpu"))
        if needed_s * _TIMES_THE_REFERENCE > cpu_s:
            cpu_s = needed_s * _TIMES_THE_REFERENCE
            again = yield trial.step(cpu_s=cpu_s, only=_stopped(report, "cpu"))
            report = report.with_(launch.read(again, tests), _stopped(report, "cpu"))
    if waited := _stopped(report, "wall"):
        # one is enough to see whether it was others that were in the way: most of these simply sleep
        first = launch.read((yield trial.step(cpu_s=cpu_s, only=waited[:1], alone=True)), tests)
        if first.outcomes[waited[0]].timed_out != "wall":
            again = yield trial.step(cpu_s=cpu_s, only=waited, alone=True)
            return report.with_(launch.read(again, tests), waited)
    return report


def _stopped(report: Report, by: TimedOut) -> list[int]:
    return [index for index, outcome in enumerate(report.outcomes) if outcome.timed_out == by]


def _reference_cpu_s(trial: Trial, indices: Sequence[int]) -> Generator[Step, Execution, float]:
    """The most CPU time that the reference solution takes for one of these tests; 0 where that is not known."""
    case, tests = trial.case, trial.recipe.tests
    if case.reference_solution is None or case.reference_solution.strip() == trial.code.strip():
        return 0.0
    fit = yield from fitted(trial.recipe, case, case.reference_solution)
    if fit.built.object is None:
        return 0.0
    reference = replace(trial, code=case.reference_solution, object=fit.built.object, control=False)
    execution = yield reference.step(cpu_s=case.timeout_secs * _TIMES_THE_REFERENCE, only=indices)
    outcomes = launch.read(execution, tests).outcomes
    return max((outcomes[index].cpu_ms for index in indices if outcomes[index].status == "passed"), default=0.0) / 1000
