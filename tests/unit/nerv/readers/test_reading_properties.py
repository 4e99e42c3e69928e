"""Properties of runs that are read from a folder, whatever the form of the log, checked with generated runs."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from nerv import rules
from nerv.readers import RunSource, read
from nerv.rules.requirement_status import MEANINGS
from nerv.scorecard import Criterion
from nerv_runs import Run, TaskPlan, runs
from notes_service import SPEC

START = datetime(2026, 3, 1, 23, 59, 30, tzinfo=UTC)
FORMS: dict[str, Callable[[int], dict[str, Any]]] = {
    "t": lambda ms: {"t": ms},
    "milliseconds": lambda ms: {"timestamp": int(START.timestamp() * 1000) + ms},
    "iso": lambda ms: {"timestamp": (START + timedelta(milliseconds=ms)).isoformat().replace("+00:00", "Z")},
    "iso elsewhere": lambda ms: {
        "timestamp": (START + timedelta(milliseconds=ms))
        .astimezone(timezone(timedelta(hours=5, minutes=30)))
        .isoformat()
    },
}
Event = dict[str, Any]


def check(strategies: tuple[st.SearchStrategy[Any], ...], holds: Callable[..., None], examples: int) -> None:
    quietly = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    how = settings(max_examples=examples, deadline=None, derandomize=True, suppress_health_check=quietly)
    how(given(*strategies)(holds))()


lanes = pytest.mark.parametrize("examples", [20, pytest.param(200, marks=pytest.mark.slow)])


def events(run: Run) -> Iterator[tuple[str, Event]]:
    """Yield the events of a run, each with its stream: the task's id, or empty for the run itself."""
    ms = iter(range(0, 10_000_000, 7_000))
    for cycle in range(1, run.cycles + 1):
        yield "", {"event": "cycle_started", "cycleNumber": cycle, "ms": next(ms)}
        for index, plan in enumerate(run.tasks):
            if plan.cycle == cycle:
                for event in _task(f"t{index}", plan):
                    yield f"t{index}", {**event, "taskId": f"t{index}", "ms": next(ms)}
        for name, often in (("compaction", run.compactions), ("tool_error", run.tool_errors % 4)):
            for _ in range(often if cycle == 1 else 0):
                yield "", {"event": name, "ms": next(ms)}
        if cycle <= len(run.ticked):
            yield "", {"event": "spec_completion", "checked": run.ticked[cycle - 1], "total": 8, "ms": next(ms)}
        yield "", {"event": "cycle_completed", "cycleNumber": cycle, "ms": next(ms)}
    for number, kind in enumerate(run.permissions):
        about = {"requestId": f"p{number}", "tool": "Bash", "command": f"make {number}"}
        if kind != "unasked":
            yield "", {"event": "permission_requested", **about, "ms": next(ms)}
        if kind != "pending":
            name = "permission_denied" if "denied" in kind else "permission_approved"
            yield "", {"event": name, **about, "ms": next(ms)}


def _task(key: str, plan: TaskPlan) -> Iterator[Event]:
    yield {"event": "task_started", "title": plan.title}
    if plan.tree != "none":
        yield {"event": "worktree_created", "path": f"trees/{key}" if plan.tree == "own" else "trees/all"}
    yield {"event": "task_completed" if plan.finished else "task_timeout"}
    if plan.reviewed == "rejected first":
        yield {"event": "review_decision", "decision": "needs_changes"}
    if plan.reviewed in ("approved", "rejected first"):
        yield {"event": "review_decision", "decision": "approve"}
    if plan.ending in ("failed", "failed then merged"):
        yield {"event": "worktree_merge_failed"}
    if plan.ending in ("merged", "failed then merged"):
        yield {"event": "worktree_merged"}


def scores(log: list[Event], form: str = "t", spec: str = SPEC) -> list[tuple[str, int | None]]:
    return [(criterion.key, criterion.score) for criterion in criteria(log, form, spec)]


