"""Results folders of nerv, made for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SPEC = """# Notes

## Acceptance Criteria
- [ ] POST /notes creates a note
- [ ] GET /notes lists the notes
- [ ] An empty note is refused with 400
- [ ] README says how to start it
"""

Event = Mapping[str, Any]


def event(t: int, kind: str, **fields: Any) -> Event:
    return {"t": t, "event": kind, **fields}


def one_task(task: str = "t1", start: int = 1_000, cycle: int = 1) -> list[Event]:
    """The events of a good task: worktree, work, review, merge."""
    return [
        event(start, "task_started", taskId=task, title="Create and list notes", cycle=cycle),
        event(start + 10, "worktree_created", taskId=task, path=f"/w/{task}", branch=f"task/{task}"),
        event(start + 5_000, "review_started", taskId=task),
        event(start + 6_000, "review_decision", taskId=task, decision="approve"),
        event(start + 6_500, "worktree_merged", taskId=task, branch=f"task/{task}"),
        event(start + 7_000, "task_completed", taskId=task),
    ]


def a_run() -> list[Event]:
    """Two cycles of one task each."""
    return [
        event(0, "benchmark_start"),
        event(100, "cycle_started", cycleNumber=1, goal="Create notes"),
        *one_task("t1", 1_000, 1),
        event(8_500, "spec_completion", checked=2, total=4),
        event(9_000, "cycle_completed", cycleNumber=1),
        event(9_100, "cycle_started", cycleNumber=2, goal="Refuse empty notes"),
        *one_task("t2", 10_000, 2),
        event(17_500, "spec_completion", checked=4, total=4),
        event(18_000, "cycle_completed", cycleNumber=2),
        event(18_100, "benchmark_complete"),
    ]


def results(
    folder: Path,
    events: Sequence[Event] | None = None,
    *,
    spec: str | None = SPEC,
    files: Mapping[str, Any] | None = None,
) -> Path:
    """A results folder; `files` are written as JSON unless they are text or bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(each) for each in (a_run() if events is None else events))
    (folder / "event-log.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if spec is not None:
        (folder / "spec.md").write_text(spec, encoding="utf-8")
    for name, content in (files or {}).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder
