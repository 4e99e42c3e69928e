"""Efficiency: tokens, cost, compactions and time, each for a completed item of the spec."""

from __future__ import annotations

from collections.abc import Callable

from nerv.evidence import TokenUsage
from nerv.rules.criterion import at, count, no_evidence, not_recorded, scored, tallied
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion, Observation

_CACHE_READ = 0.1
_UNTOLD_COMPACTIONS_AT_MOST = 8
_MINUTE_MS = 60_000


def criteria(facts: RunFacts) -> tuple[Criterion, ...]:
    """Score the four criteria."""
    return (_score_tokens(facts), _score_cost(facts), _score_compaction(facts), _score_speed(facts))


def _score_tokens(facts: RunFacts) -> Criterion:
    if not facts.records("tokens"):
        return not_recorded("tokens", "this kind of source counts no tokens.")
    usage = facts.evidence.resources.usage
    if usage.tokens is None:
        return no_evidence("tokens", "no token is counted anywhere.")
    if missing := _tasks_without_figure(facts, lambda used: used.tokens is not None):
        return no_evidence("tokens", f"{missing}, so that what the run took is not known.")
    if not facts.completed_items:
        return _score_without_result("tokens", f"{usage.tokens:,} tokens", usage)
    counted = usage.tokens - (1 - _CACHE_READ) * (usage.cache_read_tokens or 0)
    each = counted / facts.completed_items
    return scored(
        "tokens",
        each,
        f"{each:,.0f} tokens for each of {count(round(facts.completed_items, 1), 'completed item')}.",
        observations=[
            at(f"{usage.tokens:,} tokens, {usage.cache_read_tokens or 0:,} of them read from the cache", usage.location)
        ],
    )


def _score_cost(facts: RunFacts) -> Criterion:
    if not facts.records("cost"):
        return not_recorded("cost", "this kind of source knows no prices.")
    usage = facts.evidence.resources.usage
    if usage.cost_usd is None:
        return no_evidence("cost", "no cost is told anywhere.")
    if missing := _tasks_without_figure(facts, lambda used: used.cost_usd is not None):
        return no_evidence("cost", f"{missing}, so that what the run cost is not known.")
    if not facts.completed_items:
        return _score_without_result("cost", f"${usage.cost_usd:.2f}", usage)
    each = usage.cost_usd / facts.completed_items
    said = "estimated from list prices" if usage.cost_is_estimated else "as the run tells it"
    return scored(
        "cost",
        each,
        f"${each:.2f} for each of {count(round(facts.completed_items, 1), 'completed item')}.",
        observations=[at(f"${usage.cost_usd:.2f} in all, {said}", usage.location)],
        certainty="inferred" if usage.cost_is_estimated else "recorded",
    )


def _tasks_without_figure(facts: RunFacts, known: Callable[[TokenUsage], bool]) -> str:
    """Say how many finished tasks lack a figure where the total is the sum over tasks: then the total is not known."""
    if facts.evidence.resources.usage.location is not None or not any(
        known(task.usage) for task in facts.evidence.workflow.tasks
    ):
        return ""
    without = [task for task in facts.finished_tasks if not known(task.usage)]
    return (
        f"{count(len(without), 'finished task')} of {len(facts.finished_tasks)} tell no such figure" if without else ""
    )


def _score_without_result(key: str, spent: str, usage: TokenUsage) -> Criterion:
    return scored(
        key, float("inf"), f"{spent}, and no item of the spec was completed.", observations=[at(spent, usage.location)]
    )


def _score_compaction(facts: RunFacts) -> Criterion:
    if not facts.records("compactions"):
        return not_recorded("compaction", "this kind of source does not show compactions.")
    evidence = facts.evidence
    compactions = max(evidence.resources.compactions.count, sum(task.compactions for task in evidence.workflow.tasks))
    if (
        not compactions
        and not evidence.resources.compactions_counted
        and evidence.resources.usage.tokens is None
        and not evidence.activity.sessions
    ):
        return no_evidence("compaction", "no session is recorded in which one could have been seen.")
    observations: list[Observation] = tallied(evidence.resources.compactions, "the context was compacted", most=5)
    if not facts.completed_items:
        reason = f"{count(compactions, 'compaction')}, and no item of the spec was completed."
        return scored("compaction", float("inf"), reason, observations=observations)
    each = compactions / facts.completed_items
    told = evidence.resources.compactions_counted
    reason = f"{count(compactions, 'compaction')} in {count(round(facts.completed_items, 1), 'completed item')}"
    return scored(
        "compaction",
        each,
        f"{reason}." if told else f"{reason}; no source says how many there were.",
        observations=observations,
        certainty="recorded" if told else "inferred",
        at_most=10 if told else _UNTOLD_COMPACTIONS_AT_MOST,
    )


def _score_speed(facts: RunFacts) -> Criterion:
    if not facts.records("time"):
        return not_recorded("speed", "this kind of source has no clock.")
    working = facts.evidence.resources.working_ms
    if working is None:
        return no_evidence("speed", "nothing tells how long anybody worked.")
    minutes = working / _MINUTE_MS
    if not facts.completed_items:
        return scored("speed", float("inf"), f"{minutes:.0f} minutes, and no item of the spec was completed.")
    each = minutes / facts.completed_items
    longest = sorted(
        (task for task in facts.evidence.workflow.tasks if task.working_ms is not None),
        key=lambda task: (-(task.working_ms or 0), task.id),
    )
    return scored(
        "speed",
        each,
        f"{each:.1f} minutes of work for each of {count(round(facts.completed_items, 1), 'completed item')}.",
        observations=[
            at(f"{(task.working_ms or 0) / _MINUTE_MS:.0f} minutes: {task.title or task.id}", task.location)
            for task in longest[:3]
        ],
    )
