"""New tests that never come to compare anything, by our own run of them with comparisons that all fail."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode
from nerv.inspection.broken_assertions import broken_lines
from nerv.verification.test_names import is_named

_NO_ERROR = re.compile(r"!?\s*\w*[eE]rr\w* != nil|! ?ok")
"""A condition of Go by which a test asks that there is no error."""
_ABOUT_ERRORS = re.compile(r"[rR]aises|[tT]hrows?|[rR]ejects?|[eE]rr\b|[eE]rror|[eE]xcept|[pP]anic|[fF]ail|[rR]efuse")
_MAY_END_OTHERWISE = re.compile(r"should_panic|\b[tb]\.Skip|pytest\.skip|importorskip|\.skip\(")


def silent_tests(run: ReviewedRun) -> list[Finding]:
    """Find new tests with comparisons that are never reached, or whose failure is swallowed."""
    verification = run.verification
    if verification is None or not verification.silent:
        return []
    found = [
        test
        for file in run.files
        for test in file.new_tests
        if test.name and test.touched and not test.skip and file.new is not None
        if _compares(test, broken_lines(file.path, file.new.text))
        or (_leaves_it_to_helpers(test) and _are_all_among(test, verification.new, verification.detached))
        if _are_all_among(test, verification.new, verification.silent)
    ]
    return [
        finding(
            "tests_assert_nothing",
            "likely",
            f"In {test.path}, no assertion of {test.name} is ever reached, or its failure is swallowed: "
            "the test passes although all of them were made to fail.",
            where=test.location,
            lines=[each.shown for each in test.assertions],
        )
        for test in found
    ]


def _compares(test: TestCode, broken: frozenset[int]) -> bool:
    """Return whether a test has assertions of its own, all of which were made to fail, but for those about errors."""
    others = [each for each in test.assertions if each.location.line not in broken]
    return (
        len(others) < len(test.assertions)
        and all(_NO_ERROR.fullmatch(each.text) for each in others)
        and not any(map(_MAY_END_OTHERWISE.search, test.lines))
    )


def _leaves_it_to_helpers(test: TestCode) -> bool:
    """Return whether a test has no assertion of its own, and is not about an error."""
    return not test.assertions and not any(
        _MAY_END_OTHERWISE.search(line) or _ABOUT_ERRORS.search(line) for line in test.lines
    )


def _are_all_among(test: TestCode, new: Iterable[str], found: Iterable[str]) -> bool:
    """Return whether a test is among those that were found, with all of its cases."""
    known = [name for name in new if is_named(name, test.name)]
    return bool(known) and set(known) <= set(found)
