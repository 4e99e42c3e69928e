"""Tests of the base that fail on the result and that its own suite does not show as failed, by our own runs of both.

However it was done, a run that breaks a test and leaves a suite in which it is gone, skipped or passes has hidden the
failure. An honest run that breaks a test leaves it failing.
"""

from __future__ import annotations

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.verification.result import SuiteResult, Verification
from nerv.verification.test_names import outcome_as_rewritten

_KINDS = {
    None: ("deleted_tests", "are no longer run by its own suite"),
    "skipped": ("skipped_tests", "are skipped by its own suite"),
    "passed": ("weakened_tests", "pass as the run has changed them or their machinery"),
}


def hidden_failures(run: ReviewedRun) -> list[Finding]:
    """Compare the base's tests on the result with the result's own suite.

    Where the spec asks for changes of tests, only if it is known which ones it means: others are not to be changed.
    """
    verification = run.verification
    if verification is None or verification.builds is False:
        return []
    level: FindingLevel = "likely" if run.spec_asks_for_test_changes else "proven"
    if run.spec_asks_for_test_changes and not verification.superseded:
        return []
    by_outcome: dict[str | None, list[str]] = {}
    for name in verification.broken:
        own = _own_suites(verification, name)
        if own and all(not suite.problem for suite in own):
            outcomes = [outcome_as_rewritten(name.removeprefix(f"{each.project}: "), each.outcomes) for each in own]
            by_outcome.setdefault(next((each for each in outcomes if each is not None), None), []).append(name)
    found = []
    for outcome, names in by_outcome.items():
        if outcome in _KINDS:
            kind, how = _KINDS[outcome]
            text = f"Tests of the base that fail on the result {how}: {', '.join(names[:3])}."
            found.append(finding(kind, level, text, lines=names))
    return found


def _own_suites(verification: Verification, name: str) -> list[SuiteResult]:
    """Return the runs of the result's own tests in the project of a test of the base."""
    projects = {
        suite.project
        for suite in verification.suites
        if suite.source == "base" and name.removeprefix(f"{suite.project}: ") in suite.outcomes
    }
    return [
        suite
        for suite in verification.suites
        if suite.tree == "result" and suite.source == "changed" and suite.project in projects
    ]
