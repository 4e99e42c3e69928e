"""The page's headline: whether the tests pass, and how that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerv.evidence import TestSuiteRun
from nerv.renderers.page.html import quantity
from nerv.rules.run_facts import RunFacts
from nerv.scorecard.score_report import ScoreReport
from nerv.verification.result import Verification

_MOST_NAMES = 5

Basis = Literal["verified", "recorded", "claimed", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The result of the tests in one line, with its basis and what stands behind it."""

    basis: Basis
    """`verified`: nerv ran the tests. `recorded`: the log shows a run. `claimed`: only the agent says so."""
    passed: bool | None
    title: str
    details: tuple[str, ...] = ()


def headline(report: ScoreReport, facts: RunFacts | None) -> Headline:
    """Return what is known of the tests: verified outranks recorded, recorded outranks claimed."""
    if facts is None:
        return Headline(basis="unknown", passed=None, title="Nothing was tested: this is a mock score")
    if facts.evidence.nothing_to_grade:
        reason = _sentence(facts.evidence.nothing_to_grade)
        return Headline(basis="unknown", passed=None, title="Nothing to grade", details=(reason,))
    verification = report.verification
    if verification is not None and verification.verified is not None:
        return _verified(verification)
    if verification is not None and verification.rest_is_verified:
        old = quantity(len(verification.disputed), "older test")
        title = f"The tests pass as the run left them; whether {old} had to go is open"
        return Headline(basis="verified", passed=None, title=title, details=tuple(_passing_details(verification)))
    not_verified = _why_not_verified(verification)
    tests = facts.tests
    if tests.outdated and tests.last is not None:
        title = "The tests passed, but the code was edited after that"
        details = (f"Command: {tests.last.command[:200]}", not_verified)
        return Headline(basis="recorded", passed=None, title=title, details=details)
    if tests.last is not None:
        return _recorded(tests.widest if tests.passed and tests.widest else tests.last, tests.claimed, not_verified)
    if tests.unrelated is not None:
        details = (f"Command: {tests.unrelated.command[:200]}", not_verified)
        return Headline(basis="recorded", passed=None, title="No test run covers the change", details=details)
    if tests.not_started is not None:
        details = (f"Command: {tests.not_started.command[:200]}", not_verified)
        return Headline(basis="recorded", passed=None, title="The tests could not be run", details=details)
    if tests.claimed is not None or any(finding.kind == "false_claim" for finding in report.findings):
        title = "The agent says that the tests pass; no run of them is recorded"
        return Headline(basis="claimed", passed=None, title=title, details=(not_verified,))
    if facts.changed_only_documents:
        title = "Only documents were changed, which tests cannot run"
    elif facts.records("tests"):
        title = "No test run is recorded, so nobody knows whether it works"
    else:
        title = "Unknown: this kind of log does not record test runs"
    return Headline(basis="unknown", passed=None, title=title, details=(not_verified,))


def _verified(verification: Verification) -> Headline:
    if verification.verified:
        return Headline(
            basis="verified", passed=True, title="The tests pass", details=tuple(_passing_details(verification))
        )
    if verification.forged:
        title = "The result tampers with its tests: one that must fail was not reported as failed"
    elif verification.builds is False:
        title = "The result does not build"
    elif verification.accepted is False:
        title = "The acceptance tests fail"
    elif verification.broken:
        title = f"The change breaks {quantity(len(verification.broken), 'test')} that passed before"
    elif verification.wrong_examples and not verification.failing:
        title = f"The result contradicts {quantity(len(verification.wrong_examples), 'example')} of the spec"
    else:
        title = f"{quantity(len(verification.failing), 'test')} {'fails' if len(verification.failing) == 1 else 'fail'}"
    return Headline(basis="verified", passed=False, title=title, details=tuple(_failing_details(verification)))


def _passing_details(verification: Verification) -> list[str]:
    details = _suite_details(verification)
    for names, text in (
        (verification.shown, "Failed before the change and pass now, which shows that the change does something"),
        (verification.disputed, "Fail as they were, and were changed or replaced"),
        (verification.notable_idle, "Passed before the change, too, and prove nothing about it"),
        (verification.detached, "Pass although the code was made to fail, and do not test it"),
        (verification.watched, "Fail where nothing shows that they are tests"),
        (verification.switched_off, "Skipped by a variable of the environment, and fail with it"),
        (verification.silent, "Pass although every comparison in the tests was made to fail"),
        (verification.doubled, "Fail once the run's code is where they have put a double of it"),
        (verification.removed, "Would pass, but were deleted or are skipped by the run"),
    ):
        if names:
            details.append(f"{text}: {_names(names)}")
    held = [example.call for example in verification.examples if example.status == "holds"]
    if held:
        details.append(f"Examples of the spec that hold: {', '.join(held[:_MOST_NAMES])}")
    tried = sum(mutant.status != "invalid" for mutant in verification.mutants)
    if tried:
        noticed = tried - len(verification.survivors)
        details.append(
            f"Of {quantity(tried, 'small change')} to the new code that nerv tried, the tests notice {noticed}"
        )
    return details


def _failing_details(verification: Verification) -> list[str]:
    details = [suite.problem for suite in verification.suites if suite.broken_build and suite.problem]
    details += [f"Example of the spec: {example}" for example in verification.wrong_examples[:_MOST_NAMES]]
    for names, text in (
        (verification.broken, "Passed before the change and now fail or are gone"),
        (verification.rewritten, "Of these, the run has rewritten to pass"),
        (verification.removed, "Would pass, but were deleted or are skipped by the run"),
        (verification.failing, "New or changed tests that fail"),
    ):
        if names:
            details.append(f"{text}: {_names(names)}")
    return details + _suite_details(verification)


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_MOST_NAMES]) + (
        f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    )
    return f"{quantity(len(names), 'test')} ({shown})"


_SUITES = {
    "base": "Tests from before the change",
    "changed": "Tests as the run left them",
    "acceptance": "Acceptance tests",
}


def _suite_details(verification: Verification) -> list[str]:
    details = []
    for suite in verification.suites:
        if suite.tree != "result" or not suite.outcomes:
            continue
        skipped = suite.count("skipped")
        note = f", {skipped} skipped" if skipped else ""
        counts = f"{suite.count('passed')} of {len(suite.outcomes)} passed{note}"
        where = f" in {suite.project}" if suite.project else ""
        details.append(f"{_SUITES[suite.source]}{where}: {counts} ({suite.command[:200]})")
    return details


def _recorded(run: TestSuiteRun, claim: TestSuiteRun | None, not_verified: str) -> Headline:
    counts = "" if run.passed is None else f": {run.passed} passed, {run.failed or 0} failed"
    details = []
    if run.command:
        details.append(f"Command: {run.command[:200]}")
    if run.succeeded:
        title = f"The tests passed when the agent last ran them{counts}"
    else:
        title = f"The tests failed when the agent last ran them{counts}"
        if claim is not None:
            details.append("The agent claims that they pass.")
    return Headline(basis="recorded", passed=run.succeeded, title=title, details=(*details, not_verified))


def _why_not_verified(verification: Verification | None) -> str:
    if verification is None:
        return "nerv did not run the tests itself; with a repository (--repo) it can."
    reason = verification.skipped or next(iter(verification.problems), "")
    return f"Not verified by nerv: {reason}" if reason else "nerv found no test that it could run itself."


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""
