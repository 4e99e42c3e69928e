"""ATIF as Harbor's own agent writes it: results for several calls together, copied steps, several files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Step = dict[str, Any]
ASKED = {"source": "user", "message": "Add a function `slug`."}


def step(second: int, *commands: str, shown: str, source: str = "", **members: object) -> Step:
    """A step of the agent with commands, and what the terminal showed."""
    calls = [
        {"tool_call_id": f"{second}-{index}", "function_name": "bash_command", "arguments": {"keystrokes": command}}
        for index, command in enumerate(commands)
    ]
    result = {"content": shown} | ({"source_call_id": source} if source else {})
    observed = {"tool_calls": calls, "observation": {"results": [result]}}
    stamp = f"2026-01-01T00:00:{second:02}Z"
    return {"source": "agent", "message": "I work.", "timestamp": stamp, **observed, **members}


def trajectory(file: Path, *steps: Step, **members: object) -> Path:
    document = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "a"}, "steps": list(steps)}
    file.write_text(json.dumps({**document, **members}))
    return file


def scored(folder: Path, *steps: Step, **members: object) -> Evidence:
    return read(RunSource(path=trajectory(folder / "trajectory.json", *steps, **members)))


def test_what_a_terminal_shows_for_several_calls_is_the_result_of_all(tmp_path: Path) -> None:
    first = step(1, "echo 'a = 1' > slug.py\n", "pytest -q\n", shown="$ pytest -q\n2 failed, 1 passed in 0.1s")
    done = {"tool_call_id": "d", "function_name": "mark_task_complete", "arguments": {}}
    last = step(2, "pytest -q\n", shown="3 passed in 0.1s")
    last["tool_calls"].append(done)

    found = scored(tmp_path, ASKED, first, last)

    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(1, 2), (3, 0)]
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"


def test_a_call_without_a_result_stays_where_it_was_made(tmp_path: Path) -> None:
    first = step(1, "make\n", "make check\n", shown="built", source="1-0")

    found = scored(tmp_path, ASKED, first, step(2, "ls\n", shown="slug.py"))

    assert [command.text for command in found.activity.actions.commands][-1] == "ls"


def test_copied_steps_do_not_count_again(tmp_path: Path) -> None:
    asked_again = {"source": "user", "message": "Fix the summary.", "is_copied_context": True}
    copied = step(2, "pytest -q\n", shown="2 failed in 0.1s", is_copied_context=True)

    found = scored(tmp_path, ASKED, asked_again, copied, step(3, "pytest -q\n", shown="3 passed in 0.1s"))

    assert [item.text for item in found.spec.items] == ["Add a function `slug`."]
    assert [run.succeeded for run in found.activity.test_runs] == [True]


def test_tokens_are_known_without_a_total(tmp_path: Path) -> None:
    metrics = {"prompt_tokens": 100, "completion_tokens": 10}
    found = scored(tmp_path, ASKED, step(1, "ls\n", shown="", metrics=metrics))

    assert "tokens" in found.recorded
    assert found.resources.usage.tokens == 110


def test_a_trajectory_goes_on_in_another_file(tmp_path: Path) -> None:
    first, second = step(1, "ls\n", shown=""), step(2, "pytest -q\n", shown="3 passed in 0.1s")
    trajectory(tmp_path / "trajectory.cont-1.json", {**first, "is_copied_context": True}, second)

    found = scored(tmp_path, ASKED, first, continued_trajectory_ref="trajectory.cont-1.json")

    assert [run.passed for run in found.activity.test_runs] == [3]
    assert "trajectory.cont-1.json" in found.inputs


def test_a_continuation_that_is_missing_is_told(tmp_path: Path) -> None:
    found = scored(tmp_path, ASKED, step(1, "ls\n", shown=""), continued_trajectory_ref="../../etc/passwd")

    assert found.warnings == ("trajectory.json: continues in passwd, which is missing or no trajectory",)
