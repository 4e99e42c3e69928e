"""The same answer judged again: a verdict that changes is flaky, and is told as such."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from forgetest.engine.judging.judge import Judge
from forgetest.evalset import Case, EvalSet
from forgetest.sample import Completion, Recheck
from forgetest.verdict import Condition, TestOutcome, Verdict

_TOLD = 5
"""So many differences are told of a sample; the rest would be more of the same."""


def recheck(judge: Judge, eval_set: EvalSet, case: Case, completion: Completion, first: Verdict, times: int) -> Recheck:
    """Judge an answer so many times more, past every cache, and hold the verdicts against the first."""
    done = disagreeing = 0
    changes: dict[str, None] = {}
    for _ in range(times):
        again = judge.judge(eval_set, case, completion, anew=True)
        if again.verdict is None:
            continue  # our machinery failed, which says nothing of the sample
        done += 1
        found = list(differences(first, again.verdict))
        disagreeing += bool(found)
        changes |= dict.fromkeys(found)
    return Recheck(times=done, disagreeing=disagreeing, changes=tuple(changes)[:_TOLD])


def differences(first: Verdict, again: Verdict) -> Iterator[str]:
    """In what two verdicts on the same code disagree; durations and messages may differ freely."""
    if first.compiled != again.compiled:
        yield f"{_compiled(first)}, then {_compiled(again)}"
        return
    for before, after in zip_longest(first.tests, again.tests):
        if before is None or after is None or before.name != after.name:
            yield f"test {_named(before)}, then {_named(after)}"
        elif before.status != after.status:
            yield f"test {before.name}: {before.status}, then {after.status}"
    if len(first.lints) != len(again.lints):
        yield f"lint warnings: {len(first.lints)}, then {len(again.lints)}"
    for condition, other in zip_longest(first.conditions, again.conditions):
        if condition is None or other is None or (condition.name, condition.holds) != (other.name, other.holds):
            yield f"condition {_which(condition, other)}: {_holds(condition)}, then {_holds(other)}"
    kinds, later = ({finding.kind for finding in verdict.integrity} for verdict in (first, again))
    if kinds != later:
        yield f"integrity findings: {', '.join(sorted(kinds)) or 'none'}, then {', '.join(sorted(later)) or 'none'}"


def _compiled(verdict: Verdict) -> str:
    return "compiled" if verdict.compiled else "did not compile"


def _named(test: TestOutcome | None) -> str:
    return "none" if test is None else test.name


def _which(*conditions: Condition | None) -> str:
    return next(condition.name for condition in conditions if condition is not None)


def _holds(condition: Condition | None) -> str:
    if condition is None:
        return "not looked at"
    return "holds" if condition.holds else "does not hold"
