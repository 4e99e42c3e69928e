"""Runs the tests of a built sample, within fair time limits."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile.adapt import build_adapted
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.glue import entry_symbol
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import SampleTests, TestReport
from forgetest.toolchains.timing import TIMES_THE_REFERENCE, run_with_fair_limits
from forgetest.verdict import Execution, Mount, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSample:
    """A sample that was built, ready for its tests."""

    case_build: CaseBuild
    case: Case
    code: str
    object: bytes

    def run(
        self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False
    ) -> Generator[Step, Execution, TestReport]:
        """Run the tests, or only some of them, once."""
        tests = SampleTests(
            tests=self.case_build.tests,
            entry=entry_symbol(self.case_build.secret_name(self.code)),
            cpu_s=cpu_s,
            runs=launch.single_runs(self.case_build.tests, only),
        )
        mounts = run_mounts(self.case_build)
        execution = yield launch.run_step([tests], self.object, mounts, alone=alone)
        return launch.read_report(execution, tests)


def run_mounts(case_build: CaseBuild) -> tuple[Mount, ...]:
    """Return what tests see of the host."""
    return (Mount(source=case_build.runtime, target="/rt"), *case_build.tools.run_libraries)


def run_tests(sample: BuiltSample) -> Generator[Step, Execution, TestReport]:
    """Run all tests, and some again if the time limit may have been unfair to them."""
    return (
        yield from run_with_fair_limits(
            sample.run, sample.case.timeout_secs, lambda indices: _reference_cpu_s(sample, indices)
        )
    )


def _reference_cpu_s(sample: BuiltSample, indices: Sequence[int]) -> Generator[Step, Execution, float]:
    """Return the most CPU time that the reference solution takes for one of these tests; 0 if that is not known."""
    case = sample.case
    if case.reference_solution is None or case.reference_solution.strip() == sample.code.strip():
        return 0.0
    reference_build = yield from build_adapted(sample.case_build, case, case.reference_solution)
    if reference_build.result.object is None:
        return 0.0
    reference = replace(sample, code=case.reference_solution, object=reference_build.result.object)
    report = yield from reference.run(cpu_s=case.timeout_secs * TIMES_THE_REFERENCE, only=indices)
    outcomes = [report.outcomes[index] for index in indices]
    return max((outcome.cpu_ms for outcome in outcomes if outcome.status == "passed"), default=0.0) / 1000
