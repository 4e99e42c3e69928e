"""Six complete example runs, made with real repositories, worktrees, commits and merges.

Run as a script, it writes them into a folder: `python tests/example_runs.py /tmp/examples`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from example_code import CHAOS, GOOD, ROUGH, SERVES, SPEC, TASKS, TESTS

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Style:
    """The way in which an agent worked."""

    name: str
    tasks: tuple[str, ...] = tuple(TASKS)
    beside: tuple[str, ...] = ()
    """Additional tasks that nobody asked for."""
    worktrees: bool = True
    reviews: bool = True
    rejected_first: tuple[str, ...] = ()
    tests: bool = True
    passing: bool = True
    audits: bool = True
    ticks: bool = True
    straight_to_main: int = 0
    merge_conflicts: tuple[str, ...] = ()
    rough: bool = False
    chaos: bool = False
    minutes: int = 6
    tokens: int = 60_000
    cost: float = 0.3
    compactions: int = 0
    loops: int = 0
    timeouts: int = 0
    tool_errors: int = 0
    permissions: tuple[str, ...] = ("approved", "approved")
    bypassed: bool = False


EXAMPLES = (
    Style(name="excellent"),
    Style(
        name="good",
        rejected_first=("lending",),
        merge_conflicts=("returning",),
        rough=True,
        minutes=12,
        tokens=120_000,
        cost=0.6,
        tool_errors=6,
        compactions=1,
    ),
    Style(name="unreviewed", reviews=False, audits=False, straight_to_main=2, minutes=8, tokens=80_000, cost=0.4),
    Style(
        name="wasteful",
        minutes=45,
        tokens=700_000,
        cost=4.0,
        compactions=4,
        loops=1,
        timeouts=1,
        tool_errors=30,
    ),
    Style(name="untested", tests=False, audits=False, rough=True, minutes=8, tokens=80_000, cost=0.4),
    Style(
        name="chaotic",
        tasks=("catalogue", "lending", "search"),
        beside=("Rewrite everything in another framework", "Try a new logo"),
        worktrees=False,
        reviews=False,
        tests=False,
        audits=False,
        straight_to_main=4,
        merge_conflicts=("lending", "search"),
        chaos=True,
        minutes=90,
        tokens=900_000,
        cost=5.0,
        compactions=3,
        loops=3,
        timeouts=2,
        tool_errors=40,
        permissions=("denied and used", "pending"),
    ),
)


def write(style: Style, folder: Path) -> Path:
    """Make one run: its repository, by working in it, and the record of it."""
    folder.mkdir(parents=True)
    _Agent(style, folder).work()
    return folder


@dataclass
class _Agent:
    style: Style
    folder: Path
    now: datetime = START
    events: list[dict[str, Any]] = field(default_factory=list)
    done: int = 0

    @property
    def repository(self) -> Path:
        return self.folder / "repo"

    def work(self) -> None:
        self.repository.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit({"docs/spec.md": SPEC}, "The spec", self.repository)
        self.event("benchmark_start", label=self.style.name)
        for cycle in (1, 2, 3):
            self.event("cycle_started", cycleNumber=cycle, label=f"Cycle {cycle}")
            for task in self.style.tasks:
                if TASKS[task][1] == cycle:
                    self.task(task)
            if cycle == 1:
                self.trouble()
            self.end_of_cycle(cycle)
        self.event("benchmark_complete")
        self.records()

    def task(self, task: str) -> None:
        style = self.style
        self.event("task_started", taskId=task, title=TASKS[task][0], label=TASKS[task][0])
        where = self.repository
        if style.worktrees:
            where = self.folder / "trees" / task
            self.git("worktree", "add", "--quiet", "-b", f"task/{task}", str(where))
            self.event("worktree_created", taskId=task, path=f"trees/{task}", branch=f"task/{task}")
        else:
            self.git("switch", "--quiet", "-c", f"task/{task}")
        self.now += timedelta(minutes=style.minutes)
        self.commit(self.files(task), f"{TASKS[task][0]}", where)
        self.tools(task)
        self.event("task_completed", taskId=task, label=TASKS[task][0])
        if not style.worktrees:
            self.git("switch", "--quiet", "main")
        self.review(task, where)
        self.merge(task)
        self.done += SERVES[task]
        self.metrics(task)

    def files(self, task: str) -> dict[str, str]:
        if self.style.chaos:
            return CHAOS[task]
        code = ROUGH.get(task, GOOD[task]) if self.style.rough else GOOD[task]
        return {**code, **(TESTS[task] if self.style.tests else {})}

    def tools(self, task: str) -> None:
        lines = [{"tool": "Write", "input": {"file_path": task}, "success": True, "timestamp": self.time()}]
        if self.style.tests and TESTS[task]:
            passed, failed = (14, 0) if self.style.passing else (5, 3)
            output = (
                f"===== {passed} passed in 0.41s ====="
                if not failed
                else f"=== {failed} failed, {passed} passed in 1s ==="
            )
            call = {"tool": "Bash", "input": {"command": "python -m pytest"}, "output": output}
            lines.append({**call, "success": not failed, "timestamp": self.time()})
        self.write(f"tasks/{task}/tools.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines))

    def review(self, task: str, where: Path) -> None:
        if not self.style.reviews:
            return
        self.event("review_started", taskId=task)
        if task in self.style.rejected_first:
            self.event("review_decision", taskId=task, decision="needs_changes")
            self.commit({f"docs/{task}.md": "What the review asked for.\n"}, f"Mend {task} as reviewed", where)
            self.event("review_started", taskId=task)
        self.event("review_decision", taskId=task, decision="approve")

    def merge(self, task: str) -> None:
        branch = f"task/{task}"
        if task in self.style.merge_conflicts:
            self.event("worktree_merge_failed", taskId=task, branch=branch, label="CONFLICT (content)")
        self.git("merge", "--quiet", "--no-ff", "-m", f"Merge branch '{branch}'", branch)
        self.event("worktree_merged", taskId=task, branch=branch)
        if self.style.worktrees:
            self.git("worktree", "remove", "--force", str(self.folder / "trees" / task))

    def trouble(self) -> None:
        style = self.style
        for number in range(style.straight_to_main):
            self.commit({f"notes/{number}.md": "Quick fix.\n"}, f"Quick fix {number}", self.repository)
        for title in style.beside:
            self.event("task_started", taskId=title.split()[0].lower(), title=title)
        for name, often in (("compaction", style.compactions), ("tool_error", style.tool_errors)):
            for _ in range(often):
                self.event(name)
        for name, often in (("loop_dialog_dismissed", style.loops), ("task_timeout", style.timeouts)):
            for _ in range(often):
                self.event(name, taskId=style.tasks[0])
        for number, kind in enumerate(style.permissions):
            about = {"requestId": f"p{number}", "tool": "Bash", "command": f"make step-{number}"}
            self.event("permission_requested", **about)
            if kind == "approved":
                self.event("permission_approved", **about)
            elif kind == "denied and used":
                self.event("permission_denied", **about)
                self.event("tool_call", tool="Bash", command=f"make step-{number}", success=True)

    def end_of_cycle(self, cycle: int) -> None:
        self.event("spec_completion", checked=self.done, total=12, pct=round(100 * self.done / 12))
        if self.style.audits:
            asked = [line[6:] for line in SPEC.splitlines() if line.startswith("- [ ]")][4 * cycle - 4 : 4 * cycle]
            report = {"passed": True, "items": [{"text": text, "met": True} for text in asked]}
            self.write(f"cycles/{cycle}/audit-report.json", json.dumps(report))
            self.event("audit_completed", cycle=cycle, passed=True)
        self.event("cycle_completed", cycleNumber=cycle)

    def metrics(self, task: str) -> None:
        style = self.style
        figures = {
            "inputTokens": style.tokens - 5_000,
            "outputTokens": 5_000,
            "costUsd": style.cost,
            "durationMs": style.minutes * 60_000,
            "compactions": style.compactions if task == style.tasks[0] else 0,
        }
        self.write(f"tasks/{task}/metrics.json", json.dumps(figures))

    def records(self) -> None:
        self.write("event-log.jsonl", "".join(f"{json.dumps(event)}\n" for event in self.events))
        lines, left = [], self.done if self.style.ticks else 0
        for line in SPEC.splitlines():
            ticked = line.startswith("- [ ]") and left > 0
            left -= ticked
            lines.append(line.replace("[ ]", "[x]") if ticked else line)
        self.write("spec.md", "\n".join(lines) + "\n")
        if self.style.bypassed:
            self.write("config.json", json.dumps({"dangerouslySkipPermissions": True}))

    def event(self, name: str, **fields: Any) -> None:
        self.now += timedelta(seconds=5)
        self.events.append({"event": name, "timestamp": self.time(), **fields})

    def time(self) -> str:
        return self.now.isoformat().replace("+00:00", "Z")

    def write(self, name: str, text: str) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def commit(self, files: dict[str, str], subject: str, where: Path) -> None:
        for name, text in files.items():
            file = where / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.now += timedelta(seconds=30)
        self.git("add", "--all", where=where)
        self.git("commit", "--quiet", "-m", subject, where=where)

    def git(self, *words: str, where: Path | None = None) -> None:
        clock = {"GIT_AUTHOR_DATE": self.time(), "GIT_COMMITTER_DATE": self.time()}
        who = {f"GIT_{part}_{key}": value for part in ("AUTHOR", "COMMITTER") for key, value in _WHO.items()}
        plain = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        environment = {"PATH": os.environ["PATH"], **clock, **who, **plain}
        subprocess.run(["git", *words], cwd=where or self.repository, env=environment, check=True, capture_output=True)


_WHO = {"NAME": "Agent", "EMAIL": "agent@example.org"}


if __name__ == "__main__":
    for example in EXAMPLES:
        print(write(example, Path(sys.argv[1]) / example.name))
