"""The score, and the reasons that make a sample incorrect."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest import scoring
from forgetest.evalset import Expectations, UnsafeCode, Weights
from forgetest.sample import Score
from forgetest.verdict import Concern, Condition, Finding
from specimens import a_verdict

ASKED = Expectations()
WEIGHTS = Weights()


def overall(*, expectations=ASKED, weights=WEIGHTS, **observed) -> float:
    return scoring.score(a_verdict(**observed), expectations, weights).overall


def test_code_that_compiles_passes_and_is_clean_scores_one():
    assert overall(passed=4) == 1.0


def test_code_that_does_not_compile_scores_zero_whatever_else_is_known():
    assert scoring.score(a_verdict(compiled=False), ASKED, WEIGHTS) == scoring.NO_CODE


@pytest.mark.parametrize(("passed", "failed", "expected"), [(3, 1, 0.875), (1, 2, 0.666666666667), (0, 4, 0.5)])
def test_the_tests_component_is_the_share_that_passed(passed, failed, expected):
    assert overall(passed=passed, failed=failed) == expected


def test_the_tests_component_is_zero_if_no_test_ran():
    assert overall(passed=0) == 0.5


def test_ignored_tests_count_neither_way():
    assert overall(passed=1, ignored=9) == 1.0
    assert overall(passed=0, ignored=9) == 0.5


@pytest.mark.parametrize(("lints", "expected"), [(1, 0.99), (3, 0.97), (9, 0.91), (10, 0.9), (11, 0.9), (500, 0.9)])
def test_each_lint_warning_costs_a_tenth_of_the_lint_component_down_to_zero(lints, expected):
    assert overall(lints=lints) == expected


def test_compiler_warnings_cost_nothing():
    assert overall(warnings=a_verdict(lints=5).lints) == 1.0


def test_the_tests_component_is_one_if_no_tests_are_expected():
    found = scoring.score(a_verdict(passed=0, lints=2), Expectations(should_pass_tests=False), WEIGHTS)
    assert found == Score(compilation=1.0, tests=1.0, lint=0.8, overall=0.98)


@pytest.mark.parametrize(("compiled", "expected"), [(False, 1.0), (True, 0.0)])
def test_a_must_not_compile_case_is_all_or_nothing(compiled, expected):
    assert overall(compiled=compiled, expectations=Expectations(should_compile=False)) == expected


def test_an_eval_set_may_have_its_own_weights():
    weights = Weights(compilation=0.2, tests=0.7, lint=0.1)
    assert overall(passed=1, failed=1, weights=weights) == 0.65


@given(
    st.booleans(),
    *[st.integers(0, 40) for _ in range(4)],
    st.booleans(),
    st.booleans(),
    st.tuples(st.integers(0, 100), st.integers(0, 100)),
)
def test_every_score_lies_between_0_and_1(compiled, passed, failed, ignored, lints, compile_it, test_it, cuts):
    low, high = sorted(cuts)
    weights = Weights(compilation=low / 100, tests=(high - low) / 100, lint=(100 - high) / 100)
    verdict = a_verdict(compiled=compiled, passed=passed, failed=failed, ignored=ignored, lints=lints)
    found = scoring.score(verdict, Expectations(should_compile=compile_it, should_pass_tests=test_it), weights)
    assert all(0 <= part <= 1 for part in (found.compilation, found.tests, found.lint, found.overall))


@given(st.integers(0, 20), st.integers(1, 20), st.integers(0, 12))
def test_another_failing_test_or_warning_never_raises_the_score(passed, failed, lints):
    found = overall(passed=passed, failed=failed, lints=lints)
    assert overall(passed=passed, failed=failed + 1, lints=lints) <= found
    assert overall(passed=passed, failed=failed, lints=lints + 1) <= found


def shortcomings(*, observed: dict | None = None, **expected) -> list[str]:
    return scoring.shortcomings(a_verdict(**observed or {}), Expectations(**expected))


def test_a_sample_that_meets_every_expectation_has_no_shortcomings():
    assert shortcomings() == []


def test_the_first_error_says_why_it_does_not_compile():
    assert shortcomings(observed={"compiled": False}) == ["does not compile: mismatched types"]


def test_failed_tests_are_named():
    assert shortcomings(observed={"passed": 2, "failed": 1}) == ["1 of 3 tests failed: t2"]
    assert shortcomings(observed={"passed": 0, "failed": 1}) == ["1 of 1 test failed: t0"]


@pytest.mark.parametrize("ignored", [0, 3])
def test_if_tests_are_expected_at_least_one_must_have_run(ignored):
    assert shortcomings(observed={"passed": 0, "ignored": ignored}) == ["no test ran"]


def test_if_no_tests_are_expected_none_need_to_pass():
    assert shortcomings(observed={"passed": 0, "failed": 2}, should_pass_tests=False) == []


def test_a_must_not_compile_case_is_met_only_by_a_rejection():
    assert shortcomings(observed={"compiled": False}, should_compile=False) == []
    assert shortcomings(should_compile=False) == ["it compiles, and must not"]


def test_lint_warnings_matter_only_beyond_the_limit_of_the_case():
    assert shortcomings(observed={"lints": 30}) == []
    assert shortcomings(observed={"lints": 3}, max_lint_warnings=3) == []
    assert shortcomings(observed={"lints": 4}, max_lint_warnings=3) == ["4 lint warnings, at most 3 allowed"]


def test_an_unmet_condition_makes_a_sample_incorrect_and_leaves_its_score():
    unmet = Condition(name="fn fibonacci", holds=False, detail="not defined")
    assert shortcomings(observed={"conditions": (unmet,)}) == ["fn fibonacci: not defined"]
    assert overall(conditions=(unmet,)) == 1.0


def test_an_integrity_finding_makes_a_sample_incorrect_unless_it_is_harmless():
    found = Finding(kind="exit", detail="process::exit in the sample")
    assert shortcomings(observed={"integrity": (found,)}) == ["integrity: exit: process::exit in the sample"]
    harmless = Finding(kind="unsafe", detail="allowed by the case", forbids=False)
    assert shortcomings(observed={"integrity": (harmless,)}) == []


FOREIGN = ("assembly", "export", "foreign_symbol", "raw_descriptor")


@pytest.mark.parametrize(
    ("unsafe_code", "incorrect"),
    [
        ("forbidden", {"unsafe", *FOREIGN}),
        ("checked", {*FOREIGN}),
        ("allowed", set()),
    ],
)
def test_a_case_decides_whether_unsafe_and_foreign_code_is_allowed(unsafe_code: UnsafeCode, incorrect: set[str]):
    for kind in ("unsafe", *FOREIGN):
        found = Finding(kind=kind, detail="seen", forbids=kind != "unsafe")
        missing = shortcomings(observed={"integrity": (found,)}, unsafe_code=unsafe_code)
        assert missing == ([f"integrity: {kind}: seen"] if kind in incorrect else [])


@pytest.mark.parametrize(("concern", "incorrect"), [("unsafe", False), ("foreign", True), ("forgery", True)])
def test_a_toolchain_states_the_concern_of_its_own_kinds_of_findings(concern: Concern, incorrect: bool):
    found = Finding(kind="ffi", detail="seen", concern=concern)
    assert bool(shortcomings(observed={"integrity": (found,)}, unsafe_code="checked")) == incorrect


def test_no_case_can_allow_a_constructor_or_a_lie():
    for kind in ("constructor", "forged_verdict", "early_exit", "shadowed_assertion"):
        found = Finding(kind=kind, detail="seen")
        assert shortcomings(observed={"integrity": (found,)}, unsafe_code="allowed") == [f"integrity: {kind}: seen"]


def test_code_that_no_linter_sees_is_not_correct_where_lint_warnings_are_limited():
    hidden = Finding(kind="written_in_macros", detail="x", forbids=False)
    verdict = a_verdict(passed=1, integrity=(hidden,))
    assert scoring.shortcomings(verdict, Expectations()) == []
    assert scoring.shortcomings(verdict, Expectations(max_lint_warnings=9)) == ["integrity: written_in_macros: x"]
