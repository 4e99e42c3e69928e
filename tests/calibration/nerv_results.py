"""A results folder of nerv's UI runner around a generated run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nerv_folders
from calibration.agent import Agent, Step
from calibration.sessions import MODEL, claude_messages

_BOX = re.compile(r"^- \[([ xX])\] (.+)$", re.M)


def write_nerv_folder(agent: Agent, folder: Path) -> Path:
    """Write the folder around the agent's repository, which lies in it as `repo/`."""
    assert agent.repo == folder / "repo"
    spec = agent.task.text("SPEC.md")
    items = [text for _, text in _BOX.findall(spec)]
    assert items, f"{agent.task.name}: nerv's form shows how many boxes of the spec are ticked, and it has none"
    ticks = _BOX.findall((agent.repo / "SPEC.md").read_text(encoding="utf-8"))
    ticked = sum(mark != " " for mark, _ in ticks)
    half = (len(items) + 1) // 2
    tasks = [
        nerv_folders.UiTask("task-mcx1a2", _title(items[:half]), checked=min(ticked, half)),
        nerv_folders.UiTask("task-mcx9z8", _title(items[half:]), checked=ticked),
    ]
    events = nerv_folders.ui_events(tasks)
    for event in events:
        if event["event"] == "spec_completion":
            pct = round(100 * event["checked"] / len(items))
            event |= {"label": f"{event['checked']}/{len(items)} ({pct}%)", "total": len(items), "pct": pct}
    middle = _middle(agent.steps)
    files: dict[str, Any] = {
        "event-log.jsonl": events,
        "spec.md": spec,
        "git-diff.patch": agent.git("diff", agent.base, "HEAD"),
        "git-log.txt": agent.git("log", "--oneline", f"{agent.base}..HEAD"),
        "repo/SPEC.md": None,
        f"tasks/{tasks[0].id}/stream.jsonl": _stream(agent.steps[:middle], agent),
        f"tasks/{tasks[1].id}/stream.jsonl": _stream(agent.steps[middle:], agent),
    }
    nerv_folders.ui_run(folder, tasks, **files)
    return folder


def _title(items: list[str]) -> str:
    return "; ".join(item.split(":")[0].replace("`", "") for item in items)


def _middle(steps: list[Step]) -> int:
    """Return where the second task begins: never between a call and the words that announce it."""
    middle = len(steps) // 2
    while middle and steps[middle - 1].kind == "say":
        middle -= 1
    return middle


def _stream(steps: list[Step], agent: Agent) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = [
        {"type": "system", "subtype": "init", "cwd": str(agent.repo), "session_id": "s-cal", "model": MODEL}
    ]
    for message in claude_messages(steps, agent.repo, agent.prompt):
        lines.append({key: value for key, value in message.items() if key != "toolUseResult"})
        lines[-1] |= {"session_id": "s-cal"}
    said = next((step.text for step in reversed(steps) if step.kind in ("say", "final")), "Done.")
    lines.append(
        {
            "type": "result",
            "subtype": "success",
            "is_error": False,
            "duration_ms": 9_000 * len(steps),
            "num_turns": len(steps),
            "result": said,
            "session_id": "s-cal",
            "total_cost_usd": 0.05,
            "usage": {"input_tokens": 900, "output_tokens": 1_200, "cache_read_input_tokens": 60_000},
        }
    )
    return lines
