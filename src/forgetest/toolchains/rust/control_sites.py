"""Chooses the sites of a case's tests, so that a sample that earns its passes fails every twin.

With a reference solution, all candidates are tried on it, and those are kept whose twins it fails. Without one, only
sites are used whose twins no sample passes, however it solves the task.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from dataclasses import replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import testfile
from forgetest.toolchains.rust.compile.adapt import build_adapted
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.glue import entry_symbol
from forgetest.toolchains.rust.compile.testfile import TestFile, WantedSites
from forgetest.toolchains.rust.compile.twins.sites import MOST_CANDIDATES, MOST_KEPT, Wanted, twins
from forgetest.toolchains.rust.language import edition
from forgetest.toolchains.rust.run import launch, planning
from forgetest.toolchains.rust.run.launch import SampleTests
from forgetest.toolchains.rust.run.run_tests import run_mounts
from forgetest.verdict import Execution, Step

_MOST_BUILDS = 4
"""Of the reference solution, each without the sites that did not compile."""
_FAILED = ("assertion_failed", "panicked", "returned_error")


def with_sites(case_build: CaseBuild, case: Case, crates: Collection[str]) -> Generator[Step, Execution, CaseBuild]:
    """Return the case with the sites of its tests."""
    text = case.expectations.test_file
    if not case_build.tests or text is None:
        return case_build

    def test_file(wanted: WantedSites) -> TestFile:
        return testfile.rewrite(text, crates, case.id, edition=edition(case), wanted=wanted)

    secret = case_build.judge_secret
    kept = None
    if case.reference_solution is not None:
        candidates = test_file(WantedSites(secret=secret, most=MOST_CANDIDATES))
        kept = yield from _kept_by_reference(replace(case_build, test_file=candidates), case, case.reference_solution)
    wanted = WantedSites(secret=secret, most=MOST_KEPT, only=kept, certain=kept is None)
    return replace(case_build, test_file=test_file(wanted), plain_test_file=test_file(replace(wanted, pairs=True)))


def _kept_by_reference(
    case_build: CaseBuild, case: Case, reference: str
) -> Generator[Step, Execution, frozenset[Wanted] | None]:
    """Return the twins that the reference solution fails; None if that cannot be found out."""
    text = case.expectations.test_file or ""
    left = case_build.test_file.sites
    for _ in range(_MOST_BUILDS):
        adapted = yield from build_adapted(case_build, case, reference)
        if adapted.result.object is not None:
            return (yield from _failing(case_build, case, reference, adapted.result.object))
        lines = {remark.line for remark in adapted.result.errors if remark.place == "tests"}
        left = tuple(site for site in left if site.line not in lines)
        if len(left) == len(case_build.test_file.sites):
            return None
        only = frozenset((site.kind, site.position, value) for site in left for value in site.asked)
        wanted = WantedSites(secret=case_build.judge_secret, most=MOST_CANDIDATES, only=only)
        crates = [name for name, _ in case_build.crates.libraries]
        rewritten = testfile.rewrite(text, crates, case.id, edition=edition(case), wanted=wanted)
        case_build = replace(case_build, test_file=rewritten)
    return None


def _failing(
    case_build: CaseBuild, case: Case, reference: str, object_: bytes
) -> Generator[Step, Execution, frozenset[Wanted] | None]:
    runs = planning.reference_runs(case_build, reference)
    entry = entry_symbol(case_build.secret_name(reference))
    part = SampleTests(tests=case_build.tests, entry=entry, cpu_s=case.timeout_secs, runs=runs)
    execution = yield launch.run_step([part], object_, run_mounts(case_build))
    if execution.ended != "exited":
        return None
    results = launch.read_runs(execution, [part])[0]
    endings = {(run.test, run.twin): result.ending for run, result in zip(runs, results, strict=True) if result}
    tried = {twin for _, twin in endings if twin is not None}
    failed = {
        twin
        for (test, twin), ending in endings.items()
        if twin is not None and ending in _FAILED and endings.get((test, None)) == "returned"
    }
    # of a certain twin, other values were not tried
    failed_sites = {twin.number for twin in failed if twin.certain}
    return frozenset(
        (site.kind, site.position, twin.value)
        for twin in twins(case_build.test_file.sites)
        if twin in failed or (twin not in tried and twin.number in failed_sites)
        for site in [case_build.test_file.sites[twin.number]]
    )
