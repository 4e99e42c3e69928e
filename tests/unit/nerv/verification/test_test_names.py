"""The names of tests, as code has them and as runners print them."""

from __future__ import annotations

import pytest

from nerv.verification.test_names import is_named, outcome_as_rewritten


@pytest.mark.parametrize("full", ["test_a", "tests/test_x.py::test_a[1-2]", "tests::test_a", "Group > test_a"])
def test_a_runner_s_name_belongs_to_its_test(full: str) -> None:
    assert is_named(full, "test_a")
    assert not is_named(full, "est_a")
    assert not is_named(full, "test_b")


@pytest.mark.parametrize(
    ("outcomes", "outcome"),
    [
        ({"x::a": "failed", "x::a[1]": "passed"}, "failed"),
        ({"x::a[1]": "passed", "x::a[2]": "passed"}, "passed"),
        ({"x::a[1]": "passed", "x::a[2]": "skipped"}, "skipped"),
        ({"x::a[1]": "passed", "x::a[2]": "failed", "x::a[3]": "skipped"}, "failed"),
        ({"x::ab": "passed"}, None),
    ],
)
def test_a_test_may_run_with_parameters_now(outcomes: dict[str, str], outcome: str | None) -> None:
    assert outcome_as_rewritten("x::a", outcomes) == outcome


def test_a_test_may_run_without_parameters_now_and_one_of_its_cases_may_be_gone() -> None:
    assert outcome_as_rewritten("x::a[1]", {"x::a": "passed"}) == "passed"
    assert outcome_as_rewritten("x::a[1]", {"x::a[2]": "passed"}) is None
