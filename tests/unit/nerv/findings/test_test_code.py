"""Tests as code: the two sides of a comparison, and lines by which a test is skipped."""

from __future__ import annotations

import pytest

from nerv.findings.test_code import sides_of


@pytest.mark.parametrize(
    ("assertion", "subject", "expected"),
    [
        ("assert f(3) == 4", "f(3)", "4"),
        ("assert . equal ( f ( 3 , 4 ) , 5 )", "f ( 3 , 4 )", ", 5 )"),
        ("expect ( f ( 1 ) ) . toBe ( 2 )", "f ( 1 )", ") . toBe ( 2 )"),
        ('equal ( t , "minutes" , plan . Minutes ( 1 , 2 ) , [ ] int { 1 , 2 } )', None, ", [ ] int { 1 , 2 } )"),
        ("equal(t, got, 4)", "got", ", 4)"),
        ("check ( t )", "t", ")"),
        ("done", "", ""),
    ],
)
def test_the_sides_of_a_comparison(assertion: str, subject: str | None, expected: str) -> None:
    assert sides_of(assertion) == ('"minutes" , plan . Minutes ( 1 , 2 )' if subject is None else subject, expected)
