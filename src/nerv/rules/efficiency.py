"""Efficiency: tokens, cost, compactions and time, each per completed item of the spec that is shown to work.

Cheap wrong work is not efficient: completed items that nothing shows to work count half, and limit the score.
"""

from __future__ import annotations

from collections.abc import Callable

from nerv.evidence import TokenUsage
from nerv.rules.criterion import at, count, no_evidence, not_recorded, scored, tallied
from nerv.rules.run_facts import RunFacts
from nerv.scorecard import Criterion, Observation

_CACHE_READ = 0.1
_UNCOUNTED_COMPACTIONS_AT_MOST = 8
_NOTHING_COMPLETED_AT_MOST = 5
"""No compaction in a run that completed nothing is neither good nor bad."""
_UNPROVEN_AT_MOST = 5
"""Without a passing test or an audit it is not known whether anything was achieved: neither good nor bad."""
_MINUTE_MS = 60_000


def criteria(facts: RunFacts) -> tuple[Criterion, ...]:
    """Score the four criteria."""
    return (_score_tokens(facts), _score_cost(facts), _score_compaction(facts), _score_speed(facts))


def _score_tokens(facts: RunFacts) -> Criterion:
    if not facts.records("tokens"):
        return not_recorded("tokens", "this kind of source does not count tokens.")
    usage = facts.evidence.resources.usage
    if usage.tokens is None:
        return no_evidence("tokens", "no tokens are recorded.")
    if missing := _tasks_without_figure(facts, lambda used: used.tokens is not None):
        return no_evidence("tokens", f"{missing}, so the total is not known.")
    if not facts.working_items:
        return _score_without_result("tokens", f"{usage.tokens:,} tokens", facts)
    counted = usage.tokens - (1 - _CACHE_READ) * (usage.cache_read_tokens or 0)
    each = counted / facts.working_items
    return scored(
        "tokens",
        each,
        f"{each:,.0f} tokens per completed item ({_completed(facts)}){_unproven(facts)}.",
        observations=[
            at(
                f"{usage.tokens:,} tokens in total, {usage.cache_read_tokens or 0:,} of them read from the cache",
                usage.location,
            )
        ],
        at_most=_at_most(facts),
    )


def _score_cost(facts: RunFacts) -> Criterion:
    if not facts.records("cost"):
        return not_recorded("cost", "this kind of source does not contain prices.")
    usage = facts.evidence.resources.usage
    if usage.cost_usd is None:
        return no_evidence("cost", "no cost is recorded.")
    if missing := _tasks_without_figure(facts, lambda used: used.cost_usd is not None):
        return no_evidence("cost", f"{missing}, so the total is not known.")
    if not facts.working_items:
        return _score_without_result("cost", f"${usage.cost_usd:.2f}", facts)
    each = usage.cost_usd / facts.working_items
    origin = "estimated from list prices" if usage.cost_is_estimated else "as reported by the run"
    return scored(
        "cost",
        each,
        f"${each:.2f} per completed item ({_completed(facts)}){_per_task(facts, usage.cost_usd)}{_unproven(facts)}.",
        observations=[at(f"${usage.cost_usd:.2f} in total, {origin}", usage.location)],
        certainty="inferred" if usage.cost_is_estimated else "recorded",
        at_most=_at_most(facts),
    )


def _tasks_without_figure(facts: RunFacts, known: Callable[[TokenUsage], bool]) -> str:
    """Return how many finished tasks lack a figure if the total is the sum over tasks: it is then not known."""
    if facts.evidence.resources.usage.location is not None or not any(
        known(task.usage) for task in facts.evidence.workflow.tasks
    ):
        return ""
    without = [task for task in facts.finished_tasks if not known(task.usage)]
    return f"{len(without)} of {count(len(facts.finished_tasks), 'finished task')} lack this figure" if without else ""


