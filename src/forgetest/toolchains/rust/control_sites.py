"""Chooses the sites of a case's tests, so that a sample that earns its passes fails every twin.

With a reference solution, all candidates are tried on it, and those are kept whose twins it fails; unless every test
has enough that are certain, so that no sample passes their twins, however it solves the task. Without one, only such
sites are used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator
from dataclasses import replace

from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import derived, testfile
from forgetest.toolchains.rust.compile.adapt import build_adapted
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.glue import entry_symbol
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
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
    """Return the case with the sites of its tests; those that are not certain are tried on its reference solution.

    So are its derived signatures, by the same build.
    """
    if not case_build.tests or case.expectations.test_file is None:
        return case_build
    kept = None
    if case.reference_solution is not None:
        trial = replace(case_build, test_file=_candidates(case_build, case, crates))
        kept, met = yield from _kept_by_reference(trial, case, case.reference_solution)
        if met is None:
            case_build = yield from derived.with_derived(replace(case_build, derived=()), case, crates)
        else:
            case_build = replace(case_build, derived=met)
    return _with_kept(case_build, case, crates, kept)


def with_certain_sites(case_build: CaseBuild, case: Case, crates: Collection[str]) -> CaseBuild | None:
    """Return the case with sites that are certain; None if a test has too few, and the reference has to be run.

    No sample passes a certain twin, so a reference solution that passes its tests would not, either. A test whose
    candidates are all certain has enough, and so has one with as many altered expectations as are kept anyway.
    """
    candidates = _candidates(case_build, case, crates).sites
    certain = [site for site in candidates if site.certain]
    altered = Counter(site.test for site in certain if site.kind == "literal")
    if any(altered[site.test] < MOST_KEPT for site in candidates if not site.certain):
        return None
    kept = frozenset((site.kind, site.position, value) for site in certain for value in site.asked)
    return _with_kept(case_build, case, crates, kept)


def without_sites(case_build: CaseBuild, case: Case, crates: Collection[str]) -> CaseBuild:
    """Return the case with its tests as they are."""
    return replace(case_build, test_file=_test_file(case, crates, None), plain_test_file=None)


def _candidates(case_build: CaseBuild, case: Case, crates: Collection[str]) -> TestFile:
    return _test_file(case, crates, WantedSites(secret=case_build.judge_secret, most=MOST_CANDIDATES))


def _with_kept(case_build: CaseBuild, case: Case, crates: Collection[str], kept: frozenset[Wanted] | None) -> CaseBuild:
    wanted = WantedSites(secret=case_build.judge_secret, most=MOST_KEPT, only=kept, certain=kept is None)
    return replace(
        case_build,
        test_file=_test_file(case, crates, wanted),
        plain_test_file=_test_file(case, crates, replace(wanted, pairs=True)),
    )


def _test_file(case: Case, crates: Collection[str], wanted: WantedSites | None) -> TestFile:
    text = case.expectations.test_file or ""
    return testfile.rewrite(text, crates, case.id, edition=edition(case), wanted=wanted)


def _kept_by_reference(
    case_build: CaseBuild, case: Case, reference: str
) -> Generator[Step, Execution, tuple[frozenset[Wanted] | None, tuple[ExpectedItem, ...] | None]]:
    """Return the twins that the reference solution fails, and the derived signatures that it meets.

    None for either if that cannot be found out.
    """
    left = case_build.test_file.sites
    for _ in range(_MOST_BUILDS):
        adapted = yield from build_adapted(case_build, case, reference)
        if adapted.result.object is not None:
            kept = yield from _failing(case_build, case, reference, adapted.result.object)
            # a build that was adapted in other ways, too, says nothing of a signature that it does not meet
            is_plain = replace(adapted.options, without_signatures=frozenset()) == BuildOptions()
            met = tuple(item for item in case_build.derived if item not in adapted.unmet)
            return kept, met if is_plain else None
        lines = {remark.line for remark in adapted.result.errors if remark.place == "tests"}
        left = tuple(site for site in left if site.line not in lines)
        if len(left) == len(case_build.test_file.sites):
            return None, None
        only = frozenset((site.kind, site.position, value) for site in left for value in site.asked)
        wanted = WantedSites(secret=case_build.judge_secret, most=MOST_CANDIDATES, only=only)
        crates = [name for name, _ in case_build.crates.libraries]
        case_build = replace(case_build, test_file=_test_file(case, crates, wanted))
    return None, None


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
