"""Resources of a run in a results folder: tokens, cost, compactions and time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nerv.evidence import Resources, Task, TokenUsage, UsagePoint
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.run_record import RunRecord


def run_resources(record: RunRecord, tasks: Sequence[Task], summary: TokenUsage, stream: Conversation) -> Resources:
    """Combine the figures of the log, the tasks, the summary and the recorded stream."""
    duration = _time_between(record.earliest_ms, record.latest_ms)
    return Resources(
        usage=_total_usage(summary, [task.usage for task in tasks], stream.usage),
        usage_over_time=stream.usage_over_time or _usage_over_time(tasks),
        compactions=record.compactions.occurrences(),
        compactions_counted=(
            record.compactions_counted or stream.usage.tokens is not None or _every_task_counts_compactions(record)
        ),
        duration_ms=duration,
        working_ms=_working_time(tasks, duration),
    )


def _every_task_counts_compactions(record: RunRecord) -> bool:
    """Return whether every finished task's own files count its compactions."""
    finished = [task for task in record.tasks.values() if task.status == "completed"]
    return bool(finished) and all(task.compactions_counted for task in finished)


def _total_usage(summary: TokenUsage, tasks: Sequence[TokenUsage], stream: TokenUsage) -> TokenUsage:
    """Return the largest of the totals in the summary, the tasks and the stream: none may hide spending."""
    summed = _sum_usages(tasks)
    candidates = (summary, summed, stream)
    leading = max(candidates, key=lambda usage: usage.tokens or -1)
    costs = [usage for usage in candidates if usage.cost_usd is not None]
    dearest = max(costs, key=lambda usage: usage.cost_usd or 0.0, default=TokenUsage())
    return replace(
        leading,
        cost_usd=dearest.cost_usd,
        cost_is_estimated=dearest.cost_is_estimated,
        location=leading.location or dearest.location,
    )


def _sum_usages(usages: Sequence[TokenUsage]) -> TokenUsage:
    def total(values: Iterable[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    costs = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    return TokenUsage(
        input_tokens=total(usage.input_tokens for usage in usages),
        output_tokens=total(usage.output_tokens for usage in usages),
        cache_read_tokens=total(usage.cache_read_tokens for usage in usages),
        cache_write_tokens=total(usage.cache_write_tokens for usage in usages),
        cost_usd=sum(costs) if costs else None,
        cost_is_estimated=any(usage.cost_is_estimated for usage in usages),
    )


def _usage_over_time(tasks: Sequence[Task]) -> tuple[UsagePoint, ...]:
    """Return the total spending at the end of each task."""
    ended = sorted(
        ((task.ended.ms, task.usage) for task in tasks if task.ended and task.ended.ms is not None),
        key=lambda pair: pair[0],
    )
    points: list[UsagePoint] = []
    tokens: int | None = None
    cost: float | None = None
    for ms, usage in ended:
        tokens = tokens if usage.tokens is None else (tokens or 0) + usage.tokens
        cost = cost if usage.cost_usd is None else (cost or 0.0) + usage.cost_usd
        if tokens is not None or cost is not None:
            points.append(UsagePoint(ms=ms, tokens=tokens, cost_usd=cost))
    return tuple(points[:: max(1, len(points) // 500)])


def _time_between(earliest: int | None, latest: int | None) -> int | None:
    return None if earliest is None or latest is None else latest - earliest


def _working_time(tasks: Sequence[Task], duration: int | None) -> int | None:
    """Return the union of the tasks' time spans, or else the whole duration."""
    spans = sorted(
        (task.started.ms, task.ended.ms)
        for task in tasks
        if task.started and task.ended and task.started.ms is not None and task.ended.ms is not None
    )
    if not spans:
        metered = [task.working_ms for task in tasks if task.working_ms is not None]
        return sum(metered) if metered else duration
    total, reached = 0, spans[0][0]
    for begin, end in spans:
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total
