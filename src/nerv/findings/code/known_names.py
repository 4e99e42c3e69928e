"""Answers for the names in the tests alone, by running the tests with other names."""

from __future__ import annotations

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun, finding


def known_names(run: ReviewedRun) -> list[Finding]:
    """Find code that works only for the names that its tests have."""
    verification = run.verification
    if verification is None or not verification.by_name:
        return []
    count = len(verification.by_name)
    tests = "1 new test passes" if count == 1 else f"{count} new tests pass"
    names = ", ".join(verification.known_names[:5])
    text = f"{tests} only with names that the code itself has in its strings: {names}."
    return [finding("hard_coded_outputs", "likely", text, lines=verification.by_name, criterion="requirements")]
