"""Joins two records of the same run: event log and timeline, log and git."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nerv.evidence import Merge, Worktree
from nerv.readers.run_record import OccurrenceCounter, RunRecord, TaskRecord


def add_timeline(record: RunRecord, timeline: RunRecord) -> None:
    """Add what only the timeline has. If both cover a subject, the log counts; for incidents, the larger count."""
    for name in ("completion", "audits", "reviews", "merges", "worktrees", "permissions"):
        if not getattr(record, name):
            setattr(record, name, getattr(timeline, name))
    for name in ("compactions", "tool_calls", "tool_errors", "task_errors", "task_timeouts", "loops", "phase_errors"):
        _keep_larger(getattr(record, name), getattr(timeline, name))
    for number, cycle in timeline.cycles.items():
        record.cycles.setdefault(number, cycle)
    record.cycle_ids = {**timeline.cycle_ids, **record.cycle_ids}
    for task_id, other in timeline.tasks.items():
        task = record.tasks.get(task_id)
        if task is None:
            record.tasks[task_id] = other
        else:
            _join_task(task, other)
    for kind, count in timeline.event_counts.items():
        if kind not in record.event_counts:
            record.event_counts[kind] = count
    if record.earliest_ms is None:
        record.earliest_ms, record.latest_ms = timeline.earliest_ms, timeline.latest_ms


def _join_task(task: TaskRecord, other: TaskRecord) -> None:
    _keep_larger(task.errors, other.errors)
    _keep_larger(task.timeouts, other.timeouts)
    _keep_larger(task.loops, other.loops)
    task.title = max(task.title, other.title, key=len)
    task.cycle = other.cycle if task.cycle is None else task.cycle
    task.started = task.started or other.started
    if task.status in ("created", "started") and task.ended is None:
        task.status, task.ended = other.status if other.ended else task.status, other.ended
        task.completions = max(task.completions, other.completions)
    task.tool_calls = max(task.tool_calls, other.tool_calls)
    task.tool_errors = max(task.tool_errors, other.tool_errors)
    task.compactions = max(task.compactions, other.compactions)


def _keep_larger(kept: OccurrenceCounter, other: OccurrenceCounter) -> None:
    if other.count > kept.count:
        kept.count, kept.moments = other.count, other.moments


def join_merges(
    logged: Sequence[Merge], in_git: Sequence[Merge], worktrees: Sequence[Worktree], tasks: Mapping[str, TaskRecord]
) -> tuple[Merge, ...]:
    """Return the log's merges with their commits in git, and the merges that only git has."""
    by_branch = {worktree.branch: worktree.task_id for worktree in worktrees if worktree.branch and worktree.task_id}
    merges = list(logged)
    for found in in_git:
        task_id = by_branch.get(found.branch) or _task_in_branch_name(found, tasks)
        same = next(
            (
                index
                for index, merge in enumerate(merges)
                if merge.clean and not merge.commit and task_id is not None and merge.task_id == task_id
            ),
            None,
        )
        if same is None:
            merges.append(replace(found, task_id=task_id))
        else:
            merges[same] = replace(
                merges[same], commit=found.commit, branch=merges[same].branch or found.branch, clean=found.clean
            )
    return tuple(merges)


def _task_in_branch_name(merge: Merge, tasks: Mapping[str, TaskRecord]) -> str | None:
    """Return the task whose id is in the branch's name; the longest, as one id may be the prefix of another."""
    named = [task_id for task_id in tasks if len(task_id) > 2 and task_id in (merge.branch or merge.text)]
    return max(named, key=len, default=None)
