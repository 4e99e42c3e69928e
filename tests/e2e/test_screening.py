"""What screening says about mutants is what a judgement of each says."""

from __future__ import annotations

import pytest

import forgetest
from forgetest import plugins
from forgetest.auditing import outcomes
from forgetest.evalset import Case, Expectations
from forgetest.grading import Grader
from forgetest.toolchains.auditing import auditing
from workbench import needs_judging

RUST = """\
pub struct Meter { limit: u32 }

const STEP: u32 = 1;

impl Meter {
    pub const fn new(limit: u32) -> Self { Self { limit: limit + 1 } }

    pub fn count(&self, values: &[u32]) -> u32 {
        let mut found = 0;
        let mut index = 0;
        while index < values.len() {
            if values[index] < self.limit && values[index] > 0 {
                found += STEP;
            }
            index += 1;
        }
        found
    }
}

pub fn depth(n: u32) -> u32 {
    if n == 0 { return 0; }
    depth(n - 1) + 1
}

pub fn names(values: &[u32]) -> impl Iterator<Item = String> + '_ {
    values.iter().filter(|value| **value > 1).map(|value| value.to_string())
}
"""
RUST_TESTS = """\
use super::*;

#[test]
fn counts_what_is_below_the_limit() {
    assert_eq!(Meter::new(3).count(&[0, 1, 3, 9]), 2);
}

#[test]
fn goes_deep() {
    assert_eq!(depth(5), 5);
}

#[test]
fn names_large_values() {
    assert_eq!(names(&[1, 2]).collect::<Vec<_>>(), ["2"]);
}
"""
PYTHON = """\
def count(values, limit):
    found = 0
    index = 0
    while index < len(values):
        if 0 < values[index] <= limit:
            found += 1
        index += 1
    return found
"""
PYTHON_TESTS = """\
from solution import count


def test_nothing():
    assert count([], 3) == 0


def test_what_is_below_the_limit():
    assert count([0, 1, 3, 9], 3) == 2
"""


def a_case(language: str, solution: str, tests: str) -> Case:
    return Case(
        id="c",
        name="c",
        prompt="-",
        language=language,
        reference_solution=solution,
        timeout_secs=0.25,
        expectations=Expectations(test_file=tests),
    )


@pytest.mark.slow
@needs_judging
@pytest.mark.parametrize(
    ("language", "solution", "tests", "most_undecided"),
    [("rust", RUST, RUST_TESTS, 0.4), ("python", PYTHON, PYTHON_TESTS, 0.2)],
)
def test_a_screened_mutant_gets_the_result_that_a_judgement_gives(
    language: str, solution: str, tests: str, most_undecided: float
):
    case = a_case(language, solution, tests)
    functions = auditing(plugins.find("toolchains", language))
    assert functions is not None
    mutants = functions.mutations(solution)
    with Grader(cache_mb=0) as grader:
        [screened] = grader.screen([(case, mutants)])
        judged = grader.grade_many([(mutant.code, case) for mutant in mutants], as_code=True)
    differing = []
    for mutant, found, grade in zip(mutants, screened, judged, strict=True):
        full = outcomes.mutant_result(case, mutant, grade)
        if found is not None:
            mine = outcomes.screened_result(mutant, found)
            same_tests = mine.timed_out or mine.killed_by == full.killed_by
            if mine.status != full.status or not same_tests or mine.timed_out != full.timed_out:
                differing.append((mutant.line, mutant.after, mine.status, mine.killed_by, full.status, full.killed_by))
    assert differing == []
    assert sum(found is None for found in screened) <= most_undecided * len(mutants)
    assert {found.status for found in screened if found is not None} >= {"killed"}
    assert any(found is not None and found.timed_out for found in screened)


@pytest.mark.slow
@needs_judging
@pytest.mark.parametrize("language", ["rust", "python"])
def test_a_test_that_fails_now_and_then_is_found_by_repeating_it(language: str):
    flaky = {
        "rust": "use super::*;\nuse std::hash::BuildHasher;\n#[test]\nfn steady() { assert_eq!(one(), 1); }\n#[test]\n"
        "fn flaky() { let random = std::collections::hash_map::RandomState::new().hash_one(1); "
        "assert_eq!(random % 2, one() - 1); }\n",
        "python": "import time\nfrom solution import one\n\n\ndef test_steady():\n    assert one() == 1\n\n\n"
        "def test_flaky():\n    assert time.time_ns() // 1000 % 2 == one() - 1\n",
    }[language]
    solution = {"rust": "pub fn one() -> u64 { 1 }\n", "python": "def one():\n    return 1\n"}[language]
    with Grader(cache_mb=0) as grader:
        [failed] = grader.repeat_references([a_case(language, solution, flaky)], 60)
    assert len(failed) == 60
    assert 0 < sum(map(bool, failed)) < 60
    assert not any("steady" in name for names in failed for name in names)


@pytest.mark.slow
@needs_judging
def test_mutants_of_a_wrong_reference_solution_are_left_to_the_judge():
    case = a_case(
        "rust", "pub fn one() -> u32 { 1 + 1 }\n", "use super::*;\n#[test]\nfn t() { assert_eq!(one(), 1); }\n"
    )
    functions = auditing(plugins.find("toolchains", "rust"))
    assert functions is not None
    mutants = functions.mutations(case.reference_solution or "")
    with forgetest.Grader(cache_mb=0) as grader:
        assert list(grader.screen([(case, mutants)])) == [(None,) * len(mutants)]


@needs_judging
@pytest.mark.slow
def test_a_reference_solution_with_threads_is_repeated_although_such_programs_cannot_share_a_launch():
    solution = "pub fn twice(n: u32) -> u32 { std::thread::spawn(move || n * 2).join().unwrap() }\n"
    tests = "use super::*;\n\n#[test]\nfn doubles() {\n    assert_eq!(twice(4), 8);\n}\n"
    with Grader(cache_mb=0) as grader:
        [failed] = grader.repeat_references([a_case("rust", solution, tests)], 3)
    assert failed == [(), (), ()]
