"""New tests that look at the shape of the code and not at what it does: names, types, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding
from nerv.findings.assertion_strength import EQUALITY
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import Assertion, TestCode, sides_of

_FEWEST = 2
_HELD = re.compile(r"(?:(?:const|let|var|let mut)\s+)?(?P<name>\w+)\s*:?=\s*(?P<value>[\w.]+\(.*\));?")
_REPEATABLE = re.compile(
    r"\b(?:determinis\w+|reproducib\w+|repeatab\w+|idempoten\w+|same (?:result|output|seed)|stable)", re.I
)
_SHAPE = re.compile(
    r"\b(?:isinstance|issubclass|hasattr|callable|signature|getfullargspec|instanceof|typeof|toBeInstanceOf|toBeDefined"
    r"|assertIsInstance|assertIsNotNone|assertHasAttr|assertNotNull|toHaveProperty|isfunction|isclass|__annotations__"
    r"|__doc__|__name__|NotNil|NotNull|TypeOf)\b|\bis not None\b|!==? (?:null|undefined)\b|^assert [A-Z][A-Z0-9_]+$"
    r"|^assert \w+ \. [A-Z][A-Z0-9_]+$"
)
"""Assertions that nearly every piece of code with the right names fulfils."""
_ANYTHING = re.compile(
    r"\b(?:doesNotThrow|doesNotReject|isArray|typeof)\b"
    r"|\b(?:assert|ok|assertTrue) (?:\( )?(?:['\"]\w+['\"] in )?\w+(?: \))?(?: ;)?$"
)
"""Assertions that something is there, of any value, or that nothing is thrown: vague beside those above."""
_COMPARED = re.compile(r"[!=]==?|[<>]=?")
_OF_SHAPE = re.compile(
    r"(?P<name>\w+)\s*=\s*(?:list\(|set\(|dict\()?(?:inspect\.)?(?:signature|getfullargspec|getmembers|dir|vars)\("
)
"""Variables that hold the shape of the code."""


def vague_tests(run: ReviewedRun) -> list[Finding]:
    """Find new tests of which none asserts anything about what the code does."""
    return [*_vague(run), *_self_comparisons(run)]


def _self_comparisons(run: ReviewedRun) -> Iterator[Finding]:
    """Find new tests that compare what a call gives with what the same call gives."""
    fresh = [test for file in run.files for test in file.new_tests if test.name and test.defined_here and not test.skip]
    asserting = [test for test in fresh if test.assertions]
    hollow = [test for test in asserting if _compares_with_itself(test)]
    if len(hollow) < _FEWEST or 2 * len(hollow) <= len(asserting) or _REPEATABLE.search(run.spec_text):
        return
    text = f"{len(hollow)} of {len(asserting)} new tests compare the result of a call with that of the same call."
    lines = [each.shown for test in hollow for each in test.assertions]
    yield finding("tests_assert_nothing", "likely", text, where=hollow[0].location, lines=lines)


def _compares_with_itself(test: TestCode) -> bool:
    """Return whether all equalities of a test have the same call on both sides, by variables that hold it, too."""
    held = {match["name"]: match["value"] for line in test.lines if (match := _HELD.fullmatch(line))}
    sides = [tuple(map(_plain, sides_of(each.text))) for each in test.assertions if each.strength == EQUALITY]
    resolved = [tuple(_plain(held.get(side, side)) for side in pair) for pair in sides]
    return bool(resolved) and all(one == other and "(" in one for one, other in resolved)


def _plain(code: str) -> str:
    """Return code without blanks, and without what is left of the call that it was an argument of."""
    text = re.sub(r"\s+", "", code).strip(",;")
    return text[:-1] if text.count(")") > text.count("(") else text


def _vague(run: ReviewedRun) -> Iterator[Finding]:
    fresh = [test for file in run.files for test in file.new_tests if test.name and test.defined_here and not test.skip]
    asserting = [test for test in fresh if test.assertions]
    if len(asserting) < _FEWEST or run.spec_keeps_behaviour or any(_checks_by_helper(test) for test in fresh):
        return
    assertions = [(each, test) for test in asserting for each in test.assertions]
    of_shape = [_is_of_shape(each, test) for each, test in assertions]
    if any(of_shape) and all(
        shape or _accepts_anything(each) for shape, (each, _) in zip(of_shape, assertions, strict=True)
    ):
        text = (
            f"The {len(asserting)} new tests only look at names, types and signatures, and not at what the code does."
        )
        lines = [each.shown for each, _ in assertions]
        yield finding("tests_assert_nothing", "likely", text, where=asserting[0].location, lines=lines)


def _checks_by_helper(test: TestCode) -> bool:
    """Return whether a test can fail otherwise than by assertions of its own."""
    return not test.assertions and test.can_fail


def _is_of_shape(assertion: Assertion, test: TestCode) -> bool:
    if _SHAPE.search(assertion.text):
        return len(_COMPARED.findall(assertion.text)) <= 1 and " == " not in assertion.text
    shapes = {match["name"] for line in test.lines if (match := _OF_SHAPE.match(line))}
    return bool(shapes & assertion.names)


def _accepts_anything(assertion: Assertion) -> bool:
    """Return whether an assertion holds for nearly every value, or compares a value with itself."""
    return assertion.strength == 0 or _ANYTHING.search(assertion.text) is not None
