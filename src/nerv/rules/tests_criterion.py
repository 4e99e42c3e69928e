"""The `tests` criterion: tests for what was built, and the result of their last recorded run."""

from __future__ import annotations

from nerv.evidence import TestSuiteRun
from nerv.rules.criterion import at, count, no_evidence, not_recorded, scored
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Certainty, Criterion, Observation
from nerv.verification.result import LEAST_NOTICED

_COVERAGE_SHARE, _PASSING_SHARE = 0.6, 0.4
"""Shares of the figure: tests can be written without being run, so coverage counts a little more than the last run."""
_ITEMS_WORTH_TESTING = 0.6
"""Much of a spec (appearance, documentation, setup) is not for unit tests: tests for 60% of the items are enough."""
_CASES_TRIED_BY_CHANCE, _CASES_WORTH_TESTING = 0.5, 0.8
"""Where our own runs show the change, it counts how many of the stated cases tests try: by their words, half of
them seem to be tried whatever the tests are, and 80% of them by very good ones. That tells right results from wrong
ones with green tests better than the number of items (AUC 0.63 and 0.59 on 259 runs, on which it was tuned)."""
_WORDS_TELL = 0.1
"""Least share of tried cases: below it, spec and tests have hardly a word in common, and words tell nothing."""
_COUNTED_TESTS_CREDIT = 0.5
"""Credit for passing tests whose code is not available: only their number is known."""
_COVERAGE_BY_OUR_RUNS = 0.5
"""Least coverage where our own runs show that tests fail without the change: what they are about is told by words."""
_FAILING_CREDIT = 0.5
"""Factor for pass rate and coverage while the deciding run failed: tests that all fail keep half of their coverage."""
_CLAIMED_PASS = 0.25
"""Credit for a pass that only the run itself claims: less than half of a recorded one."""
_IN_DOUBT = 0.5
"""Credit for a pass where some old test was changed or replaced and nobody knows whether it had to be."""
_RUNS_ALONE_AT_MOST = 7
"""Limit where only the runs are known, and not what the tests are about."""
_FALSE_CLAIM = -0.15
"""Penalty for a claim that the record contradicts: worse than no claim."""


def score_tests(facts: RunFacts) -> Criterion:
    """Score which items have tests, and whether these are recorded to pass."""
    tests = facts.tests
    if not facts.has_code and not facts.records("tests") and tests.verified is None:
        return not_recorded("tests", "this kind of source contains neither code nor test runs.")
    if not tests.count and tests.last is None and tests.claimed is None and facts.changed_only_documents:
        return not_recorded("tests", "the session changed only documents, which tests cannot run.")
    if not tests.count and tests.last is None and tests.claimed is None:
        runs = "no test run is recorded" if tests.not_started is None else "the tests could not be run"
        reason = f"the code contains no tests, and {runs}." if _code_is_seen(facts) else f"{runs}."
        return no_evidence("tests", reason, _observations(facts))
    if not tests.count and not _code_is_seen(facts):  # half of the criterion is not looked at: the other half decides
        return scored(
            "tests",
            max(0.0, _passing(facts)),
            f"The code of the tests is not looked at; {_last_run_text(facts)}.",
            observations=_observations(facts),
            certainty=_certainty(facts),
            at_most=_RUNS_ALONE_AT_MOST,
        )
    return scored(
        "tests",
        _COVERAGE_SHARE * _coverage(facts) + _PASSING_SHARE * _passing(facts),
        f"{_tests_text(facts)}; {_last_run_text(facts)}.",
        observations=_observations(facts),
        certainty=_certainty(facts),
    )


def _code_is_seen(facts: RunFacts) -> bool:
    """Return whether tests in the code would have been found: it is at hand, and in languages with a parser."""
    return facts.has_code and not facts.inspection.unparsed


