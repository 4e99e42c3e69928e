"""Runs the tests of a built sample, within fair time limits."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile.adapt import build_adapted
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.glue import entry_symbol
from forgetest.toolchains.rust.run import launch, planning
from forgetest.toolchains.rust.run.launch import SampleTests, TestReport, TestRun
from forgetest.toolchains.timing import TIMES_THE_REFERENCE, run_with_fair_limits
from forgetest.verdict import Execution, Mount, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSample:
    """A sample that was built, ready for its tests."""

    case_build: CaseBuild
    case: Case
    code: str
    object: bytes
    ask_every_twin: bool = False
    """Something about the sample was noted, or its types are not the reference solution's."""

    def run(
        self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False
    ) -> Generator[Step, Execution, TestReport]:
        """Run the tests, or only some of them, and twins of them."""
        runs = planning.first_runs(self.case_build, self.code, only, every=self.ask_every_twin)
        report = yield from self.launch(runs, cpu_s=cpu_s, alone=alone)
        # that a twin took too long says nothing about the test itself; but whoever can see what is expected must not be
        # able to get rid of its twins in this way
        skipped = [index for index in report.not_run if report.outcomes[index].timed_out]
        if not skipped or self.ask_every_twin or _may_see_panics(self.code):
            return report
        runs = planning.real_runs(self.case_build, self.code, skipped)
        real = yield from self.launch(runs, cpu_s=cpu_s, alone=alone)
        return replace(report.with_(real, skipped), answers=report.answers)

    def launch(
        self, runs: Sequence[TestRun], *, cpu_s: float, alone: bool = False
    ) -> Generator[Step, Execution, TestReport]:
        """Make these runs."""
        tests = SampleTests(
            tests=self.case_build.tests,
            entry=entry_symbol(self.case_build.secret_name(self.code)),
            cpu_s=cpu_s,
            runs=runs,
        )
        mounts = run_mounts(self.case_build)
        execution = yield launch.run_step([tests], self.object, mounts, alone=alone)
        return launch.read_report(execution, tests)


def run_mounts(case_build: CaseBuild) -> tuple[Mount, ...]:
    """Return what tests see of the host."""
    return (Mount(source=case_build.runtime, target="/rt"), *case_build.tools.run_libraries)


def run_tests(sample: BuiltSample) -> Generator[Step, Execution, TestReport]:
    """Run all tests; some again, if the time limit may have been unfair to them, or if a twin of theirs was passed."""
    report = yield from run_with_fair_limits(
        sample.run,
        sample.case.timeout_secs,
        lambda indices: _reference_cpu_s(sample, indices),
        retry_waiting=not _may_see_panics(sample.code),
    )
    return (yield from _ask_further_twins(sample, report))


def _may_see_panics(code: str) -> bool:
    """Return whether the code may have a panic hook, which sees the message of an `unwrap` or `expect` in the tests.

    Assertions of the tests report without a panic, but those messages may hold an expected value as well.
    """
    return "_hook" in code  # the names of the functions that set one end in it, however they are imported


def _ask_further_twins(sample: BuiltSample, report: TestReport) -> Generator[Step, Execution, TestReport]:
    """Ask tests that passed a twin more of them, to tell a forger from a sample that the task leaves freedom."""
    passed = {index for index, outcome in enumerate(report.outcomes) if outcome.status == "passed"}
    answers = [answer for answer in report.answers if answer.twin.test in passed]
    runs = planning.further_runs(sample.case_build, sample.code, answers)
    if not runs:
        return replace(report, answers=tuple(answers))
    further = yield from sample.launch(runs, cpu_s=sample.case.timeout_secs)
    outcomes = further.outcomes
    # a test that does not pass each time has not passed; one that the clock stopped only now has, but is not proved
    failed = [run.test for run in runs if outcomes[run.test].status == "failed" and not outcomes[run.test].timed_out]
    stopped = sum(outcomes[test].timed_out is not None for test in {run.test for run in runs})
    whole = report.with_(further, failed)
    return replace(whole, answers=(*answers, *further.answers), unanswered=whole.unanswered + stopped)


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
