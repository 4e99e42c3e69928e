"""Plans the runs of a sample's tests: each test for real, and twins of it that a sample must fail.

Everything random is drawn from the judge's secret and the sample, so the same sample always gets the same plan, and no
sample can know its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from forgetest.toolchains import controls
from forgetest.toolchains.controls import Answer
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.separation import tests_see_only_std
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.compile.twins import sites
from forgetest.toolchains.rust.integrity.own_operators import has_own_operators
from forgetest.toolchains.rust.run.launch import TestRun


def must_be_asked_everything(case_build: CaseBuild, code: str, unmet: Collection[ExpectedItem] = ()) -> bool:
    """Return whether a sample could lie about some values only: by operators of its own, in types that the tests see.

    `unmet` are the signatures that it does not have.
    """
    return has_own_operators(code) and not tests_see_only_std(case_build, unmet)


def first_runs(
    case_build: CaseBuild, code: str, only: Collection[int] | None = None, *, every: bool = False
) -> list[TestRun]:
    """Return the runs of all tests that are not ignored, or of those at some indices, and of twins of them.

    With `every`, all twins are asked: see `must_be_asked_everything`.
    """
    tests = [
        index
        for index, test in enumerate(case_build.tests)
        if test.kind != "ignored" and (only is None or index in only)
    ]
    draw = case_build.judge_secret.draw("first runs", code, str(only))
    return _test_runs(case_build, controls.first_round(tests, _twins(case_build), draw, every=every), code)


def real_runs(case_build: CaseBuild, code: str, tests: Sequence[int]) -> list[TestRun]:
    """Return a run of each of these tests, without twins."""
    return _test_runs(case_build, [controls.Run(test=test) for test in tests], code)


def further_runs(case_build: CaseBuild, code: str, answers: Sequence[Answer]) -> list[TestRun]:
    """Return the runs that decide about tests that passed a twin; none if no test did."""
    draw = case_build.judge_secret.draw("further runs", code)
    return _test_runs(case_build, controls.second_round(answers, _twins(case_build), draw), code)


def reference_runs(case_build: CaseBuild, code: str) -> list[TestRun]:
    """Return a run of each plain test, and of its twins: for the reference solution.

    If it has no operators of its own, one value of a certain twin stands for all of them.
    """
    tests = [index for index, test in enumerate(case_build.tests) if test.kind == "plain"]
    runs = [controls.Run(test=test) for test in tests]
    twins = _twins(case_build)
    if not has_own_operators(code):
        twins = list({(twin.number, 0 if twin.certain else twin.value): twin for twin in twins}.values())
    # ends first: after a time-out, the launcher skips the other runs of that test
    twins.sort(key=lambda twin: not twin.is_end)
    return _test_runs(case_build, [*runs, *(controls.Run(test=twin.test, twin=twin) for twin in twins)], code)


def _twins(case_build: CaseBuild) -> list[controls.Twin]:
    return list(sites.twins(case_build.test_file.sites))


def _test_runs(case_build: CaseBuild, runs: Sequence[controls.Run], code: str) -> list[TestRun]:
    draw = case_build.judge_secret.draw("choices", code, str(len(runs)))
    placed = case_build.test_file.sites
    return [
        TestRun(test=run.test, twin=run.twin, choices=sites.choices(placed, run.test, run.twin, draw)) for run in runs
    ]
