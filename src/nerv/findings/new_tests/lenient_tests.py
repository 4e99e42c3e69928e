"""Tests that accept too much, by our own runs: on code that refuses, and on code that gives empty values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode
from nerv.verification.test_names import is_named

_FEWEST = 3
_MOST = 0.5
"""From this share on, the new tests as a whole look like more than they are."""
_ABOUT_ERRORS_OR_NOTHING = re.compile(
    r"raises|throws|rejects|toThrow|should_panic|unwrap_err|is_err|\bErr\b|\berr [=!]= nil|\bexcept\b|catch\b"
    r"|assert(?:Is)?(?:Raises|Warns|False|None|Empty|NotIn)\b|\bassert not\b|\bnot in\b|assert!\(\s*!"
    r"|(?:[=!]=|,|\bis|toBe\(|[eE]quals?\(|return|:)\s*(?:\"\"|''|``|\[\]|\{\}|\(\)|0|0\.0|False|false|None|null|nil|set\(\)"
    r"|undefined|vec!\[\])(?:\W|$)|\bis_(?:none|empty)\b|toBe(?:Falsy|Null|Undefined)|\.not\.|doesNotMatch|notEqual|assert_ne|NotEqual|!="
)
"""A test of an error, or of nothing, which may hold for code that gives nothing."""
_WITH_ITSELF = re.compile(r"\s*assert\s+(?P<one>.+?)\s*==\s*(?P=one)\s*")
_EQUALITY = re.compile(
    r"assert\w*(?:Equal|_eq|_that|That|Match)\w*|\.(?:\w*[eE]quals?|match|toBe|toEqual|toMatch|toStrictEqual|is)\("
)


def lenient_tests(run: ReviewedRun) -> list[Finding]:
    """Find tests that the run made to accept what they refused, and new tests that look at no value."""
    return [*_dulled(run), *_unmoved(run)]


def _dulled(run: ReviewedRun) -> Iterator[Finding]:
    dulled = run.verification.dulled if run.verification is not None else ()
    if dulled:
        whose, what, do = ("1 test", "it, or what it uses,", "does")
        if len(dulled) > 1:
            whose, what, do = (f"{len(dulled)} tests", "them, or what they use,", "do")
        text = f"{whose} of the base noticed broken code before the run changed {what} and no longer {do}."
        yield finding("weakened_tests", "likely", text, lines=dulled)


def _unmoved(run: ReviewedRun) -> Iterator[Finding]:
    verification = run.verification
    if verification is None or not verification.unmoved or run.spec_keeps_behaviour:
        return
    tests = [test for file in run.files for test in file.new_tests if test.name]
    vague = [name for name in verification.unmoved if _is_vague(name, tests)]
    if len(vague) >= _FEWEST and len(vague) >= _MOST * len(verification.new):
        count = f"{len(vague)} of {len(verification.new)}"
        text = f"{count} new tests compare nothing, and pass although the code gives empty values."
        yield finding("tests_assert_nothing", "likely", text, lines=vague)


def _is_vague(name: str, tests: list[TestCode]) -> bool:
    """Return whether a test is known, compares nothing with a value, and expects neither an error nor nothing.

    A test that compares may look at something else than what a function gives: a file, or a variable of its own.
    """
    own = [test for test in tests if is_named(name, test.name)]
    lines = [line for test in own for line in test.lines]
    return bool(own) and not any(_ABOUT_ERRORS_OR_NOTHING.search(line) or _compares(line) for line in lines)


def _compares(line: str) -> bool:
    """Return whether a line compares for equality: not with itself, nor in brackets: `all(len(x) == 2 for x in y)`."""
    if _WITH_ITSELF.fullmatch(line):
        return False
    outside, depth = [], 0
    for character in line:
        depth += (character in "([{") - (character in ")]}")
        outside.append(character if depth <= 0 else " ")
    return "==" in "".join(outside) or _EQUALITY.search(line) is not None
