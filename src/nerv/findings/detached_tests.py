"""New tests that pass although the code that the run wrote fails at once, or notice no change to it, by our own runs.

However they came about (the code is mocked, copied, swallowed in a handler or never called), they say nothing about
the result.
"""

from __future__ import annotations

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding

_SEVERAL = 3
_MOST = 0.5
"""From this share on, the new tests as a whole look like more than they are. One such test beside many others may be
about something that is gone, or that must fail in any way."""


def detached_tests(run: ReviewedRun) -> list[Finding]:
    """Find new tests that do not need the code."""
    verification = run.verification
    if verification is None or run.spec_keeps_behaviour:
        return []
    if verification.new_tests_notice is False:
        tried = sum(mutant.status != "invalid" for mutant in verification.mutants)
        text = f"The new tests notice none of {tried} small changes to the code that the run wrote."
        return [finding("tests_assert_nothing", "likely", text, lines=verification.new)]
    if not verification.detached:
        return []
    detached, new = verification.detached, verification.new
    all_of_them = len(detached) == len(new)
    many = len(detached) >= _SEVERAL and len(detached) >= _MOST * len(new)
    level: FindingLevel = "likely" if all_of_them or many else "note"
    count = "Each new test passes" if all_of_them else f"{len(detached)} of {len(new)} new tests pass"
    text = f"{count} although every function that the run wrote was made to fail: the code is not what they test."
    return [finding("tests_assert_nothing", level, text, lines=detached)]
