"""Results folders with exactly the files and fields that nerv's own runners write."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

START = 1_767_225_600_000

SPEC = """# Notes

## Acceptance Criteria
- [ ] POST /notes creates a note
- [ ] GET /notes lists the notes
- [ ] An empty note is refused with 400
- [ ] README says how to start it
"""
SPEC_MD = """# A notes service

## Milestones

- [x] Create and list notes
- [x] Refuse empty notes

## Quality Requirements

- [ ] README says how to start it
"""
DIFF = """diff --git a/notes.py b/notes.py
new file mode 100644
--- /dev/null
+++ b/notes.py
@@ -0,0 +1,3 @@
+@app.post("/notes")
+def create_note(title: str) -> int:
+    return store.add(title)
"""


@dataclass(frozen=True)
class UiTask:
    """A task of the runner that drives nerv's window."""

    id: str
    title: str
    finished: bool = True
    review: str = "Review: Approved (iteration 1)"
    approvals: int = 0
    checked: int | None = None
    """Boxes in SPEC.md after its merge."""


UI_TASKS = (
    UiTask("task-mcx1a2", "Create and list notes", checked=1),
    UiTask("task-mcx9z8", "Refuse empty notes", checked=2),
)


def write(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write files; a list of objects under a name that ends with .jsonl becomes its lines."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            file.write_text(content, encoding="utf-8")
        elif name.endswith(".jsonl"):
            file.write_text("".join(f"{json.dumps(line)}\n" for line in content), encoding="utf-8")
        else:
            file.write_text(json.dumps(content, indent=2), encoding="utf-8")
    return folder


def ui_events(tasks: Sequence[UiTask]) -> list[dict[str, Any]]:
    """The event log of a run with one task per cycle, beginning with cycle 0."""
    events: list[dict[str, Any]] = []

    def emit(event: str, label: str = "", **fields: Any) -> None:
        entry = {"t": 20_000 * len(events), "event": event, **({"label": label} if label else {}), **fields}
        events.append(entry)

    emit("benchmark_start", "Benchmark: notes.md")
    emit("phase_start", "Phase 1: Setup", region="project-selector")
    emit("project_created", "benchmark-1767225600", region="project-selector")
    emit("cycle_started", "Cycle 0 active", region="task-board")
    emit("tasks_created", "1 tasks", region="task-board")
    emit("phase_start", "Phase 2: Build", region="task-board")
    for number, task in enumerate(tasks):
        if number:
            emit("cycle_transition", f"Starting Cycle {number}", region="task-board")
        emit("task_started", f"Task {task.id}", region="action-bar")
        emit("worktree_created", f"Worktree created for task {task.id}", region="action-bar")
        emit("claude_thinking", action="speed-up", factor=3)
        for _ in range(task.approvals):
            emit("permission_approved", region="approval-watcher")
        if not task.finished:
            emit("task_timeout", f"Task {task.id} timed out after 900s")
            emit("cycle_completed", region="task-board")
            continue
        emit("claude_done", action="normal-speed")
        emit("review_started", "Review iteration 1/3", region="terminal-panel")
        emit("review_decision", task.review, region="terminal-panel")
        emit("worktree_merged", f"Task {task.id} merged")
        if task.checked is not None:
            pct = round(100 * task.checked / 3)
            emit("spec_completion", f"{task.checked}/3 ({pct}%)", checked=task.checked, total=3, pct=pct)
        emit("task_completed", f"Task {task.id}")
        emit("cycle_completed", region="task-board")
    emit("repo_collected", f"Collected merged repo ({len(tasks)} tasks merged)")
    emit("benchmark_complete", "Done in 600s")
    return events


def ui_run(folder: Path, tasks: Sequence[UiTask] = UI_TASKS, **files: Any) -> Path:
    """The folder of nerv's UI runner; `files` replace some of it (None: left out)."""
    events = ui_events(tasks)
    done = [task for task in tasks if task.finished]
    approvals = sum(task.approvals for task in tasks)
    timeline = [
        {
            "timestamp": f"2026-01-01T00:{event['t'] // 60_000:02}:{event['t'] // 1000 % 60:02}.000Z",
            "event": event["event"],
            "label": event.get("label", ""),
            "region": event.get("region", ""),
        }
        for event in events
    ]
    content: dict[str, Any] = {
        "event-log.jsonl": events,
        "timeline.jsonl": timeline,
        "spec.md": SPEC,
        "config.json": {"specFile": "notes.md", "reviewMode": "auto", "autoApproveAll": False},
        "summary.json": _ui_summary(tasks, approvals),
        "worktree-manifest.json": [
            {"taskId": task.id, "title": task.title, "worktreePath": f"/tmp/nerv/worktrees/{task.id}"} for task in done
        ],
        "git-diff.patch": DIFF,
        "git-log.txt": "abc1234 feat: refuse empty notes\ndef5678 Add SPEC.md checklist\n",
        "repo/SPEC.md": SPEC_MD,
    }
    for task in tasks:
        tokens = {"input": 1_000, "output": 500, "cacheRead": 20_000}
        metrics = {"taskId": task.id, "exitCode": 0, "durationMs": 60_000, "costUsd": 0.05, "tokens": tokens}
        content[f"tasks/{task.id}/metrics.json"] = metrics
        if task.finished:
            decision = task.review.replace("Review: ", "").lower()
            content[f"tasks/{task.id}/review-decision.json"] = {"decision": decision, "confidence": "high"}
    content.update(files)
    return write(folder, {name: value for name, value in content.items() if value is not None})


def _ui_summary(tasks: Sequence[UiTask], approvals: int) -> dict[str, Any]:
    done = sum(task.finished for task in tasks)
    return {
        "benchmarkId": "ui-benchmark-1767225600000",
        "timestamp": START,
        "nervVersion": "1.0.0",
        "specFile": "notes.md",
        "outcome": "success",
        "duration": {"totalMs": 600_000, "perCycle": [300_000, 300_000], "perTask": {}},
        "tokens": {"total": 3_000, "input": 2_000, "output": 1_000, "cached": 40_000, "perTask": {}, "perCycle": []},
        "cost": {"totalUsd": 0.1, "perTask": {}, "perCycle": []},
        "tasks": {"total": len(tasks), "completed": done, "failed": len(tasks) - done},
        "cycles": {"total": len(tasks), "auditsRun": 0, "auditsPassed": 0},
        "workflow": {
            "worktreesCreated": len(tasks),
            "worktreesMerged": done,
            "reviewsRun": done,
            "reviewsApproved": done,
            "permissionsRequested": approvals,
            "permissionsApproved": approvals,
            "permissionsAlwaysAllowed": 0,
        },
        "issues": {"loopsDetected": 0, "compactions": 0, "toolErrors": 0, "toolRetries": 0, "stuckDetections": 0},
        "spec": {"totalItems": 2, "itemsPassed": done, "itemsFailed": len(tasks) - done, "completionPercent": 100},
        "tests": {"total": 0, "passed": 0, "failed": 0, "skipped": 0},
        "scores": None,
    }


def pipeline_run(folder: Path, *, decision: str = "approve", exit_code: int = 0, **files: Any) -> Path:
    """The folder of nerv's command-line pipeline: a timeline and no event log."""
    review = {"decision": decision, "justification": "Fine.", "concerns": [], "suggestions": [], "confidence": 0.9}
    merged = decision == "approve" or exit_code == 0
    tasks = [
        {
            "taskId": f"cycle1-task{number}",
            "subtask": {"id": f"cycle1-task{number}", "title": title, "description": "", "acceptanceCriteria": []},
            "cycleNumber": 1,
            "worktreePath": f"/tmp/nerv-bench-x/worktrees/cycle1-task{number}",
            "branchName": f"nerv/cycle1-task{number}",
            "exitCode": exit_code,
            "durationMs": 90_000,
            "costUsd": 0.2,
            "tokens": {"input": 10_000, "output": 2_000, "cached": 90_000},
            "reviewDecision": review,
            "merged": merged,
            "testsPassed": 4,
            "testsFailed": 0,
        }
        for number, title in ((1, "Create and list notes"), (2, "Refuse empty notes"))
    ]
    config: dict[str, Any] = {"specFile": "notes.md", "workspaceDir": "/tmp/nerv-bench-x", "model": "sonnet"}
    config |= {"maxConcurrent": 3, "maxCostUsd": 5, "dangerouslySkipPermissions": True, "maxTurnsPerTask": 100}
    cycle = {"cycleNumber": 1, "title": "Notes", "tasks": tasks, "durationMs": 100_000, "costUsd": 0.4}
    content: dict[str, Any] = {
        "spec.md": SPEC,
        "config.json": config,
        "pipeline-result.json": {
            "config": config,
            "spec": {"title": "Notes"},
            "cycles": [{**cycle, "specCompletionPercent": 0}],
            "totalDurationMs": 100_000,
            "totalCostUsd": 0.4,
            "worktreesCreated": 2,
            "worktreesMerged": 2 * merged,
            "reviewsRun": 2,
            "outcome": "success",
        },
        "git-diff.patch": DIFF,
        "git-log.txt": "abc1234 feat: notes\n notes.py | 3 +++\n 1 file changed, 3 insertions(+)\n",
        "summary.json": {
            "timestamp": START,
            "tokens": {"total": 24_000, "input": 20_000, "output": 4_000, "cached": 180_000},
            "cost": {"totalUsd": 0.4},
            "workflow": {"worktreesCreated": 2, "worktreesMerged": 2 * merged, "reviewsRun": 2},
            "issues": {"loopsDetected": 0, "compactions": 0, "toolErrors": 0},
            "tests": {"total": 8, "passed": 8, "failed": 0, "skipped": 0},
        },
        "cycles/cycle-001/audit-report.json": {"cycleNumber": 1, "title": "Notes", "tasksTotal": 2, "tasksMerged": 2},
        "cycles/cycle-001/review-report.json": {
            "cycleNumber": 1,
            "reviewsRun": 2,
            "reviews": [{"taskId": task["taskId"], **review} for task in tasks],
        },
        "cycles/cycle-001/learnings.json": {"cycleNumber": 1, "learnings": []},
        "timeline.jsonl": [
            {"timestamp": START, "event": "benchmark_start"},
            {"timestamp": START, "event": "cycle_start", "cycle": 1},
            *(
                {
                    "timestamp": START + 10_000,
                    "event": "task_complete",
                    "taskId": task["taskId"],
                    "merged": merged,
                    "review": decision,
                }
                for task in tasks
            ),
            {"timestamp": START + 100_000, "event": "cycle_complete", "cycle": 1},
            {"timestamp": START + 100_000, "event": "benchmark_complete"},
        ],
        "permissions/requests.jsonl": "",
    }
    for task in tasks:
        own = ("taskId", "cycleNumber", "exitCode", "durationMs", "costUsd", "tokens", "testsPassed", "testsFailed")
        metrics = {name: task[name] for name in own} | {"reviewDecision": decision, "merged": merged}
        content[f"tasks/{task['taskId']}/metrics.json"] = metrics
        content[f"tasks/{task['taskId']}/review-decision.json"] = review
    content.update(files)
    return write(folder, {name: value for name, value in content.items() if value is not None})


def old_results(folder: Path) -> Path:
    """A folder with nothing but the results of nerv's end-to-end benchmark."""
    results = {
        "allPassed": True,
        "totalDuration": 42_000,
        "results": {"projectCreated": True, "taskCreated": True, "worktreeExists": True, "hasSessionId": True},
    }
    return write(folder, {"benchmark-results-1767225600000.json": results})
