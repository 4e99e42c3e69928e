"""A verdict in lines of plain text."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest.verdict import Diagnostic, TestOutcome, Verdict


def errors(verdict: Verdict) -> Iterator[str]:
    """Yield the compiler's errors, each with its line."""
    for error in verdict.errors:
        place = f" (line {error.spans[0].line_start})" if error.spans else ""
        yield f"{remark(error)}{place}"


def remark(diagnostic: Diagnostic) -> str:
    """Return the first line of a diagnostic, as compilers print it."""
    code = f"[{diagnostic.code}]" if diagnostic.code else ""
    return f"{diagnostic.level}{code}: {diagnostic.message}"


def failed_tests(verdict: Verdict) -> Iterator[TestOutcome]:
    """Return the tests that ran and are not proved to have passed; none if the code does not compile."""
    return (test for test in verdict.tests if test.status == "failed" and verdict.compiled)


def failure(test: TestOutcome) -> str:
    """Return the name of a failed test, and why it failed."""
    return f"{test.name}: {test.message or 'not proved to have passed'}"
