"""What was observed of a sample, line by line, as plain-text formats tell it."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest.verdict import Diagnostic, TestOutcome, Verdict


def errors(verdict: Verdict) -> Iterator[str]:
    """What the compiler says against it, each with its line."""
    for error in verdict.errors:
        place = f" (line {error.spans[0].line_start})" if error.spans else ""
        yield f"{remark(error)}{place}"


def remark(diagnostic: Diagnostic) -> str:
    """A diagnostic as compilers print its first line."""
    code = f"[{diagnostic.code}]" if diagnostic.code else ""
    return f"{diagnostic.level}{code}: {diagnostic.message}"


def failed_tests(verdict: Verdict) -> Iterator[TestOutcome]:
    """The tests that ran and are not proved to have passed; code that does not compile fails them all alike."""
    return (test for test in verdict.tests if test.status == "failed" and verdict.compiled)


def failure(test: TestOutcome) -> str:
    """A failed test and why."""
    return f"{test.name}: {test.message or 'not proved to have passed'}"
