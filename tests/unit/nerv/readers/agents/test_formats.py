"""Each format in a few lines, with what its real logs have and a reader could get wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read


def read_document(folder: Path, name: str, document: object) -> Evidence:
    file = folder / name
    file.write_text(json.dumps(document, indent=1))
    return read(RunSource(path=file))


def read_lines(folder: Path, name: str, records: list[dict[str, Any]]) -> Evidence:
    file = folder / name
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return read(RunSource(path=file))


def test_a_swe_agent_run_that_did_not_submit_is_reported(tmp_path: Path) -> None:
    step = {"action": "edit 1:1\nx\nend_of_edit", "observation": "[File: /r/a.py]", "thought": "Edit it."}
    state = json.dumps({"open_file": "/r/a.py", "working_dir": "/r"})
    document = {
        "trajectory": [{**step, "state": state}],
        "history": [
            {"role": "user", "content": "A demonstration.", "is_demo": True, "agent": "primary"},
            {"role": "user", "content": "ISSUE:\nFix the parser.\n\nINSTRUCTIONS:\nGo.", "agent": "primary"},
        ],
        "info": {"exit_status": "exit_cost", "model_stats": {"instance_cost": 2.0}},
    }
    found = read_document(tmp_path, "a.traj", document)

    assert found.spec.title == "Fix the parser."
    assert [edit.path for edit in found.activity.edits] == ["/r/a.py"]
    assert found.warnings == ("a.traj: the run did not end by submitting: exit_cost",)


@pytest.mark.parametrize("as_text", [False, True])
def test_the_model_of_a_trajectory_is_the_configured_one(tmp_path: Path, as_text: bool) -> None:
    config = {"agent": {"model": {"name": "gpt-4o"}}}
    swe_agent = {
        "trajectory": [{"action": "ls", "observation": "", "thought": "I look."}],
        "history": [{"role": "user", "content": "Add a test.", "agent": "main"}],
        "replay_config": json.dumps(config) if as_text else config,
    }
    mini = {
        "info": {"mini_version": "2.0.0", "config": {"model": {"model_name": "acme/small"}}},
        "messages": [{"role": "user", "content": "Add a test."}, {"role": "assistant", "content": "I look."}],
    }

    assert read_document(tmp_path, "a.traj", swe_agent).configuration.model == "gpt-4o"
    assert read_document(tmp_path, "b.traj.json", mini).configuration.model == "acme/small"


def test_an_edit_that_swe_agent_refused_changed_nothing(tmp_path: Path) -> None:
    observation = "Your proposed edit has introduced new syntax error(s)."
    document = {
        "trajectory": [{"action": "edit 1:1\n(", "observation": observation, "state": {"open_file": "/r/a.py"}}],
        "history": [{"role": "user", "content": "Fix it.", "agent": "primary"}],
        "info": {},
    }
    found = read_document(tmp_path, "a.traj", document)

    assert found.activity.edits == ()
    assert found.incidents.tool_errors.count == 1


@pytest.mark.parametrize(("code", "succeeded"), [(0, True), (1, False)])
def test_a_return_code_in_the_text_decides_a_command_of_mini_swe_agent(
    tmp_path: Path, code: int, succeeded: bool
) -> None:
    messages = [
        {"role": "system", "content": "You can use the shell."},
        {"role": "user", "content": "Please solve this issue: Fix it.\n\nYou can execute bash commands and so on"},
        {"role": "assistant", "content": "Test.\n\n```bash\npytest -q\n```"},
        {"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\nno summary\n</output>"},
    ]
    found = read_document(tmp_path, "a.traj.json", messages)

    assert found.spec.title == "Fix it."
    assert [run.succeeded for run in found.activity.test_runs] == [succeeded]


def test_mini_swe_agents_answers_by_the_responses_api_are_read(tmp_path: Path) -> None:
    def response(id_: str, command: str) -> dict[str, Any]:
        call = {"type": "function_call", "call_id": id_, "name": "bash", "arguments": json.dumps({"command": command})}
        said = {"type": "message", "content": [{"type": "output_text", "text": "I run it."}]}
        usage = {"input_tokens": 500, "output_tokens": 50, "input_tokens_details": {"cached_tokens": 100}}
        extra = {"timestamp": 1_767_607_200.0}
        return {"object": "response", "model": "gpt-5", "output": [said, call], "usage": usage, "extra": extra}

    document = {
        "info": {"mini_version": "2.1.0", "exit_status": "Submitted"},
        "messages": [
            {"role": "system", "content": "You are"},
            {"role": "user", "content": "Add a test."},
            response("c1", "pytest -q"),
            {
                "type": "function_call_output",
                "call_id": "c1",
                "output": "<returncode>1</returncode>\n<output>\n1 failed, 4 passed in 0.1s</output>",
            },
        ],
    }
    file = tmp_path / "run.traj.json"
    file.write_text(json.dumps(document))
    found = read(RunSource(path=file))

    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(4, 1)]
    assert [command.exit_code for command in found.activity.actions.commands] == [1]
    usage = found.resources.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (400, 50, 100)
    assert found.configuration.model == "gpt-5"
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "I run it."


def test_a_codex_patch_edits_each_file_that_it_names(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"
    records = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {
            "type": "turn_context",
            "payload": {
                "model": "gpt-5",
                "approval_policy": "never",
                "sandbox_policy": {"type": "danger-full-access"},
            },
        },
        {"type": "event_msg", "payload": {"type": "user_message", "message": "Rename x to y."}},
        {
            "type": "response_item",
            "payload": {"type": "custom_tool_call", "name": "apply_patch", "call_id": "1", "input": patch},
        },
        {
            "type": "response_item",
            "payload": {"type": "custom_tool_call_output", "call_id": "1", "output": "Success. Updated the files"},
        },
        {"type": "event_msg", "payload": {"type": "context_compacted"}},
        {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}},
    ]
    found = read_lines(tmp_path, "rollout-1.jsonl", records)

    assert [edit.path for edit in found.activity.edits] == ["a.py", "b.py"]
    assert found.configuration.permissions_bypassed
    assert found.resources.compactions.count == 1
    assert found.incidents.interruptions.count == 1


@pytest.mark.parametrize(
    ("lines", "count"),
    [(["line", "event", "line", "event"], 2), (["line", "line"], 2), (["event", "line"], 1), ([], 0)],
)
def test_a_compaction_of_codex_counts_once(tmp_path: Path, lines: list[str], count: int) -> None:
    line = {"type": "compacted", "payload": {"message": "a summary", "replacement_history": []}}
    event = {"type": "event_msg", "payload": {"type": "context_compacted"}}
    asked = {"type": "event_msg", "payload": {"type": "user_message", "message": "Rename x."}}
    found = read_lines(tmp_path, "rollout-1.jsonl", [asked, *({"line": line, "event": event}[one] for one in lines)])
    assert found.resources.compactions.count == count
    assert "compactions" in found.recorded


def test_the_output_of_codex_exec_is_read(tmp_path: Path) -> None:
    command = {
        "type": "command_execution",
        "command": "bash -lc 'cargo test'",
        "aggregated_output": "test result: FAILED. 1 passed; 2 failed; 0 ignored",
        "exit_code": 101,
    }
    records = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": command},
        {"type": "item.completed", "item": {"type": "file_change", "changes": [{"path": "src/lib.rs"}]}},
        {"type": "turn.completed", "usage": {"input_tokens": 90, "cached_input_tokens": 40, "output_tokens": 5}},
    ]
    spec = tmp_path / "SPEC.md"
    spec.write_text("- Fix the library\n")
    file = tmp_path / "exec.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    found = read(RunSource(path=file, spec=spec))

    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(1, 2)]
    assert [edit.path for edit in found.activity.edits] == ["src/lib.rs"]
    assert (found.resources.usage.input_tokens, found.resources.usage.cache_read_tokens) == (50, 40)
    assert "compactions" not in found.recorded


def a_transcript_of_cursor(*blocks: dict[str, Any]) -> list[dict[str, Any]]:
    query = "<timestamp>Sunday, Sep 20, 2026, 12:31 AM (UTC+3)</timestamp>\n<user_query>\nAdd a price.\n</user_query>"
    return [
        {"role": "user", "message": {"content": [{"type": "text", "text": query}]}},
        *({"role": "assistant", "message": {"content": [block]}} for block in blocks),
    ]


def test_the_calls_of_a_transcript_of_cursor_have_no_results(tmp_path: Path) -> None:
    calls: list[tuple[str, object]] = [
        ("Read", {"path": "/w/a.py"}),
        ("StrReplace", {"path": "/w/a.py", "old_string": "x = 1", "new_string": "x = 2"}),
        ("Write", {"path": "/w/b.py", "contents": "y = 1\n"}),
        ("Write", {"path": "/w/gone.py", "contents": "1\n"}),
        ("Delete", {"path": "/w/gone.py"}),
        ("ApplyPatch", "*** Begin Patch\n*** Add File: /w/c.py\n+z = 1\n*** End Patch"),
        ("Shell", {"command": "pytest -q", "description": "run the tests"}),
    ]
    blocks = [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    said = [{"type": "text", "text": text} for text in ("It is done.\n\n[REDACTED]", "[REDACTED]")]
    ended = {"type": "turn_ended", "status": "success"}
    found = read_lines(tmp_path, "t.jsonl", [*a_transcript_of_cursor(*blocks, *said), ended])

    assert found.spec.title == "Add a price."
    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files if change.added] == ["w/a.py", "w/b.py", "w/c.py"]
    assert [one.path for one in found.activity.actions.reads] == ["/w/a.py"]
    assert [(one.text, one.failed) for one in found.activity.actions.commands] == [("pytest -q", None)]
    assert found.activity.test_runs == ()
    assert "tests" not in found.recorded
    message, ending = found.activity.actions.final_message, found.activity.actions.ending
    assert (message.text if message else "", ending.kind if ending else "") == ("It is done.", "answered")


def test_a_transcript_of_cursor_says_that_a_turn_was_aborted(tmp_path: Path) -> None:
    lines = [*a_transcript_of_cursor({"type": "text", "text": "I begin."}), {"type": "turn_ended", "status": "aborted"}]
    ending = read_lines(tmp_path, "t.jsonl", lines).activity.actions.ending
    assert ending is not None
    assert ending.kind == "interrupted"


def test_a_command_of_cursor_fails_by_its_exit_code(tmp_path: Path) -> None:
    def completed(exit_code: int) -> dict[str, Any]:
        result = {"success": {"exitCode": exit_code, "stdout": "", "stderr": ""}}
        call = {"shellToolCall": {"args": {"command": "npm test"}, "result": result}}
        return {"type": "tool_call", "subtype": "completed", "session_id": "s", "tool_call": call}

    records = [
        {"type": "system", "subtype": "init", "apiKeySource": "login", "session_id": "s"},
        {"type": "user", "message": {"content": [{"type": "text", "text": "Fix the tests."}]}, "session_id": "s"},
        completed(1),
        completed(0),
    ]
    found = read_lines(tmp_path, "stream.jsonl", records)

    assert [run.succeeded for run in found.activity.test_runs] == [False, True]


def test_a_command_of_cursor_in_the_background_has_not_passed(tmp_path: Path) -> None:
    result = {"success": {"command": "npm test", "exitCode": 0, "stdout": "", "stderr": ""}, "isBackground": True}
    shell = {"args": {"command": "npm test", "toolCallId": "call_1", "isBackground": True}, "result": result}
    records = [
        {"type": "system", "subtype": "init", "apiKeySource": "login", "session_id": "s"},
        {"type": "user", "message": {"content": [{"type": "text", "text": "Fix the tests."}]}, "session_id": "s"},
        {"type": "tool_call", "subtype": "completed", "session_id": "s", "tool_call": {"shellToolCall": shell}},
    ]
    found = read_lines(tmp_path, "stream.jsonl", records)

    assert found.activity.test_runs == ()
    assert [(each.text, each.shown) for each in found.activity.actions.commands] == [("npm test", False)]


def test_the_calls_of_a_subagent_of_cursor_are_those_of_the_run(tmp_path: Path) -> None:
    shell = {
        "args": {"command": "npm test"},
        "result": {"success": {"exitCode": 0, "stdout": "3 passing", "stderr": ""}},
    }
    edit = {"args": {"path": "/r/a.ts", "fileText": "a\n"}, "result": {"success": {"path": "/r/a.ts"}}}
    steps = [
        {"toolCall": {"editToolCall": edit}},
        {"toolCall": {"shellToolCall": shell}},
        {"toolCall": {"readToolCall": None}},
        {"assistantMessage": {"text": "The tests pass."}},
    ]
    task = {"args": {"prompt": "Test it."}, "result": {"success": {"conversationSteps": steps, "agentId": "x"}}}
    records = [
        {"type": "system", "subtype": "init", "apiKeySource": "login", "session_id": "s"},
        {"type": "user", "message": {"content": [{"type": "text", "text": "Fix the tests."}]}, "session_id": "s"},
        {"type": "tool_call", "subtype": "completed", "session_id": "s", "tool_call": {"taskToolCall": task}},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "Done."}]}, "session_id": "s"},
    ]
    found = read_lines(tmp_path, "stream.jsonl", records)

    assert [run.passed for run in found.activity.test_runs] == [3]
    assert [change.path for change in found.activity.edits] == ["/r/a.ts"]
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."


def test_every_editor_of_cursor_changes_files(tmp_path: Path) -> None:
    def call(**members: object) -> dict[str, Any]:
        return {"type": "tool_call", "subtype": "completed", "session_id": "c", "tool_call": members}

    server = {
        "providerIdentifier": "files",
        "toolName": "write_file",
        "args": {"path": "/p/b.py", "content": "b = 1\n"},
    }
    named = {"name": "mcp__files__write_file", "arguments": json.dumps({"path": "/p/c.py", "content": "c = 1\n"})}
    found = read_lines(
        tmp_path,
        "stream.jsonl",
        [
            {"type": "system", "apiKeySource": "login", "session_id": "c", "cwd": "/p"},
            {"type": "user", "message": {"content": "Add b.py."}, "session_id": "c"},
            call(writeToolCall={"args": {"path": "/p/a.py", "fileText": "a = 1\n"}, "result": {"success": {}}}),
            call(deleteToolCall={"args": {"path": "/p/old.py"}, "result": {"success": {}}}),
            call(mcpToolCall={"args": server, "result": {"success": {"content": [{"text": {"text": "ok"}}]}}}),
            call(function=named),
        ],
    )

    assert found.changes.diff is not None
    changes = {change.path: (change.kind, change.added) for change in found.changes.diff.files}
    assert changes.keys() == {"a.py", "b.py", "c.py", "old.py"}
    assert changes["old.py"][0] == "deleted"
    assert changes["a.py"][1] == 1


def test_a_call_that_the_user_of_gemini_cancelled_is_an_interruption(tmp_path: Path) -> None:
    call = {"id": "1", "name": "write_file", "args": {"file_path": "a.md", "content": "x"}, "status": "cancelled"}
    document = {
        "sessionId": "s",
        "projectHash": "h",
        "messages": [
            {"type": "user", "content": "Write a.md."},
            {"type": "gemini", "content": "", "toolCalls": [call]},
        ],
    }
    found = read_document(tmp_path, "session-1.json", document)

    assert found.activity.edits == ()
    assert found.incidents.interruptions.count == 1


def test_atif_steps_have_their_calls_before_or_after_the_results(tmp_path: Path) -> None:
    call = {"tool_call_id": "1", "function_name": "bash_command", "arguments": {"keystrokes": "pytest\n"}}
    late = {"id": "2", "name": "Write", "arguments": {"file_path": "a.py", "content": ""}}
    document = {
        "schema_version": "ATIF-v1.6",
        "session_id": "s",
        "agent": {"name": "x", "version": "1", "model_name": "m"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "Write a.py."},
            {
                "step_id": 2,
                "source": "agent",
                "message": "",
                "tool_calls": [call],
                "observation": {"results": [{"source_call_id": "1", "content": "2 passed in 0.1s"}]},
            },
            {
                "step_id": 3,
                "source": "system",
                "message": "Tool result for 2",
                "observation": {"content": "no space", "result": {"success": False}},
            },
            {"step_id": 4, "source": "agent", "message": "", "tool_calls": [late]},
        ],
    }
    found = read_document(tmp_path, "trajectory.json", document)

    assert [run.passed for run in found.activity.test_runs] == [2]
    assert found.activity.edits == ()
    assert found.incidents.tool_errors.count == 1


def test_a_folder_with_one_log_means_that_log(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    document = {
        "schema_version": "ATIF-v1.6",
        "agent": {"name": "x"},
        "steps": [{"step_id": 1, "source": "user", "message": "Write a.py."}],
    }
    (tmp_path / "agent" / "trajectory.json").write_text(json.dumps(document))

    assert read(RunSource(path=tmp_path)).kind == "atif"


def test_a_request_of_aider_may_name_its_mode(tmp_path: Path) -> None:
    file = tmp_path / ".aider.chat.history.md"
    chat = ["# aider chat started at 2026-01-01 10:00:00", "#### /add shop.py  ", "#### ", "", "> Added shop.py"]
    chat += ["#### /architect Add a price.  ", "", "I will.", "", "> Tokens: 2k sent, 200 received."]
    file.write_text("\n".join([*chat, "#### /code Round it.  ", "", "Yes.", "", "#### /exit  ", ""]))
    found = read(RunSource(path=file))
    assert [item.text for item in found.spec.items] == ["Add a price.", "Round it."]
