"""Folders of nerv's other runners: its end-to-end collector, runs of one session, and runs without a spec."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import UserError
from nerv import rules
from nerv.readers import RunSource, read
from nerv.scorecard import Criterion
from nerv_folders import DIFF, SPEC, START, UI_TASKS, pipeline_run, ui_events, ui_run, write


def criteria(folder: Path) -> dict[str, Criterion]:
    found = rules.score(read(RunSource(path=folder)))
    return {criterion.key: criterion for category in found for criterion in category.criteria}


def metrics(task: str) -> dict[str, Any]:
    tokens = {"inputTokens": 1_000, "outputTokens": 100, "cachedTokens": 5_000, "costUsd": 0.1}
    calls = {"numTurns": 3, "toolCalls": 1, "toolErrors": 0, "toolRetries": 0, "status": "done"}
    return {"taskId": task, "startTime": START, "endTime": START + 60_000, **tokens, **calls}


def collector_run(folder: Path) -> Path:
    """The folder of BenchmarkCollector: a timeline with numbers for times, worktrees and merges without a task."""
    timeline: list[dict[str, Any]] = []

    def add(event: str, **fields: Any) -> None:
        timeline.append({"timestamp": START + 5_000 * len(timeline), "event": event, **fields})

    files: dict[str, Any] = {"timeline.jsonl": timeline, "spec.md": SPEC}
    add("benchmark_start", benchmarkId="bench-20260101000000", spec="notes.md")
    add("cycle_start", cycleId="c-1", cycleNumber=0)
    for task, title in (("t1", "Create and list notes"), ("t2", "Refuse empty notes")):
        add("worktree_created")
        add("task_start", taskId=task, title=title, worktree=f"/w/{task}")
        add("permission_request", tool="Bash", command="npm test", taskId=task)
        add("permission_decision", decision="allow_once", pattern="Bash(npm test:*)", taskId=task)
        add("task_complete", taskId=task, status="done", tokensUsed=1_100)
        add("worktree_merged")
        files[f"tasks/{task}/metrics.json"] = metrics(task)
        files[f"tasks/{task}/errors.json"] = []
        files[f"tasks/{task}/git-diff.patch"] = DIFF
    add("review_complete", cycleId="c-1", decision="approve")
    add("cycle_complete", cycleId="c-1", tasksCompleted=2)
    add("benchmark_complete", outcome="success")
    return write(folder, files)


def stream() -> list[dict[str, Any]]:
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected"
    call = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "rm -rf build"}}
    result = {"type": "tool_result", "tool_use_id": "1", "content": refused, "is_error": True}
    return [
        {"type": "system", "subtype": "init", "session_id": "s1", "model": "claude-sonnet-4-5"},
        {"type": "assistant", "session_id": "s1", "message": {"id": "m1", "content": [call]}},
        {"type": "user", "session_id": "s1", "message": {"content": [result]}},
    ]


def test_a_timeline_that_counts_no_items_does_not_record_them(tmp_path: Path) -> None:
    found = criteria(collector_run(tmp_path / "r"))

    assert found["progression"].status == found["delivery"].status == "not_recorded"
    assert (found["isolation"].score, found["merges"].score, found["permissions"].score) == (10, 10, 10)
    assert found["review"].score == 1  # the only review came after the merges


@pytest.mark.parametrize(
    ("kind", "times"), [("task_complete", 0), ("worktree_merged", 3), ("review_complete", 3), ("cycle_complete", 0)]
)
def test_missing_and_repeated_events_without_a_task_do_not_help(tmp_path: Path, kind: str, times: int) -> None:
    """With two cycles, each reviewed after its merge: one cycle's review says nothing about the next one's task."""
    timeline = [
        {"event": name, **fields}
        for number in (0, 1)
        for name, fields in (
            ("cycle_start", {"cycleId": f"c{number}", "cycleNumber": number}),
            ("task_start", {"taskId": f"t{number}", "title": "Notes", "worktree": f"/w/t{number}"}),
            ("task_complete", {"taskId": f"t{number}", "status": "done"}),
            ("worktree_merged", {}),
            ("review_complete", {"cycleId": f"c{number}", "decision": "approve"}),
            ("cycle_complete", {"cycleId": f"c{number}"}),
        )
    ]
    places = [place for place, line in enumerate(timeline) if line["event"] == kind]
    for place in (None, *places):
        changed = [line for at, line in enumerate(timeline) for _ in range(times if at == place else 1)]
        lines = [{"timestamp": START + 1_000 * number, **line} for number, line in enumerate(changed)]
        folder = write(tmp_path / str(place), {"timeline.jsonl": lines, "spec.md": SPEC})
        assert criteria(folder)["review"].score == 1


def test_detections_of_a_stuck_session_that_only_the_summary_counts_are_loops(tmp_path: Path) -> None:
    issues = {"issues": {"loopsDetected": 1, "stuckDetections": 2}}
    folder = write(collector_run(tmp_path / "r"), {"summary.json": issues})
    assert read(RunSource(path=folder)).incidents.loops.count == 3


def test_the_stream_of_a_run_of_one_session_counts_once(tmp_path: Path) -> None:
    timeline = [{"timestamp": START, "event": "benchmark_start"}, {"timestamp": START + 60_000, "event": "tool_call"}]
    files = {"stream.jsonl": stream(), "tasks/0123456789abcdef/stream.jsonl": stream(), "timeline.jsonl": timeline}
    folder = write(tmp_path / "r", {**files, "tasks/0123456789abcdef/metrics.json": metrics("x"), "spec.md": SPEC})

    found = read(RunSource(path=folder))
    assert found.incidents.interruptions.count == 1
    assert len(found.activity.sessions) == 1


def test_one_cycle_of_a_run_without_a_spec_must_be_named(tmp_path: Path) -> None:
    cycles = {f"cycle-00{number}/stream.jsonl": stream() for number in (1, 2)}
    folder = write(tmp_path / "r", {**cycles, "config.json": {"mode": "yolo"}, "summary.json": {"cyclesRun": 2}})

    with pytest.raises(UserError, match=r"cycle-001/stream\.jsonl, cycle-002/stream\.jsonl"):
        read(RunSource(path=folder))


def test_the_model_stands_in_the_summary_where_the_configuration_lacks_it(tmp_path: Path) -> None:
    model = {"model": "claude-sonnet-4-20250514"}

    assert read(RunSource(path=ui_run(tmp_path / "r", **{"summary.json": model}))).configuration.model == model["model"]


def test_an_unknown_folder_is_told_what_would_do(tmp_path: Path) -> None:
    write(tmp_path / "r", {"notes.txt": "hello"})

    with pytest.raises(UserError, match=r"event-log\.jsonl: missing, and .* nerv knows; it reads a .*Aider.*our own"):
        read(RunSource(path=tmp_path / "r"))


def test_an_approval_because_the_review_could_not_be_read_is_none(tmp_path: Path) -> None:
    folder = pipeline_run(tmp_path / "r")
    fallback = "Tests pass; review output could not be parsed"
    for file in (folder / "pipeline-result.json", *folder.glob("tasks/*/review-decision.json")):
        file.write_text(file.read_text().replace('"Fine."', json.dumps(fallback)))

    assert {review.automatic for review in read(RunSource(path=folder)).workflow.reviews} == {True}
    assert criteria(folder)["review"].score == 1


def test_a_review_that_begins_by_approving_is_none(tmp_path: Path) -> None:
    folder = ui_run(tmp_path / "r", **{"config.json": None})
    log = folder / "event-log.jsonl"
    text = log.read_text().replace("Review iteration 1/3", "Review: auto-approve (mock)")
    log.write_text(text.replace("Review: Approved (iteration 1)", "Review: Approved"))

    assert criteria(folder)["review"].score == 1


def test_an_approval_without_any_review_is_none(tmp_path: Path) -> None:
    """Older versions of the UI runner, in their default mode, write this line and nothing else about reviews."""
    events = [event for event in ui_events(UI_TASKS) if event["event"] != "review_started"]
    for event in events:
        if event["event"] == "review_decision":
            event["label"] = "Review: Approved"
    log = [line for event in events for line in ([event] * 2 if event["event"] == "review_decision" else [event])]
    folder = ui_run(tmp_path / "r", **{"event-log.jsonl": log, "timeline.jsonl": None, "config.json": None})
    for file in folder.glob("tasks/*/review-decision.json"):
        file.unlink()

    assert {review.automatic for review in read(RunSource(path=folder)).workflow.reviews} == {True}
    assert criteria(folder)["review"].score == 1


@pytest.mark.parametrize(
    ("pattern", "decided"),
    [
        ("Bash(npm test)", True),
        ("Bash(npm:*)", True),
        ("Bash(npm *)", True),
        ("Bash(make:*)", False),
        ("Write(npm test)", False),
        ("npm install", False),
    ],
)
def test_a_decision_on_a_pattern_decides_what_it_matches(tmp_path: Path, pattern: str, decided: bool) -> None:
    folder = collector_run(tmp_path / "r")
    log = folder / "timeline.jsonl"
    log.write_text(log.read_text().replace("Bash(npm test:*)", pattern))

    permissions = read(RunSource(path=folder)).workflow.permissions
    assert [each.decision for each in permissions if each.asked is not None] == [
        "approved" if decided else "pending"
    ] * 2
