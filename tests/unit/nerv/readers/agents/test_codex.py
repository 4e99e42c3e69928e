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
    named = {"name": "write_file", "namespace": "mcp__files", "arguments": json.dumps(given), "call_id": "1"}
    rollout = [
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Add a test."}},
        {"type": "response_item", "payload": {"type": "function_call", **named}},
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "1", "output": "ok"}},
        {"type": "response_item", "payload": {"type": "web_search_call", "status": "completed", "action": action}},
    ]

    edited, searched = executed(tmp_path, item), rolled_out(tmp_path, *rollout)

    assert [edit.path for edit in edited.activity.edits] == ["slug.py"]
    assert [edit.path for edit in searched.activity.edits] == ["slug.py"]
    assert [fetch.address for fetch in searched.activity.actions.fetches] == ["https://example.com/slug"]


PATCH = "*** Begin Patch\n*** Add File: slug.py\n+a = 'x'\n*** End Patch\n"
ASKED: Line = {"type": "event_msg", "payload": {"type": "user_message", "message": "Add a test."}}


def script(source: str, *shown: str, id_: str = "1") -> list[Line]:
    """A call of `exec`, and what it returned."""
    call = {"type": "custom_tool_call", "name": "exec", "call_id": id_, "input": source}
    blocks = [{"type": "input_text", "text": each} for each in shown]
    output = {"type": "custom_tool_call_output", "call_id": id_, "output": blocks}
    return [{"type": "response_item", "payload": payload} for payload in (call, output)]


@pytest.mark.parametrize(
    ("source", "command"),
    [
        ('text(await tools.exec_command({cmd:"pytest -q",workdir:"/r"}));', "pytest -q"),
        (
            'const r = await tools.shell_command({"workdir": "/r", "command": "pytest -q"}); text(r.output);',
            "pytest -q",
        ),
        ("const c = 'pytest -k \\'a\\'';\nawait tools.exec_command({ cmd: c })", "pytest -k 'a'"),
        ("await tools.exec_command({cmd: `ls\npytest`})", "ls\npytest"),
        (r'await tools.exec_command({cmd:"pytest \ud83d\ude00"})', "pytest \N{GRINNING FACE}"),
        (r'await tools.exec_command({cmd:"pytest \ud83d"})', "pytest \N{REPLACEMENT CHARACTER}"),
        ('await tools.exec_command({cmd:"ls"}); await tools.exec_command({cmd:"pytest"})', "ls\npytest"),
    ],
)
def test_a_script_runs_commands(tmp_path: Path, source: str, command: str) -> None:
    status = "Script completed\nWall time 1.0 seconds\nOutput:\n"
    found = rolled_out(tmp_path, ASKED, *script(source, status, "1 failed, 2 passed in 0.1s"))

    assert [ran.text for ran in found.activity.actions.commands] == [command]
    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(2, 1)]


def test_the_result_of_a_command_in_a_script_may_be_json(tmp_path: Path) -> None:
    shown = json.dumps({"chunk_id": "1", "exit_code": 1, "output": "E\n1 failed in 0.1s"})
    found = rolled_out(tmp_path, ASKED, *script('text(await tools.exec_command({cmd:"pytest"}))', shown))

    (command,) = found.activity.actions.commands
    assert (command.exit_code, command.output) == (1, "E\n1 failed in 0.1s")


def test_a_script_edits_files(tmp_path: Path) -> None:
    source = f"const r = await tools.apply_patch({json.dumps(PATCH)}); text(r);"
    found = rolled_out(tmp_path, ASKED, *script(source, "Script completed\nWall time 1\nOutput:\n", "{}"))

    assert found.changes.diff is not None
    assert [(change.path, change.added) for change in found.changes.diff.files] == [("slug.py", 1)]


def test_a_script_that_failed_changed_nothing(tmp_path: Path) -> None:
    source = f"const p = {json.dumps(PATCH)};\nawait tools.apply_patch(p);"
    found = rolled_out(tmp_path, ASKED, *script(source, "Script failed\nWall time 1\nOutput:\n", "no such file"))

    assert found.activity.edits == ()
    assert found.nothing_to_grade


def test_a_script_that_goes_on_has_its_result_later(tmp_path: Path) -> None:
    started = script(
        'await tools.exec_command({cmd:"pytest"})', "Script running with cell ID 7\nWall time 1\nOutput:\n"
    )
    waits = {"type": "function_call", "name": "wait", "call_id": "2", "arguments": json.dumps({"cell_id": "7"})}
    shown = "Script completed\nWall time 9\nOutput:\n3 passed in 9s"
    ended = {"type": "function_call_output", "call_id": "2", "output": shown}
    later = [{"type": "response_item", "payload": payload} for payload in (waits, ended)]

    assert [run.passed for run in rolled_out(tmp_path, ASKED, *started, *later).activity.test_runs] == [3]


def test_a_command_that_a_script_works_out_is_not_guessed(tmp_path: Path) -> None:
    found = rolled_out(tmp_path, ASKED, *script("await tools.exec_command({cmd: `pytest ${file}`})", "3 passed in 1s"))

    assert found.activity.test_runs == ()


def process(*shown: str) -> list[Line]:
    """A command that goes on, and what asking for it showed."""
    given = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"pytest -q"}', "call_id": "1"}
    started = "Wall time: 10.0 seconds\nProcess running with session ID 7\nOutput:\ncollected 3 items\n"
    payloads: list[Line] = [given, {"type": "function_call_output", "call_id": "1", "output": started}]
    for number, each in enumerate(shown):
        asked = {
            "type": "function_call",
            "name": "write_stdin",
            "arguments": '{"session_id":7}',
            "call_id": f"w{number}",
        }
        payloads += [asked, {"type": "function_call_output", "call_id": f"w{number}", "output": each}]
    return [{"type": "response_item", "payload": payload} for payload in payloads]


def test_a_command_that_goes_on_has_all_of_its_output(tmp_path: Path) -> None:
    found = rolled_out(tmp_path, ASKED, *process("Process exited with code 0\nOutput:\n3 passed in 9s"))

    (command,) = found.activity.actions.commands
    assert (command.output, command.exit_code, command.shown) == ("collected 3 items\n3 passed in 9s", 0, True)


@pytest.mark.parametrize(
    ("shown", "known"),
    [
        ((), False),
        (("Process running with session ID 7\nOutput:\n",), False),
        (("Process running with session ID 7\nOutput:\n3 passed in 9s",), True),
    ],
)
def test_a_command_that_never_ended_has_not_passed(tmp_path: Path, shown: tuple[str, ...], known: bool) -> None:
    found = rolled_out(tmp_path, ASKED, *process(*shown))

    (command,) = found.activity.actions.commands
    assert (command.text, command.failed, command.shown) == ("pytest -q", None, known)
    assert found.activity.test_runs == ()
