"""Run the tests of a built sample, within fair time limits."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build
from forgetest.toolchains.rust.compile.adapt import fitted
from forgetest.toolchains.rust.compile.build import Recipe
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import Part, Report
from forgetest.toolchains.timing import TIMES_THE_REFERENCE, run_with_fair_limits
from forgetest.verdict import Execution, Mount, Step


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
    return (
        yield from run_with_fair_limits(
            trial.run, trial.case.timeout_secs, lambda indices: _reference_cpu_s(trial, indices)
        )
    )


def _reference_cpu_s(trial: Trial, indices: Sequence[int]) -> Generator[Step, Execution, float]:
    """The most CPU time that the reference solution takes for one of these tests; 0 where that is not known."""
    case = trial.case
    if case.reference_solution is None or case.reference_solution.strip() == trial.code.strip():
        return 0.0
    fit = yield from fitted(trial.recipe, case, case.reference_solution)
    if fit.built.object is None:
        return 0.0
    reference = replace(trial, code=case.reference_solution, object=fit.built.object, control=False)
    report = yield from reference.run(cpu_s=case.timeout_secs * TIMES_THE_REFERENCE, only=indices)
    outcomes = report.outcomes
    return max((outcomes[index].cpu_ms for index in indices if outcomes[index].status == "passed"), default=0.0) / 1000
