from __future__ import annotations

import pytest

from forgetest.engine.judging.confirmation import audit_chance, draw_audit, has_failed
from forgetest.verdict import Condition, Diagnostic, Verdict
from specimens import a_verdict


@pytest.mark.parametrize(
    ("verdict", "failed"),
    [
        (a_verdict(), False),
        (a_verdict(failed=True), True),
        (a_verdict(conditions=(Condition(name="expected_types", holds=True),)), False),
        (a_verdict(conditions=(Condition(name="expected_types", holds=False),)), True),
        (a_verdict(compiled=False, errors=(Diagnostic(level="error", code=None, message="no"),)), True),
    ],
)
def test_a_failure_is_anything_that_is_held_against_the_sample(verdict: Verdict, failed: bool) -> None:
    assert has_failed(verdict) == failed


def test_an_audit_takes_any_of_the_failures() -> None:
    assert {draw_audit([3, 5], 1.0) for _ in range(100)} == {3, 5}


def test_there_is_no_audit_without_a_chance_or_a_failure() -> None:
    assert {draw_audit([3, 5], 0.0) for _ in range(100)} == {None}
    assert draw_audit([], 1.0) is None


def test_the_chance_of_an_audit_grows_with_the_group() -> None:
    assert [audit_chance(group, 256) for group in (16, 48, 1000)] == [1 / 16, 3 / 16, 1.0]


def test_audits_are_as_frequent_as_their_chance() -> None:
    audits = sum(draw_audit([0], 0.5) is not None for _ in range(2000))
    assert 800 < audits < 1200  # nine standard deviations
