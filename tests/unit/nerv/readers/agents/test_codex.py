"""Codex CLI: what its versions write differently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Line = dict[str, Any]


def written(file: Path, lines: list[Line]) -> Path:
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return file


def executed(folder: Path, item: Line) -> Evidence:
    """Read a recorded `codex exec --json` with one item; it does not hold what was asked."""
    (folder / "spec.md").write_text("- Add a test.\n")
    lines = [{"type": "thread.started", "thread_id": "t"}, {"type": "item.completed", "item": item}]
    return read(RunSource(path=written(folder / "exec.jsonl", lines), spec=folder / "spec.md"))


def command_item(command: object) -> Line:
    return {"type": "command_execution", "command": command, "aggregated_output": "3 passed in 1s", "exit_code": 0}


def rolled_out(folder: Path, *lines: Line) -> Evidence:
    return read(RunSource(path=written(folder / "rollout-1.jsonl", list(lines))))


@pytest.mark.parametrize(
    "command",
    [
        ["bash", "-lc", "pytest -q"],
        ["powershell.exe", "-NoProfile", "-Command", "pytest -q"],
        ["C:\\Program Files\\PowerShell\\7\\pwsh.exe", "-Command", "pytest", "-q"],
        "/bin/zsh -lc 'pytest -q'",
        '/usr/bin/bash -lc "pytest -q"',
        "\"C:\\Windows\\System32\\powershell.exe\" -Command 'pytest -q'",
        "pytest -q",
    ],
)
def test_the_shell_around_a_command_is_left_out(tmp_path: Path, command: object) -> None:
    found = executed(tmp_path, command_item(command))

    assert [(run.command, run.passed) for run in found.activity.test_runs] == [("pytest -q", 3)]


@pytest.mark.parametrize("command", ["bash -c 'make' && pytest", "bash run-tests.sh", "bash -c 'open"])
def test_a_shell_may_be_a_part_of_a_command(tmp_path: Path, command: str) -> None:
    assert [ran.text for ran in executed(tmp_path, command_item(command)).activity.actions.commands] == [command]


def test_tokens_that_are_told_again_count_once(tmp_path: Path) -> None:
    def told(total: int, last: int) -> dict[str, Any]:
        usage = [{"input_tokens": count, "output_tokens": 10} for count in (total, last)]
        info = {"total_token_usage": usage[0], "last_token_usage": usage[1]}
        return {"type": "event_msg", "payload": {"type": "token_count", "info": info, "rate_limits": {}}}

    asked = {"type": "event_msg", "payload": {"type": "user_message", "message": "Add a test."}}
    lines = [asked, told(100, 100), told(100, 100), told(300, 200), told(300, 200)]

    assert rolled_out(tmp_path, *lines).resources.usage.input_tokens == 300


def test_calls_of_servers_and_searches_are_known(tmp_path: Path) -> None:
    given = {"path": "slug.py", "content": "a = 1\n"}
    item = {"type": "mcp_tool_call", "server": "files", "tool": "write_file", "arguments": given, "status": "completed"}
    action = {"type": "open_page", "url": "https://example.com/slug"}
    rollout = [
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Add a test."}},
        {"type": "response_item", "payload": {"type": "web_search_call", "status": "completed", "action": action}},
    ]

    edited, searched = executed(tmp_path, item), rolled_out(tmp_path, *rollout)

    assert [edit.path for edit in edited.activity.edits] == ["slug.py"]
    assert [fetch.address for fetch in searched.activity.actions.fetches] == ["https://example.com/slug"]
