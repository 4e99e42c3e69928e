"""Judging the same sample again: a verdict that changes is flaky."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest

from forgetest.sample import Recheck
from forgetest.verdict import Condition, TestOutcome, Verdict

_MOST_CHANGES = 5
"""Differences that are recorded for a sample; the rest would be more of the same."""


def recheck(judge_again: Callable[[], Verdict | None], first: Verdict, times: int) -> Recheck:
    """Judge a sample `times` more, and compare each verdict with the first."""
    done = disagreeing = 0
    changes: dict[str, None] = {}
    for _ in range(times):
        again = judge_again()
        if again is None:
            continue  # our machinery failed, which says nothing about the sample
        done += 1
        found = list(differences(first, again))
        disagreeing += bool(found)
        changes |= dict.fromkeys(found)
    return Recheck(times=done, disagreeing=disagreeing, changes=tuple(changes)[:_MOST_CHANGES])


def differences(first: Verdict, again: Verdict) -> Iterator[str]:
    """Describe the differences between two verdicts on the same code; durations and messages may differ freely."""
    if first.compiled != again.compiled:
        yield f"{_compilation_text(first)}, then {_compilation_text(again)}"
        return
    for before, after in zip_longest(first.tests, again.tests):
        if before is None or after is None or before.name != after.name:
            yield f"test {_test_name(before)}, then {_test_name(after)}"
        elif before.status != after.status:
            yield f"test {before.name}: {before.status}, then {after.status}"
    if len(first.lints) != len(again.lints):
        yield f"lint warnings: {len(first.lints)}, then {len(again.lints)}"
    for condition, other in zip_longest(first.conditions, again.conditions):
        if condition is None or other is None or (condition.name, condition.holds) != (other.name, other.holds):
            name, before_state, after_state = _condition_name(condition, other), _state(condition), _state(other)
            yield f"condition {name}: {before_state}, then {after_state}"
    kinds, later = ({finding.kind for finding in verdict.integrity} for verdict in (first, again))
    if kinds != later:
        yield f"integrity findings: {', '.join(sorted(kinds)) or 'none'}, then {', '.join(sorted(later)) or 'none'}"


def _compilation_text(verdict: Verdict) -> str:
    return "compiled" if verdict.compiled else "did not compile"


def _test_name(test: TestOutcome | None) -> str:
    return "none" if test is None else test.name


def _condition_name(*conditions: Condition | None) -> str:
    return next(condition.name for condition in conditions if condition is not None)


def _state(condition: Condition | None) -> str:
    if condition is None:
        return "not checked"
    return "holds" if condition.holds else "does not hold"