def _per_task(facts: RunFacts, cost: float) -> str:
    finished = len(facts.finished_tasks)
    return f", ${cost / finished:.2f} per finished task ({count(finished, 'task')})" if finished else ""


def _completed(facts: RunFacts) -> str:
    """Return the number of items that the figures are divided by, in words."""
    completed, counted = facts.completed_items, facts.working_items
    text = count(round(completed, 1), "completed item")
    return text if counted == completed else f"{text}, counted as {counted:.3g}"


def _at_most(facts: RunFacts) -> int:
    return min(facts.incomplete_at_most, 10 if facts.shown_to_work else _UNPROVEN_AT_MOST)


def _unproven(facts: RunFacts) -> str:
    if not facts.shown_to_work:
        return f"; at most {_at_most(facts)}, as nothing shows that it works"
    lacks = facts.incomplete_at_most < 10
    return f"; at most {_at_most(facts)}, as {facts.why_incomplete}" if lacks else ""


def _without_result(facts: RunFacts) -> str:
    if facts.shown_to_work is False:
        return "but what was built does not work"
    return "but no item of the spec was completed"


def _score_without_result(key: str, spent: str, facts: RunFacts) -> Criterion:
    location = facts.evidence.resources.usage.location
    reason = f"{spent}, {_without_result(facts)}."
    return scored(key, float("inf"), reason, observations=[at(spent, location)])


def _score_compaction(facts: RunFacts) -> Criterion:
    if not facts.records("compactions"):
        return not_recorded("compaction", "this kind of source does not record compactions.")
    evidence = facts.evidence
    compactions = max(evidence.resources.compactions.count, sum(task.compactions for task in evidence.workflow.tasks))
    if (
        not compactions
        and not evidence.resources.compactions_counted
        and evidence.resources.usage.tokens is None
        and not evidence.activity.sessions
    ):
        return no_evidence("compaction", "no session is recorded that could show one.")
    observations: list[Observation] = tallied(evidence.resources.compactions, "the context was compacted", most=5)
    counted = evidence.resources.compactions_counted
    if not facts.working_items:
        reason = f"{count(compactions, 'compaction')}, {_without_result(facts)}."
        figure = float("inf") if compactions else 0.0
        return scored("compaction", figure, reason, observations=observations, at_most=_NOTHING_COMPLETED_AT_MOST)
    each = compactions / facts.working_items
    reason = f"{count(compactions, 'compaction')} for {_completed(facts)}{_unproven(facts)}"
    return scored(
        "compaction",
        each,
        f"{reason}." if counted else f"{reason}; no source states the number.",
        observations=observations,
        certainty="recorded" if counted else "inferred",
        at_most=min(_at_most(facts), 10 if counted else _UNCOUNTED_COMPACTIONS_AT_MOST),
    )


def _score_speed(facts: RunFacts) -> Criterion:
    if not facts.records("time"):
        return not_recorded("speed", "this kind of source has no times.")
    if not facts.knows_requirements:
        return not_recorded("speed", "this kind of source does not record what was completed.")
    working = facts.evidence.resources.working_ms
    if working is None:
        return no_evidence("speed", "no working time is recorded.")
    minutes = working / _MINUTE_MS
    if not facts.working_items:
        return scored("speed", float("inf"), f"{count(round(minutes), 'minute')}, {_without_result(facts)}.")
    each = minutes / facts.working_items
    longest = sorted(
        (task for task in facts.evidence.workflow.tasks if task.working_ms is not None),
        key=lambda task: (-(task.working_ms or 0), task.id),
    )
    return scored(
        "speed",
        each,
        f"{each:.1f} minutes of work per completed item ({_completed(facts)}){_unproven(facts)}.",
        observations=[
            at(f"{count(round((task.working_ms or 0) / _MINUTE_MS), 'minute')}: {task.title or task.id}", task.location)
            for task in longest[:3]
        ],
        at_most=_at_most(facts),
    )
