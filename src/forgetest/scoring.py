"""Verdict → Score, and the reasons why a sample is not correct."""

from __future__ import annotations

import functools
from dataclasses import replace

from forgetest.evalset import Expectations, Weights
from forgetest.sample import Score
from forgetest.verdict import NOT_LINTED, Finding, Verdict

NO_CODE = Score(compilation=0.0, tests=0.0, lint=0.0, overall=0.0)
"""The score of a refusal, and of an answer that is empty, without code, or cut off."""


def score(verdict: Verdict, expectations: Expectations, weights: Weights) -> Score:
    """Return the score of a verdict."""
    if not expectations.should_compile:
        rejected = 0.0 if verdict.compiled else 1.0
        return Score(compilation=rejected, tests=rejected, lint=rejected, overall=rejected)
    if not verdict.compiled:
        return NO_CODE
    tests = test_rate(verdict) if expectations.should_pass_tests else 1.0
    return of_compiled(tests, len(verdict.lints), weights)


@functools.lru_cache(maxsize=4096)  # samples have few different scores, and each is scored for every report format
def of_compiled(tests: float, warnings: int, weights: Weights) -> Score:
    """Return the score of code that compiles, by the formula."""
    lint = max(0, 10 - warnings) / 10
    overall = weights.compilation + weights.tests * tests + weights.lint * lint
    # rounding hides floating-point noise: 0.4 + 0.5 + 0.1 must be 1.0, whatever the weights' last bits
    return Score(compilation=1.0, tests=tests, lint=lint, overall=round(overall, 12))


def test_rate(verdict: Verdict) -> float:
    """Return passed / (passed + failed), or 0.0 where no test counts."""
    statuses = [test.status for test in verdict.tests]
    passed, failed = statuses.count("passed"), statuses.count("failed")
    return passed / (passed + failed) if passed + failed else 0.0


def with_policy(verdict: Verdict, expectations: Expectations) -> Verdict:
    """Return the verdict with `forbids` of each finding set by the case's policy."""
    if not verdict.integrity:
        return verdict
    return replace(verdict, integrity=tuple(_with_policy(finding, expectations) for finding in verdict.integrity))


def _with_policy(finding: Finding, expectations: Expectations) -> Finding:
    if finding.is_about == "unsafe":
        return replace(finding, forbids=expectations.unsafe_code == "forbidden")
    if finding.is_about == "foreign":
        return replace(finding, forbids=expectations.unsafe_code != "allowed")
    if finding.kind == NOT_LINTED:
        return replace(finding, forbids=expectations.max_lint_warnings is not None)
    return finding


def shortcomings(verdict: Verdict, expectations: Expectations) -> list[str]:
    """Return the reasons why the sample is not correct; empty if it is."""
    integrity = with_policy(verdict, expectations).integrity
    found = [f"integrity: {finding.kind}: {finding.detail}" for finding in integrity if finding.forbids]
    if not expectations.should_compile:
        return [*(["it compiles, and must not"] if verdict.compiled else []), *found]
    if not verdict.compiled:
        first = verdict.errors[0].message if verdict.errors else "no error given"
        return [f"does not compile: {first}", *found]
    if expectations.should_pass_tests:
        counted = [test for test in verdict.tests if test.status != "ignored"]
        failed = [test.name for test in counted if test.status == "failed"]
        if not counted:
            found.append("no test ran")
        elif failed:
            tests = "test" if len(counted) == 1 else "tests"
            found.append(f"{len(failed)} of {len(counted)} {tests} failed: {', '.join(failed[:5])}")
    found += [f"{c.name}: {c.detail}" if c.detail else c.name for c in verdict.conditions if not c.holds]
    allowed = expectations.max_lint_warnings
    if allowed is not None and len(verdict.lints) > allowed:
        found.append(f"{len(verdict.lints)} lint warnings, at most {allowed} allowed")
    return found
