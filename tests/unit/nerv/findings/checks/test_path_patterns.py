"""Patterns of runners."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.findings.checks.path_patterns import can_be_tried, glob_matches, regex_matches


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("**/*.test.js", "tests/a.test.js", True),
        ("**/*.test.js", "a.test.js", True),
        ("<rootDir>/tests", "tests/deep/a.test.js", True),
        ("tests/*.js", "tests/deep/a.js", False),
        ("**/*.{test,spec}.[jt]s?(x)", "src/a.spec.tsx", True),
        ("**/__tests__/**", "src/__tests__/a.js", True),
        ("**/+(a|b).js", "b.js", True),
        ("src", "tests/src.js", False),
        ("", "a.js", False),
        ("a[.js", "a[.js", True),
    ],
)
def test_globs(pattern: str, path: str, matches: bool) -> None:
    assert glob_matches(pattern, path) is matches


@pytest.mark.parametrize(
    ("expression", "can"),
    [(r"\\.spec\\.ts$", True), ("/(a|b)/.*", True), ("(a+)+$", False), (".*.*.*.*x", False), ("[", False)],
)
def test_regular_expressions_that_are_tried_are_simple(expression: str, can: bool) -> None:
    assert can_be_tried(expression) is can


def test_a_hostile_pattern_takes_no_time() -> None:
    start = time.process_time()
    for pattern in ("*a" * 100 + "b", "**/" * 100 + "b", "{a,b}" * 40, "?(a)" * 60):
        glob_matches(pattern, "a" * 250 + "/a" * 250)
    assert time.process_time() - start < 5


@given(st.text(alphabet="ab*?[]{}()!+@,|/.\\\\<>", max_size=12))
def test_no_pattern_causes_an_error(pattern: str) -> None:
    glob_matches(pattern, "tests/a.test.js")
    regex_matches(pattern, "tests/a.test.js")
