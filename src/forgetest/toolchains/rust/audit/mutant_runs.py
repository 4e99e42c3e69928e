"""What the tests show of many mutants in one object.

In a first launch, each mutant runs all tests in one process, which is as cheap as it gets. In a second one, each test
has a process of its own, as for a sample: the first test that failed must fail again by itself, and a mutant that all
tests passed has to pass each of them. So do those that did not come to an end in the first launch.

Where tests take seconds, the quick ones come first, each in a process of its own. The slow ones follow one by one, only
for mutants that are not killed yet.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.auditing import Screened
from forgetest.toolchains.rust.audit import together
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.compile.twins import sites
from forgetest.toolchains.rust.integrity.own_operators import can_decide
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import SampleTests, TestReport, TestRun
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.verdict import Execution, Step, TestOutcome

_UNUSUAL_ENDS = ("the process", "never ran", "stopped")
"""Beginnings of messages about tests that did not come to an end by themselves."""

_FIRST_SHARE = 0.2
"""Of a test's time limit, for all tests of a mutant in the first launch: endless loops meet the whole limit later."""

_SLOW_LIMIT_S = 3.0
"""From this time limit on, a case has slow tests: the reference solution takes most of a second for one."""
_SLOW_TEST_S = 0.1
"""CPU time of the reference solution in a slow test."""
_QUICK_LIMIT_S = 1.0
"""CPU time of a mutant in a quick test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantEntries:
    """An object with many mutants."""

    case_build: CaseBuild
    case: Case
    object: bytes
    reference: str
    """The entry point of the reference solution."""
    mutants: Mapping[int, str]
    """The entry point of each mutant, by its number."""


def single_tests(
    case_build: CaseBuild, case: Case, entry: str, only: Sequence[int] | None = None, cpu_s: float | None = None
) -> SampleTests:
    """Return the tests of one entry point, or those at some indices, each to be run once, without controls."""
    tests = [index for index, test in enumerate(case_build.tests) if test.kind != "ignored"] if only is None else only
    choices = sites.right_choices(case_build.test_file.sites)
    runs = [TestRun(test=index, choices=choices) for index in tests]
    return SampleTests(tests=case_build.tests, entry=entry, cpu_s=cpu_s or case.timeout_secs, runs=runs)


def has_ended_unusually(outcome: TestOutcome) -> bool:
    """Return whether a test did not come to an end by itself."""
    return outcome.message.startswith(_UNUSUAL_ENDS)


def run_mutants(entries: MutantEntries) -> Generator[Step, Execution, dict[int, Screened]]:
    """Run the tests of all mutants; return what is beyond doubt."""
    if entries.case.timeout_secs >= _SLOW_LIMIT_S:
        return (yield from _quick_tests_first(entries))
    failed = yield from _all_together(entries)
    build, case = entries.case_build, entries.case
    parts = [single_tests(build, case, entries.reference)]
    for number, entry in entries.mutants.items():
        first = (failed.get(number) or [])[:1] or None
        parts.append(single_tests(build, case, entry, first))
    every = yield from _reports(entries, parts)
    if not every or any(outcome.status == "failed" for outcome in every[0].outcomes):
        return {}
    found: dict[int, Screened] = {}
    for number, report in zip(entries.mutants, every[1:], strict=True):
        names = [build.tests[index].name for index in failed.get(number) or ()]
        screened = _screened(report.outcomes, names)
        if screened is not None:
            found[number] = screened
    return _certain(entries, found)


def _quick_tests_first(entries: MutantEntries) -> Generator[Step, Execution, dict[int, Screened]]:
    """Run quick tests, and then the slow ones, one after another, on the mutants that are not killed before."""
    build, case = entries.case_build, entries.case
    alone = single_tests(build, case, entries.reference)
    reports = yield from _reports(entries, [alone])
    if not reports or any(outcome.status == "failed" for outcome in reports[0].outcomes):
        return {}
    times = {run.test: reports[0].outcomes[run.test].cpu_ms / 1000 for run in alone.runs}
    slow = sorted((index for index, cpu_s in times.items() if cpu_s > _SLOW_TEST_S), key=lambda index: times[index])
    quick = [index for index in times if index not in slow]
    outcomes: dict[int, list[TestOutcome]] = {number: [] for number in entries.mutants}
    stages = [(quick, _QUICK_LIMIT_S), *(([index], case.timeout_secs) for index in slow)]
    for tests, cpu_s in stages:
        left = [number for number, known in outcomes.items() if all(each.status == "passed" for each in known)]
        parts = [single_tests(build, case, entries.mutants[number], tests, cpu_s) for number in left if tests]
        reports = yield from _reports(entries, parts)
        if len(reports) < len(parts):  # nothing is known about these
            outcomes = {number: known for number, known in outcomes.items() if number not in left}
        for number, report in zip(left, reports, strict=False):
            outcomes[number] += [report.outcomes[index] for index in tests]
    found = {number: _screened(known, ()) for number, known in outcomes.items()}
    return _certain(entries, {number: each for number, each in found.items() if each is not None})


def _reports(entries: MutantEntries, parts: Sequence[SampleTests]) -> Generator[Step, Execution, Sequence[TestReport]]:
    """Return what was observed of each entry point; nothing if the launcher did not finish."""
    if not parts:
        return []
    execution = yield launch.run_step(parts, entries.object, run_mounts(entries.case_build))
    try:
        return launch.read_reports(execution, parts)
    except MachineryError:
        return []


def _certain(entries: MutantEntries, found: dict[int, Screened]) -> dict[int, Screened]:
    """Leave out survivors of a program whose operators decide.

    A changed operator may agree with every expected value, which only the controls of a judgement notice.
    """
    is_certain = not can_decide(entries.case.reference_solution or "")
    return {number: each for number, each in found.items() if each.status != "survived" or is_certain}


def _all_together(entries: MutantEntries) -> Generator[Step, Execution, dict[int, Sequence[int]]]:
    """Return the indices of the tests that each mutant failed; nothing about mutants without a clear result."""
    build = entries.case_build
    tests = (*build.tests, ExpectedTest(name="all tests"))
    run = TestRun(test=len(build.tests), choices=sites.right_choices(build.test_file.sites))
    limit_s = entries.case.timeout_secs
    limits = [(entries.reference, limit_s), *((entry, limit_s * _FIRST_SHARE) for entry in entries.mutants.values())]
    parts = [SampleTests(tests=tests, entry=entry, cpu_s=cpu_s, runs=[run]) for entry, cpu_s in limits]
    execution = yield launch.run_step(parts, entries.object, run_mounts(build))
    try:
        results = [result for [result] in launch.read_runs(execution, parts)]
    except MachineryError:
        return {}
    reference, *failed = [together.failed_tests(result) if result is not None else None for result in results]
    if reference is None or reference:
        return {}  # its tests cannot share a process
    return {number: each for number, each in zip(entries.mutants, failed, strict=True) if each is not None}


def _screened(outcomes: Sequence[TestOutcome], failed_together: Sequence[str]) -> Screened | None:
    """Return what outcomes say about a mutant. `failed_together` are the tests that failed in one process."""
    failures = [outcome for outcome in outcomes if outcome.status == "failed"]
    if failed_together:
        first = next((each for each in failures if each.name == failed_together[0]), None)
        if first is None or first.timed_out is not None or has_ended_unusually(first):
            return None
        return Screened(status="killed", killed_by=tuple(failed_together), message=first.message)
    if not failures:
        return Screened(status="survived")
    if any(each.timed_out == "cpu" or (each.timed_out is None and not has_ended_unusually(each)) for each in failures):
        ran = [each for each in failures if not each.message.startswith("never ran")]
        return Screened(
            status="killed",
            killed_by=tuple(each.name for each in ran),
            message=ran[0].message,
            timed_out=any(each.timed_out for each in failures),
        )
    return None