def criteria(log: list[Event], form: str = "t", spec: str = SPEC) -> list[Criterion]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        lines = (
            {key: value for key, value in event.items() if key != "ms"} | FORMS[form](event["ms"]) for event in log
        )
        (folder / "event-log.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        (folder / "spec.md").write_text(spec)
        found = rules.score(read(RunSource(path=folder)))
    return [criterion for category in found for criterion in category.criteria]


@lanes
def test_the_form_of_time_stamps_does_not_matter(examples: int) -> None:
    def holds(run: Run, form: str) -> None:
        log = [event for _, event in events(run)]
        assume(log)
        assert scores(log, form) == scores(log)

    check((runs(), st.sampled_from(sorted(FORMS))), holds, examples)


@lanes
def test_the_order_of_unrelated_lines_does_not_matter(examples: int) -> None:
    """Interleave the lines of concurrent tasks in any way; each keeps its time."""

    def holds(run: Run, chance: int) -> None:
        ordered = list(events(run))
        assert scores(_interleaved(ordered, random.Random(chance))) == scores([event for _, event in ordered])

    check((runs(), st.integers(0, 999)), holds, examples)


def _interleaved(ordered: list[tuple[str, Event]], chance: random.Random) -> list[Event]:
    """Return the events with the tasks' streams interleaved between two events of the run; each keeps its order."""
    log: list[Event] = []
    streams: dict[str, list[Event]] = {}
    for stream, event in [*ordered, ("", {})]:
        if stream:
            streams.setdefault(stream, []).append(event)
            continue
        while streams:
            chosen = chance.choice(sorted(streams))
            log.append(streams[chosen].pop(0))
            if not streams[chosen]:
                del streams[chosen]
        log += [event] if event else []
    return log


@lanes
def test_unknown_events_are_kept_and_change_nothing(examples: int) -> None:
    def holds(run: Run, often: int) -> None:
        log = [event for _, event in events(run)]
        more = [event for one in log for event in (one, *[{"event": "weather_report", "ms": one["ms"]}] * often)]
        assert scores(more) == scores(log)

    check((runs(), st.integers(1, 3)), holds, examples)


@lanes
def test_a_repeated_line_makes_no_run_better(examples: int) -> None:
    def holds(run: Run, which: int) -> None:
        log = [event for _, event in events(run)]
        again = log[which % len(log)]
        twice = [event for one in log for event in ((one, one) if one is again else (one,))]
        old, new = dict(scores(log)), dict(scores(twice))
        assert {key: (old[key], new[key]) for key in old if (new[key] or 0) > (old[key] or 0)} == {}

    check((runs(), st.integers(0, 99)), holds, examples)


@lanes
def test_without_the_lines_of_a_kind_no_run_is_better(examples: int) -> None:
    """Deleting reviews, worktrees, merges, permissions, spec counts or completions never raises a score.

    The exception is a completion that the evidence contradicts: no claim is worth more than a false one.
    """
    about_claims = {"requirements", "progression", "delivery"}
    kinds = (
        "review_decision",
        "worktree_created",
        "worktree_merged",
        "permission_",
        "spec_completion",
        "task_completed",
    )

    def holds(run: Run, kind: str) -> None:
        log = [event for _, event in events(run)]
        assume(not (kind == "task_completed" and any(not task.finished for task in run.tasks)))
        left = [event for event in log if not event["event"].startswith(kind)]
        before = {criterion.key: criterion for criterion in criteria(log)}
        false_claim = kind == "task_completed" and MEANINGS["contradicted"] in before["requirements"].reason
        old, new = {key: found.score or 0 for key, found in before.items()}, dict(scores(left))
        raised = {key: (old[key], new[key]) for key in old if (new[key] or 0) > old[key]}
        assert {key: raised[key] for key in raised if not (false_claim and key in about_claims)} == {}

    check((runs(), st.sampled_from(kinds)), holds, examples)
