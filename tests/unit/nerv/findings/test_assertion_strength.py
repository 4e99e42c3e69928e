"""How much an assertion compares."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.assertion_strength import EQUALITY
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection


def strengths(path: str, text: str) -> list[int]:
    (file,) = ReviewedRun(a_run({}, {path: text}), Inspection(), None).files
    return [each.strength for test in file.new_tests for each in test.assertions]


@pytest.mark.parametrize(
    ("assertion", "expected"),
    [
        ("assert price(2) == 4", EQUALITY),
        ("assert price(2) is None", EQUALITY),
        ("with pytest.raises(ValueError): price(-1)", EQUALITY),
        ("assert price(2) == pytest.approx(4)", 2),
        ("assert price(2) in (4, 5)", 2),
        ("assert price(2) > 3", 2),
        ("assert price(2)", 1),
        ("assert price(2) is not None", 1),
        ("assert price(2) == price(2)", 1),
        ("assert False", 1),
        ("self.assertOpen()", 1),
        ("assert True", 0),
        ("assert 4 == 4", 0),
        ("assert (price(2) == 5, 'wrong')", 0),
        ("assert price(2) == 5 or True", 0),
    ],
)
def test_an_assertion_is_as_strong_as_what_it_rules_out(assertion: str, expected: int) -> None:
    assert strengths("tests/test_shop.py", f"def test_price():\n    {assertion}\n") == [expected]


def test_a_value_beside_a_value_in_rust_is_an_equality() -> None:
    tests = "#[test]\nfn prices() {\n    assert_eq!(price(2), 4);\n    assert!(price(3) > 1);\n}\n"
    assert strengths("tests/price.rs", tests) == [EQUALITY, 2]
