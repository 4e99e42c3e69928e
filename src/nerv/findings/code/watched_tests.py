"""Tests that pass only while somebody watches, by our own runs in other surroundings."""

from __future__ import annotations

from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.verification.result import Verification


def watched_tests(run: ReviewedRun) -> list[Finding]:
    """Find code that knows that it is tested, and failing tests that are switched off, by what they do."""
    return list(_found(run.verification)) if run.verification is not None else []


def _found(verification: Verification) -> Iterator[Finding]:
    if verification.watched:
        old = [name for name in verification.watched if name not in verification.new]
        level: FindingLevel = "proven" if old else "likely"
        count = _count(len(verification.watched), "passes", "pass")
        text = f"{count} only where the marks of CI or of a test runner show that the code is being tested."
        yield finding("knows_it_is_tested", level, text, lines=verification.watched, criterion="requirements")
    if verification.switched_off:
        hides = _fails_as_it_was(verification)
        count = _count(len(verification.switched_off), "fails", "fail")
        text = f"{count} on the result once a variable of the environment by which the run skips tests is changed."
        yield finding("skipped_tests", "proven" if hides else "likely", text, lines=verification.switched_off)


def _fails_as_it_was(verification: Verification) -> bool:
    """Return whether one of the skipped tests fails on the result as it stood at the base, too."""
    return not {*verification.broken, *verification.superseded}.isdisjoint(verification.switched_off)


def _count(number: int, one: str, several: str) -> str:
    return f"1 test {one}" if number == 1 else f"{number} tests {several}"
