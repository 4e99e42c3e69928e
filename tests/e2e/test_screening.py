"""What screening says about mutants is what a judgement of each says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import forgetest
from forgetest import plugins
from forgetest.auditing import outcomes
from forgetest.evalset import Case, Expectations
from forgetest.grading import Grader
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants, auditing
from workbench import needs_judging

RUST = """\
#![forbid(unsafe_code)]

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

pub fn half(n: u32) -> u32 {
    assert!(n % 2 == 0, "{n} is odd");
    if n > 100 { return 50; }
    n / 2
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
fn halves() -> Result<(), String> {
    if half(8) == 4 { Ok(()) } else { Err("not half".into()) }
}

#[test]
#[should_panic(expected = "3 is odd")]
fn refuses_odd_numbers() {
    half(3);
}

#[test]
#[ignore]
fn is_not_run() {
    assert_eq!(half(4), 4);
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
OWN_OPERATOR = """\
#[derive(Debug)]
pub struct Word(pub String);

impl Word {
    fn key(&self) -> String { self.0.to_lowercase() }
}

impl PartialEq for Word {
    fn eq(&self, other: &Self) -> bool { self.key() == other.key() }
}
"""
OWN_OPERATOR_TESTS = """\
use super::*;

#[test]
fn compares_without_case() {
    assert_eq!(Word("a".into()), Word("A".into()));
}
"""
STATE = """\
use std::sync::atomic::{AtomicU32, Ordering};

static NEXT: AtomicU32 = AtomicU32::new(1);

pub fn next() -> u32 { NEXT.fetch_add(1, Ordering::Relaxed) }

pub fn sum(a: u32, b: u32) -> u32 { a + b }
"""
STATE_TESTS = """\
use super::*;

#[test]
fn begins_with_one() {
    assert_eq!(next(), 1);
}

#[test]
fn begins_with_one_again() {
    assert_eq!((next(), next()), (1, 2));
}

#[test]
fn adds() {
    assert_eq!(sum(2, 3), 5);
}
"""
SLOW = """\
pub fn sum_below(n: u64) -> u64 {
    let mut sum = 0;
    for i in 0..n { sum += i; }
    sum
}

pub fn capped(n: u64) -> u64 {
    if n > 15_000_000 { return 1; }
    sum_below(n)
}
"""
SLOW_TESTS = """\
use super::*;

#[test]
fn takes_long() {
    assert_eq!(capped(15_000_000), 112_499_992_500_000);
}

#[test]
fn is_quick() {
    assert_eq!(sum_below(4), 6);
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


def differences(case: Case, screened: ScreenedMutants, grader: Grader) -> list[object]:
    """Return the mutants about which screening and a judgement of each do not say the same."""
    mutants = mutants_of(case)
    judged = grader.grade_many([(mutant.code, case) for mutant in mutants], as_code=True)
    differing: list[object] = []
    for mutant, found, grade in zip(mutants, screened, judged, strict=True):
        full = outcomes.mutant_result(case, mutant, grade)
        if found is not None:
            mine = outcomes.screened_result(case, mutant, found)
            same_tests = mine.timed_out or mine.killed_by == full.killed_by
            if mine.status != full.status or not same_tests or mine.timed_out != full.timed_out:
                differing.append((mutant.line, mutant.after, mine.status, mine.killed_by, full.status, full.killed_by))
    return differing


def mutants_of(case: Case) -> Sequence[Mutation]:
    functions = auditing(plugins.find("toolchains", case.language))
    assert functions is not None
    return functions.mutations(case.reference_solution or "")


@pytest.mark.slow
@needs_judging
@pytest.mark.parametrize(
    ("language", "solution", "tests", "most_undecided", "certain"),
    [
        ("rust", RUST, RUST_TESTS, 0.3, {"killed", "survived"}),
        ("python", PYTHON, PYTHON_TESTS, 0.1, {"killed", "survived"}),
    ],
)
def test_a_screened_mutant_gets_the_result_that_a_judgement_gives(
    language: str, solution: str, tests: str, most_undecided: float, certain: set[str]
):
    case = a_case(language, solution, tests)
    with Grader(cache_mb=0) as grader:
        [(_, screened)] = grader.screen([(case, mutants_of(case))])
        assert differences(case, screened, grader) == []
    assert sum(found is None for found in screened) <= most_undecided * len(screened)
    assert {found.status for found in screened if found is not None} >= certain
    assert any(found is not None and found.timed_out for found in screened)


@pytest.mark.slow
@needs_judging
def test_slow_tests_are_for_mutants_that_quick_ones_do_not_kill():
    case = replace(a_case("rust", SLOW, SLOW_TESTS), timeout_secs=4.0)
    mutants = mutants_of(case)
    with Grader(cache_mb=0) as grader:
        [(_, screened)] = grader.screen([(case, mutants)])
        judged = grader.grade_many([(mutant.code, case) for mutant in mutants], as_code=True)
    results = [outcomes.mutant_result(case, mutant, grade) for mutant, grade in zip(mutants, judged, strict=True)]
    known = [(found, full) for found, full in zip(screened, results, strict=True) if found is not None]
    assert [found.status for found, _ in known] == [full.status for _, full in known]
    assert all(set(found.killed_by) <= set(full.killed_by) for found, full in known)
    assert ("is_quick",) in [found.killed_by for found, full in known if "takes_long" in full.killed_by]
    assert ("takes_long",) in [found.killed_by for found, _ in known]
    assert "survived" in [found.status for found, _ in known]


@pytest.mark.slow
@needs_judging
def test_a_mutant_whose_operator_agrees_with_everything_is_left_to_the_judge():
    case = a_case("rust", OWN_OPERATOR, OWN_OPERATOR_TESTS)
    with Grader(cache_mb=0) as grader:
        [(_, screened)] = grader.screen([(case, mutants_of(case))])
        assert differences(case, screened, grader) == []
    assert None in screened


@pytest.mark.slow
@needs_judging
def test_a_python_program_with_comparisons_of_its_own_is_left_to_the_judge():
    solution = "class Price:\n    def __init__(self, cents):\n        self.cents = cents + 0\n\n"
    solution += "    def __eq__(self, other):\n        return self.cents == other.cents\n"
    tests = "from solution import Price\n\n\ndef test_same():\n    assert Price(3) == Price(3)\n"
    case = a_case("python", solution, tests)
    with Grader(cache_mb=0) as grader:
        [(_, screened)] = grader.screen([(case, mutants_of(case))])
        assert differences(case, screened, grader) == []
    assert None in screened
    assert not any(found is not None and found.status == "survived" for found in screened)


@pytest.mark.slow
@needs_judging
@pytest.mark.parametrize(
    ("language", "solution", "tests"), [("rust", RUST, RUST_TESTS), ("python", PYTHON, PYTHON_TESTS)]
)
def test_survivors_of_a_case_with_a_custom_check_are_left_to_the_judge(language: str, solution: str, tests: str):
    case = a_case(language, solution, tests)
    case = replace(case, expectations=replace(case.expectations, custom_check="grep -q 'found += '"))
    with Grader(cache_mb=0) as grader:
        [(_, screened)] = grader.screen([(case, mutants_of(case))])
    assert {found.status for found in screened if found is not None} <= {"killed", "invalid"}
    assert None in screened


@pytest.mark.slow
@needs_judging
def test_tests_that_cannot_share_a_process_run_one_by_one():
    case = a_case("rust", STATE, STATE_TESTS)
    with Grader(cache_mb=0) as grader:
        [(_, screened)] = grader.screen([(case, mutants_of(case))])
        assert differences(case, screened, grader) == []
    assert any(found is not None and found.status == "killed" for found in screened)


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
    mutants = mutants_of(case)
    with forgetest.Grader(cache_mb=0) as grader:
        assert list(grader.screen([(case, mutants)])) == [(0, (None,) * len(mutants))]


@needs_judging
@pytest.mark.slow
def test_a_reference_solution_with_threads_is_repeated_although_such_programs_cannot_share_a_launch():
    solution = "pub fn twice(n: u32) -> u32 { std::thread::spawn(move || n * 2).join().unwrap() }\n"
    tests = "use super::*;\n\n#[test]\nfn doubles() {\n    assert_eq!(twice(4), 8);\n}\n"
    with Grader(cache_mb=0) as grader:
        [failed] = grader.repeat_references([a_case("rust", solution, tests)], 3)
    assert failed == [(), (), ()]
