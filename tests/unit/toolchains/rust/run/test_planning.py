"""Which runs are made of a sample, and of the reference solution."""

from __future__ import annotations

from forgetest.toolchains.controls import JudgeSecret
from forgetest.toolchains.rust.compile import signatures, testfile
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.testfile import WantedSites
from forgetest.toolchains.rust.crates import Crates
from forgetest.toolchains.rust.run import planning
from forgetest.toolchains.rust.tools import Tools

SECRET = JudgeSecret(key=b"a secret")
TESTS = "#[test] fn t() { assert_eq!(f(1), 2); assert_eq!(g(), Own::Made(3)); }"
EQUAL = "impl PartialEq<i64> for Own { fn eq(&self, _: &i64) -> bool { true } }"


def case_with(*entries: str, tests: str = TESTS, names: tuple[str, ...] = ("f",)) -> CaseBuild:
    return CaseBuild(
        tools=Tools(version="", sysroot="", host="", linker="", mounts=(), run_libraries=()),
        crates=Crates(),
        runtime="",
        test_file=testfile.rewrite(tests, (), "case", wanted=WantedSites(secret=SECRET, most=4)),
        functions=tuple(signatures.function(entry, (), "case") for entry in entries),
        types=(),
        names=names,
        judge_secret=SECRET,
    )


def values_asked(runs: list[planning.TestRun]) -> dict[int, int]:
    """How many different values of each expectation are asked."""
    asked = {run.twin for run in runs if run.twin}
    return {number: sum(twin.number == number for twin in asked) for number in {twin.number for twin in asked}}


def test_a_sample_with_operators_is_asked_everything_unless_the_tests_see_no_type_of_its_own():
    pinned = case_with("fn f(n: u64) -> u64", tests="#[test] fn t() { assert_eq!(f(1), 2); }")
    free = case_with("f", tests="#[test] fn t() { assert_eq!(f(1), 2); }")
    assert planning.must_be_asked_everything(free, EQUAL)
    assert not planning.must_be_asked_everything(free, "pub fn f(n: u64) -> u64 { n + 1 }")
    assert not planning.must_be_asked_everything(pinned, EQUAL)
    assert planning.must_be_asked_everything(pinned, EQUAL, pinned.functions), "it does not have the signature"


def test_plain_samples_are_asked_one_value_of_an_expectation_and_others_all():
    case = case_with()
    assert set(values_asked(planning.first_runs(case, "code")).values()) == {1}
    assert sorted(values_asked(planning.first_runs(case, "code", every=True)).values()) == [1, 7, 7]


def test_the_reference_solution_is_tried_with_one_value_where_it_cannot_differ():
    case = case_with()
    certain = {number for number, site in enumerate(case.test_file.sites) if site.certain}
    plain = values_asked(planning.reference_runs(case, "code"))
    assert {number for number, count in plain.items() if count == 1} == certain
    assert sorted(plain.values()) == [1, 1, 7]
    assert sorted(values_asked(planning.reference_runs(case, EQUAL)).values()) == [1, 7, 7]
