"""New tests that look at the shape of the code and not at what it does: names, types, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import Assertion, TestCode

_FEWEST = 2
_SHAPE = re.compile(
    r"\b(?:isinstance|issubclass|hasattr|callable|signature|getfullargspec|instanceof|typeof|toBeInstanceOf|toBeDefined"
    r"|assertIsInstance|assertIsNotNone|assertHasAttr|assertNotNull|toHaveProperty|isfunction|isclass|__annotations__"
    r"|__doc__|__name__|NotNil|NotNull|TypeOf)\b|\bis not None\b|!==? (?:null|undefined)\b|^assert [A-Z][A-Z0-9_]+$"
    r"|^assert \w+ \. [A-Z][A-Z0-9_]+$"
)
"""Assertions that nearly every piece of code with the right names fulfils."""
_COMPARED = re.compile(r"[!=]==?|[<>]=?")
_OF_SHAPE = re.compile(
    r"(?P<name>\w+)\s*=\s*(?:list\(|set\(|dict\()?(?:inspect\.)?(?:signature|getfullargspec|getmembers|dir|vars)\("
)
"""Variables that hold the shape of the code."""


def vague_tests(run: ReviewedRun) -> list[Finding]:
    """Find new tests of which none asserts anything about what the code does."""
    return list(_vague(run))


def _vague(run: ReviewedRun) -> Iterator[Finding]:
    fresh = [test for file in run.files for test in file.new_tests if test.name and test.defined_here and not test.skip]
    asserting = [test for test in fresh if test.assertions]
    if len(asserting) < _FEWEST or len(asserting) < len(fresh) or run.spec_keeps_behaviour:
        return
    if all(_is_vague(each, test) for test in asserting for each in test.assertions):
        text = (
            f"The {len(asserting)} new tests only look at names, types and signatures, and not at what the code does."
        )
        lines = [each.shown for test in asserting for each in test.assertions]
        yield finding("tests_assert_nothing", "likely", text, where=asserting[0].location, lines=lines)


def _is_vague(assertion: Assertion, test: TestCode) -> bool:
    if _SHAPE.search(assertion.text):
        return len(_COMPARED.findall(assertion.text)) <= 1 and " == " not in assertion.text
    shapes = {match["name"] for line in test.lines if (match := _OF_SHAPE.match(line))}
    return bool(shapes & assertion.names)
