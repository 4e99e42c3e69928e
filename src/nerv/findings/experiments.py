"""Experiments that decide findings: text only raises a suspicion where our own runs can show that it is wrong.

A finding that rests on the text of code, of tests or of the agent's words, and that one of these experiments
contradicts, is a note. Findings about what a run did (hooks, history, the network, graders, printed success) and those
that an experiment made are left alone, and so is everything where the experiment could not be run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun
from nerv.verification.result import LEAST_NOTICED, Verification

Experiment = Callable[[Finding, Verification], bool]
"""Returns whether our own runs show that a suspicion is wrong."""

_FEWEST_CHANGES = 4
_MOST_NOTICED = 0.8
_FEWEST_EXAMPLES = 2
_OF_A_PART = re.compile(r", a part of | takes \w+, | takes the option ")
_PLAIN_NAME = re.compile(r"(?:\w+(?:\.|::))*(\w+)\(")


def weigh(finding: Finding, run: ReviewedRun, experiment: Experiment | None) -> Finding:
    """Return a finding, as a note if the experiment was run and says the opposite."""
    verification = run.verification
    if experiment is None or verification is None or finding.level == "note" or verification.known_tests_fail:
        return finding
    if not experiment(finding, verification):
        return finding
    return replace(finding, level="note", text=f"{finding.text} Our own runs show otherwise.")


def base_tests_pass(finding: Finding, verification: Verification) -> bool:
    """Decide what became of existing tests: each that passes on the base passes on the result as it was.

    About a test that the spec outdates, or that failed before, this says nothing if it was made weaker or switched off.
    """
    is_about_outdated = any(f" test {_short(name)} " in finding.text for name in verification.superseded)
    if is_about_outdated and finding.kind in ("weakened_tests", "skipped_tests"):
        return False
    base, result = (
        [suite for suite in verification.suites if suite.source == "base" and suite.tree == tree]
        for tree in ("base", "result")
    )
    passed = {name for suite in result for name in suite.passed} | set(verification.superseded)
    tests = {name: outcome for suite in base for name, outcome in suite.outcomes.items()}
    ran = "passed" in tests.values() and not any(suite.problem for suite in (*base, *result))
    others = {_short(name) for name, outcome in tests.items() if outcome != "passed"}
    named = re.search(r" test (\S+) ", finding.text)
    is_about_others = bool(others) and (named is None or named[1] in others)
    still = all(name in passed for name, outcome in tests.items() if outcome == "passed")
    return ran and still and not is_about_others


def _short(name: str) -> str:
    """Return the name of a test's function."""
    return re.split(r"::| > |/|\.", re.sub(r"\[.*\]$", "", name))[-1]


def new_tests_need_the_code(_: Finding, verification: Verification) -> bool:
    """Decide whether tests test something else: they notice changes to the real code, and none passes without it."""
    noticed = any(mutant.noticed_by_new for mutant in verification.mutants)
    return noticed and not verification.detached and not verification.unheld


def new_tests_notice_changes(_: Finding, verification: Verification) -> bool:
    """Decide whether new tests can fail: they notice enough small changes to the code."""
    return _new_tests_notice(verification, LEAST_NOTICED)


def new_tests_notice_most_changes(_: Finding, verification: Verification) -> bool:
    """Decide about tests that accept any value: nearly every change is noticed, and not only those that crash."""
    return _new_tests_notice(verification, _MOST_NOTICED)


def _new_tests_notice(verification: Verification, least: float) -> bool:
    tried = [mutant for mutant in verification.mutants if mutant.status != "invalid"]
    noticed = sum(mutant.noticed_by_new for mutant in tried)
    return len(tried) >= _FEWEST_CHANGES and noticed >= least * len(tried) and not verification.detached


def tests_pass(_: Finding, verification: Verification) -> bool:
    """Decide whether a claim that tests pass is true, whatever the log has of it."""
    return verification.rest_is_verified is True


def examples_hold(finding: Finding, verification: Verification) -> bool:
    """Decide whether a function does nothing: it gives different values for examples of the spec, and all are right.

    That it ignores something, or lacks a part, they cannot decide.
    """
    calls = [(match[1], each) for each in verification.examples if (match := _PLAIN_NAME.match(each.call))]
    of_it = [each for name, each in calls if re.search(rf"\b{name}\b", finding.text.partition(", ")[2])]
    held = {each.got for each in of_it if each.status == "holds" and each.got not in each.call}
    wrong = any(each.status == "wrong" for each in of_it)
    return len(held) >= _FEWEST_EXAMPLES and not wrong and _OF_A_PART.search(finding.text) is None
