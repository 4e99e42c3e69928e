"""What `codex exec --json` wrote before version 0.44: events, after lines with the settings and the prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Line = dict[str, Any]

SETTINGS = {"model": "gpt-5", "workdir": "/r", "provider": "openai", "approval": "never", "sandbox": "workspace-write"}
PROMPT = {"prompt": "Add a function `slug`."}


def event(kind: str, **members: object) -> Line:
    return {"id": "0", "msg": {"type": kind, **members}}


def ran(id_: str, command: list[str], output: str, code: int) -> list[Line]:
    ended = {"stdout": output, "stderr": "", "exit_code": code, "duration": {"secs": 1, "nanos": 0}}
    return [
        event("exec_command_begin", call_id=id_, command=command, cwd="/r", parsed_cmd=[]),
        event("exec_command_end", call_id=id_, **ended),
    ]


def patched(id_: str, *, success: bool = True, **changes: Line) -> list[Line]:
    files = {f"/r/{name}.py": change for name, change in changes.items()}
    return [
        event("patch_apply_begin", call_id=id_, auto_approved=True, changes=files),
        event("patch_apply_end", call_id=id_, stdout="Success.", stderr="", success=success),
    ]


def recorded(folder: Path, *lines: Line) -> Evidence:
    file = folder / "exec.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in (SETTINGS, PROMPT, event("task_started"), *lines)))
    return read(RunSource(path=file))


def test_the_events_of_a_run_are_read(tmp_path: Path) -> None:
    update = {"update": {"unified_diff": "@@ -1,1 +1,1 @@\n-a = 1\n+a = 2\n", "move_path": None}}
    found = recorded(
        tmp_path,
        *patched("p1", slug={"add": {"content": "a = 'x'\nb = 1\n"}}, shop=update),
        *ran("c1", ["bash", "-lc", "pytest -q"], "1 failed, 2 passed in 0.1s", 1),
        event("token_count", info={"last_token_usage": {"input_tokens": 100, "output_tokens": 10}}),
        *ran("c2", ["bash", "-lc", "pytest -q"], "3 passed in 0.1s", 0),
        event("token_count", input_tokens=50, output_tokens=5),
        event("agent_message", message="Done."),
        event("task_complete", last_agent_message="Done."),
    )

    assert found.kind == "codex"
    assert [item.text for item in found.spec.items] == ["Add a function `slug`."]
    assert [(run.command, run.passed, run.failed) for run in found.activity.test_runs] == [
        ("pytest -q", 2, 1),
        ("pytest -q", 3, 0),
    ]
    assert found.changes.diff is not None
    assert [(each.path, each.added, each.removed) for each in found.changes.diff.files] == [
        ("shop.py", 1, 1),
        ("slug.py", 2, 0),
    ]
    assert found.resources.usage.input_tokens == 150
    assert found.configuration.model == "gpt-5"
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."


def test_a_patch_that_failed_changed_nothing(tmp_path: Path) -> None:
    found = recorded(tmp_path, *patched("p1", success=False, slug={"type": "add", "content": "a\n"}))

    assert found.activity.edits == ()


def test_calls_of_servers_are_known(tmp_path: Path) -> None:
    call = {"server": "files", "tool": "write_file", "arguments": {"path": "slug.py", "content": "a = 1\n"}}
    result = {"Ok": {"content": [{"type": "text", "text": "ok"}]}}
    found = recorded(
        tmp_path,
        event("mcp_tool_call_begin", call_id="m", invocation=call),
        event("mcp_tool_call_end", call_id="m", invocation=call, result=result),
        event("mcp_tool_call_end", call_id="n", invocation={**call, "tool": "edit_x"}, result={"Err": "no"}),
    )

    assert [edit.path for edit in found.activity.edits] == ["slug.py"]
    assert found.incidents.tool_errors.count == 1


def test_an_error_ends_the_run(tmp_path: Path) -> None:
    found = recorded(tmp_path, event("exec_command_begin", call_id="c", command=["ls"]), event("error", message="boom"))

    assert found.activity.actions.ending is not None
    assert (found.activity.actions.ending.kind, found.activity.actions.ending.text) == ("error", "boom")
