"""Codex CLI: rollouts from before their lines had a payload, and those of the newest form, which have items."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Line = dict[str, Any]

CONTEXT = "<environment_context>\nCurrent working directory: /r\nApproval policy: never\n</environment_context>"
PATCH = "*** Begin Patch\n*** Add File: slug.py\n+a = 'x'\n*** End Patch"


def sent(role: str, words: str) -> Line:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "id": None, "role": role, "content": [{"type": kind, "text": words}]}


def shell(id_: str, command: list[str], output: str, code: int = 0) -> list[Line]:
    """A call of the tool `shell`, and its output, which was JSON in a string."""
    given = json.dumps({"command": command, "timeout": 120_000})
    shown = json.dumps({"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.3}})
    return [
        {"type": "function_call", "id": None, "name": "shell", "arguments": given, "call_id": id_},
        {"type": "function_call_output", "call_id": id_, "output": shown},
    ]


ITEMS = [
    sent("user", "<user_instructions>\n\nAlways answer briefly.\n\n</user_instructions>"),
    sent("user", CONTEXT),
    sent("user", "Add a function `slug`."),
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "I think."}]},
    *shell("call_1", ["apply_patch", PATCH], "Success. Updated the following files:\nA slug.py\n"),
    *shell("call_2", ["bash", "-lc", "pytest -q"], "1 failed, 2 passed in 0.1s", 1),
    sent("assistant", "One test fails."),
]
HEADER = {"id": "c3c4b301", "timestamp": "2025-08-18T01:16:13.522Z", "instructions": None}
GIT = {"commit_hash": "0123456789abcdef0123456789abcdef01234567", "branch": "main"}


def read_lines(folder: Path, *lines: Line, name: str = "rollout-1.jsonl") -> Evidence:
    file = folder / name
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return read(RunSource(path=file))


def read_bare(folder: Path) -> Evidence:
    state = {"record_type": "state"}
    lines = [{**HEADER, "git": GIT}, state, *ITEMS[:4], state, *ITEMS[4:], state]
    return read_lines(folder, *lines)


def read_document(folder: Path) -> Evidence:
    file = folder / "rollout-2025-05-07-c3c4b301.json"
    file.write_text(json.dumps({"session": HEADER, "items": ITEMS}, indent=2))
    return read(RunSource(path=folder))


@pytest.mark.parametrize("read_form", [read_bare, read_document])
def test_a_rollout_from_before_lines_had_a_payload_is_read(tmp_path: Path, read_form: Any) -> None:
    found = read_form(tmp_path)

    assert [item.text for item in found.spec.items] == ["Add a function `slug`."]
    assert [(run.command, run.passed, run.failed) for run in found.activity.test_runs] == [("pytest -q", 2, 1)]
    assert found.changes.diff is not None
    assert [(change.path, change.added) for change in found.changes.diff.files] == [("slug.py", 1)]
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "One test fails."
    assert "tokens" not in found.recorded
    assert "time" not in found.recorded


def test_an_old_header_names_the_commit_at_which_the_run_began(tmp_path: Path) -> None:
    assert read_bare(tmp_path).changes.base_commit == GIT["commit_hash"]


def line(kind: str, payload: Line) -> Line:
    return {"timestamp": "2026-09-18T09:31:13.124Z", "type": kind, "payload": payload}


def completed(what: str, id_: str, **members: object) -> Line:
    item = {"type": what, "id": id_, **members}
    return line("event_msg", {"type": "item_completed", "thread_id": "t", "turn_id": "t1", "item": item})


def ran(id_: str, command: str, output: str, code: int = 0) -> Line:
    members = {"command": ["/bin/zsh", "-lc", command], "cwd": "file:///r", "aggregated_output": output}
    return completed("CommandExecution", id_, **members, exit_code=code, status="failed" if code else "completed")


def changed(id_: str, status: str = "completed", **changes: Line) -> Line:
    files = {f"/r/{path}.py": change for path, change in changes.items()}
    return completed("FileChange", id_, changes=files, status=status, stdout="", stderr="")


def script(source: str, output: str) -> tuple[Line, Line]:
    call = {"type": "custom_tool_call", "name": "exec", "call_id": "call_s", "input": source}
    shown = [{"type": "input_text", "text": output}]
    ended = {"type": "custom_tool_call_output", "call_id": "call_s", "output": shown}
    return line("response_item", call), line("response_item", ended)


META = line("session_meta", {"id": "t", "cwd": "/r", "source": "cli", "history_mode": "paginated"})
TYPED = "Add a function `slug`."
ASKED = [
    META,
    line("response_item", sent("user", "# AGENTS.md instructions for /r\n\n<INSTRUCTIONS>\nuse uv\n</INSTRUCTIONS>")),
    line("response_item", sent("user", TYPED)),
    completed("UserMessage", "u1", content=[{"type": "text", "text": TYPED, "text_elements": []}]),
]
ENDED = "Script completed\nWall time 1.0 seconds\nOutput:\n"


def test_requests_and_answers_of_the_newest_form_are_items(tmp_path: Path) -> None:
    answer = completed("AgentMessage", "a1", content=[{"type": "Text", "text": "Done."}], phase="final_answer")
    found = read_lines(tmp_path, *ASKED, changed("exec-1", slug={"type": "add", "content": "a\n"}), answer)

    assert [item.text for item in found.spec.items] == [TYPED]
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."


def test_requests_without_any_event_are_those_that_were_sent(tmp_path: Path) -> None:
    found = read_lines(tmp_path, *ASKED[:3], *(line("response_item", each) for each in ITEMS[4:6]))

    assert [item.text for item in found.spec.items] == [TYPED]


def test_commands_that_a_script_works_out_are_known_by_their_items(tmp_path: Path) -> None:
    call, output = script("for (const d of dirs) await tools.exec_command({cmd: `pytest ${d}`})", ENDED)
    runs = [ran("exec-1", "pytest a", "3 passed in 1s"), ran("exec-2", "pytest b", "1 failed in 1s", 1)]

    found = read_lines(tmp_path, *ASKED, call, *runs, output)

    assert [(run.command, run.passed, run.failed) for run in found.activity.test_runs] == [
        ("pytest a", 3, 0),
        ("pytest b", 0, 1),
    ]


def test_a_command_of_a_script_counts_once(tmp_path: Path) -> None:
    call, output = script('text(await tools.exec_command({cmd:"pytest -q"}))', f"{ENDED}3 passed in 1s")

    found = read_lines(tmp_path, *ASKED, call, ran("exec-1", "pytest -q", ""), output)

    assert [(run.command, run.passed) for run in found.activity.test_runs] == [("pytest -q", 3)]


def test_a_command_outside_of_scripts_counts_once(tmp_path: Path) -> None:
    given = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd":"pytest -q"}', "call_id": "call_1"}
    shown = {"type": "function_call_output", "call_id": "call_1", "output": "Output:\n1 failed in 1s"}
    lines = [line("response_item", given), ran("call_1", "pytest -q", "", 1), line("response_item", shown)]

    found = read_lines(tmp_path, *ASKED, *lines)

    assert [(ran.text, ran.exit_code) for ran in found.activity.actions.commands] == [("pytest -q", 1)]
    assert [run.failed for run in found.activity.test_runs] == [1]


def test_files_that_a_script_changed_are_part_of_the_diff(tmp_path: Path) -> None:
    call, output = script("await tools.apply_patch(patches[i])", ENDED)
    update = {"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n-a = 1\n+a = 2\n b = 1\n", "move_path": None}
    good = changed("exec-1", slug={"type": "add", "content": "a = 'x'\nb = 2\n"}, shop=update)
    bad = changed("exec-2", "failed", other={"type": "add", "content": "c\n"})

    found = read_lines(tmp_path, *ASKED, call, good, bad, output)

    assert found.changes.diff is not None
    assert [(each.path, each.added, each.removed) for each in found.changes.diff.files] == [
        ("shop.py", 1, 1),
        ("slug.py", 2, 0),
    ]