def _coverage(facts: RunFacts) -> float:
    """Return the share of the spec that tests cover, reduced while their runs fail."""
    tests = facts.tests
    items = max(1, len(facts.evidence.spec.items))
    if tests.shows_change and (tests.tried_share or 0.0) >= _WORDS_TELL:
        assert tests.tried_share is not None
        counted = (tests.tried_share - _CASES_TRIED_BY_CHANCE) / (_CASES_WORTH_TESTING - _CASES_TRIED_BY_CHANCE)
        return min(1.0, max(0.0, counted)) * _noticing(facts)
    coverage = min(1.0, len(tests.covered) / items / _ITEMS_WORTH_TESTING) * _noticing(facts)
    if tests.shows_change:
        coverage = max(coverage, _COVERAGE_BY_OUR_RUNS)
    if tests.passed and tests.widest is not None:
        counted = min(1.0, (tests.widest.passed or 0) / items)
        return max(coverage, _COUNTED_TESTS_CREDIT * counted * _noticing(facts))
    runs_are_known = tests.pass_rate is not None or facts.records("tests")
    if not tests.passed and runs_are_known:  # a missing record must not be better than a failure
        coverage *= (1 + (tests.pass_rate or 0.0)) * _FAILING_CREDIT
    return coverage


def _noticing(facts: RunFacts) -> float:
    """Return the factor for tests that miss most changes to the code: they cover it by name only."""
    return (facts.tests.noticed_share or 0.0) / LEAST_NOTICED if facts.tests.misses_changes else 1.0


def _passing(facts: RunFacts) -> float:
    """Return the credit for the last run: 1 if it passed, below 0 if the record contradicts a claimed pass."""
    tests = facts.tests
    if tests.passed:
        return _IN_DOUBT if tests.disputed else 1.0
    if tests.claimed is not None:
        return _CLAIMED_PASS if tests.pass_rate is None or tests.outdated else _FALSE_CLAIM
    return (tests.pass_rate or 0.0) * _FAILING_CREDIT


def _certainty(facts: RunFacts) -> Certainty:
    if facts.tests.verified is not None:
        return "verified"
    if facts.tests.pass_rate is not None:
        return "recorded"
    return "claimed" if facts.tests.claimed is not None else "inferred"


def _observations(facts: RunFacts) -> list[Observation]:
    tests, claim = facts.tests, facts.tests.claimed
    observations = []
    if tests.widest is not None:
        observations.append(at(_run_text(tests.widest), tests.widest.moment))
    if tests.unrelated is not None:
        text = f"covers nothing that was changed: {tests.unrelated.command[:80]}"
        observations.append(at(text, tests.unrelated.moment))
    if tests.not_started is not None:
        command = tests.not_started.command[:80]
        observations.append(at(f"the tests could not be run: {command}", tests.not_started.moment))
    if claim is not None and not tests.passed:
        contradicted = tests.pass_rate is not None and not tests.outdated
        kind = "a claim that the record contradicts" if contradicted else "a claim without a recorded run"
        observations.append(at(f"{kind}: {_run_text(claim)}", claim.moment))
    return [*observations, *(tests.covered[index] for index in sorted(tests.covered))]


def _tests_text(facts: RunFacts) -> str:
    if not facts.tests.count:
        return "The code contains no test that can fail"
    items = count(max(1, len(facts.evidence.spec.items)), "item")
    tests = count(facts.tests.count, "test that can fail", "tests that can fail")
    return f"{tests}, covering {len(facts.tests.covered)} of {items}"


def _run_text(run: TestSuiteRun) -> str:
    counts = "" if run.passed is None else f" ({run.passed} passed, {run.failed or 0} failed)"
    command = f": {run.command[:80]}" if run.command else ""
    return f"{'passed' if run.succeeded else 'failed'}{counts}{command}"


def _noticed_text(facts: RunFacts) -> str:
    share = facts.tests.noticed_share
    return "" if share is None else f", and notice {share:.0%} of small changes to the new code"


def _last_run_text(facts: RunFacts) -> str:
    tests = facts.tests
    if tests.verified is not None:
        passing = f"they pass in nerv's own run{_noticed_text(facts)}"
        if tests.disputed:
            old = count(tests.disputed, "older one")
            passing += f"; whether {old} had to be changed or replaced is not known"
        return passing if tests.verified else tests.why_rejected
    if tests.last is not None and tests.last.acceptance:
        return f"the benchmark's own tests {'pass' if tests.last.succeeded else 'fail'}"
    if tests.passed:
        return "the last recorded run passed"
    if tests.outdated:
        return "the last recorded run passed, but the code was edited after it"
    if tests.last is not None:
        claim = ", though the run claims otherwise" if tests.claimed else ""
        return f"a recorded run failed, and no later one repaired it{claim}"
    if tests.unrelated is not None:
        return "no recorded run covers the change"
    if tests.not_started is not None:
        return "the tests could not be run"
    return "no run is recorded" if tests.claimed is None else "a run is claimed, but none is recorded"
