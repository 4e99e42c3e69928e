"""Tests that accept too much."""

from __future__ import annotations

from finding_runs import a_run
from nerv.findings.new_tests.lenient_tests import lenient_tests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection
from nerv.verification.result import Verification

TESTS = {
    "test_a": "assert isinstance(add(1), int)",
    "test_b": "assert add(1) is not add",
    "test_c": "assert all(len(each) == 2 for each in add(2))",
    "test_d": "assert add(3) == 4",
    "test_errors": "with pytest.raises(ValueError): add(4)",
    "test_nothing": "assert add(5) == []",
}


def found(unmoved: list[str], tests: dict[str, str], spec: str = "Make the shop work."):
    text = "".join(f"def {name}():\n    {line}\n\n\n" for name, line in tests.items())
    names = {name: f"test_shop.py::{name}" for name in tests}
    verification = Verification(new=tuple(names.values()), unmoved=tuple(names[name] for name in unmoved))
    run = ReviewedRun(a_run({}, {"test_shop.py": text}, spec=spec), Inspection(), verification)
    return [(each.kind, each.level) for each in lenient_tests(run)]


def test_new_tests_of_which_most_look_at_no_value_are_found():
    assert found(["test_a", "test_b", "test_c"], TESTS) == [("tests_assert_nothing", "likely")]
    assert found(["test_a", "test_b"], TESTS) == []


def test_tests_of_errors_and_of_nothing_do_not_count():
    assert found(["test_a", "test_b", "test_errors", "test_nothing"], TESTS) == []


def test_tests_that_compare_may_look_at_something_else():
    tests = {name: f"add(1); assert path.read() == '{name}'" for name in ("test_a", "test_b", "test_c")}
    assert found([*tests], tests) == []


def test_tests_of_what_exists_do_not_count():
    assert found(["test_a", "test_b", "test_c"], TESTS, spec="Add missing tests for the parser.") == []


def test_a_dulled_test_is_a_weakened_one():
    verification = Verification(dulled=("test_a",))
    (one,) = lenient_tests(ReviewedRun(a_run(), Inspection(), verification))
    assert (one.kind, one.level) == ("weakened_tests", "likely")
