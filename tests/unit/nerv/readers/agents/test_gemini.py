"""Gemini CLI: what its newer sessions hold, and its recorded stream."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Line = dict[str, Any]
HEADER = {"sessionId": "s", "projectHash": "h", "startTime": "2026-01-01T00:00:00Z", "kind": "main"}


def written(file: Path, lines: list[Line]) -> Evidence:
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return read(RunSource(path=file))


def event(second: int, kind: str, **members: object) -> Line:
    return {"type": kind, "timestamp": f"2026-01-01T00:00:{second:02}.000Z", **members}


def piece(second: int, words: str) -> Line:
    return event(second, "message", role="assistant", content=words, delta=True)


STREAM = [
    event(0, "init", session_id="s", model="gemini-2.5-pro"),
    event(0, "message", role="user", content="Add a function `slug` to slug.py."),
    piece(1, "I will "),
    piece(1, "write it."),
    event(
        2, "tool_use", tool_name="write_file", tool_id="w", parameters={"file_path": "slug.py", "content": "a = 1\n"}
    ),
    event(3, "tool_result", tool_id="w", status="success", output=""),
    event(4, "tool_use", tool_name="run_shell_command", tool_id="r", parameters={"command": "pytest -q"}),
    event(9, "tool_result", tool_id="r", status="success", output="1 failed, 2 passed in 0.1s"),
    piece(10, "One test "),
    piece(10, "fails."),
]
STATS = {"input_tokens": 1_000, "output_tokens": 100, "cached": 400, "duration_ms": 11_000}


def test_a_recorded_stream_is_not_taken_for_claude_codes(tmp_path: Path) -> None:
    found = written(tmp_path / "run.jsonl", [*STREAM, event(11, "result", status="success", stats=STATS)])

    assert found.kind == "gemini-cli"
    assert [item.text for item in found.spec.items] == ["Add a function `slug` to slug.py."]
    assert [(run.passed, run.failed, run.succeeded) for run in found.activity.test_runs] == [(2, 1, False)]
    assert [edit.path for edit in found.activity.edits] == ["slug.py"]
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "One test fails."
    usage = found.resources.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens) == (600, 100, 400)
    assert found.configuration.model == "gemini-2.5-pro"


def test_a_stream_says_that_the_run_reached_its_limit(tmp_path: Path) -> None:
    error = {"type": "FatalTurnLimitedError", "message": "Reached max session turns for this session."}
    found = written(tmp_path / "run.jsonl", [*STREAM, event(11, "result", status="error", error=error)])

    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "turn_limit"


def test_a_command_without_its_exit_code_did_not_pass(tmp_path: Path) -> None:
    silent = {**STREAM[7], "output": ""}
    found = written(tmp_path / "run.jsonl", [*STREAM[:7], silent, *STREAM[8:]])

    assert found.activity.test_runs == ()


def test_a_prompt_is_what_was_typed_without_the_files_it_refers_to(tmp_path: Path) -> None:
    files = (
        "\n--- Content from referenced files ---\nContent from @spec.md:\n\n- Never do this.\n--- End of content ---"
    )
    context = {"id": "0", "type": "user", "content": [{"text": "<session_context>\nFix nothing.\n</session_context>"}]}
    typed = {"id": "1", "type": "user", "content": [{"text": "Fix @spec.md."}, {"text": files}]}
    shown = {"id": "2", "type": "user", "content": [{"text": "x" * 99}], "displayContent": [{"text": "Add a test."}]}
    call = {"name": "write_file", "args": {"file_path": "a.py", "content": "a"}, "status": "success", "result": []}
    answer = {"id": "3", "type": "gemini", "content": "Done.", "toolCalls": [call]}

    found = written(tmp_path / "session-1.jsonl", [HEADER, context, typed, shown, answer])

    assert [item.text for item in found.spec.items] == ["Fix @spec.md.", "Add a test."]


def test_the_summary_of_a_compressed_conversation_is_no_prompt(tmp_path: Path) -> None:
    asked = {"id": "1", "type": "user", "content": [{"text": "Add a test."}]}
    summary = {"id": "2", "type": "user", "content": [{"text": "<state_snapshot>\nFix everything.\n</state_snapshot>"}]}

    found = written(tmp_path / "session-1.jsonl", [HEADER, asked, summary])

    assert [item.text for item in found.spec.items] == ["Add a test."]
    assert found.resources.compactions.count == 1


def test_an_edit_shows_the_file_before_and_after_it(tmp_path: Path) -> None:
    asked = {"id": "1", "type": "user", "content": "Change `a`."}
    shown = {"originalContent": "x = 0\na = 1\n", "newContent": "x = 0\na = 2\n"}
    call = {
        "name": "write_file",
        "args": {"file_path": "a.py", "content": "x = 0\na = 2\n"},
        "status": "success",
        "result": [],
        "resultDisplay": shown,
    }
    found = written(tmp_path / "session-1.jsonl", [HEADER, asked, {"id": "2", "type": "gemini", "toolCalls": [call]}])

    assert found.changes.diff is not None
    (change,) = found.changes.diff.files
    assert (change.added, change.removed) == (1, 1)


def typed(second: int, id_: str, words: str) -> Line:
    return event(second, "user", id=id_, content=[{"text": words}])


def worked(second: int, id_: str, words: str, *calls: Line) -> Line:
    tokens = {"input": 100, "output": 10, "cached": 0, "thoughts": 0, "tool": 0, "total": 110}
    return event(second, "gemini", id=id_, content=words, tokens=tokens, model="gemini-3-pro", toolCalls=list(calls))


def wrote(id_: str, path: str) -> Line:
    shown = {"originalContent": "", "newContent": "a = 1\n", "isNewFile": True}
    given = {"file_path": path, "content": "a = 1\n"}
    return {"id": id_, "name": "write_file", "args": given, "status": "success", "resultDisplay": shown}


def ran_tests(id_: str, output: str) -> Line:
    response = {"functionResponse": {"id": id_, "name": "run_shell_command", "response": {"output": output}}}
    given = {"command": "pytest -q"}
    return {"id": id_, "name": "run_shell_command", "args": given, "status": "success", "result": [response]}


UPDATED = {"$set": {"lastUpdated": "2026-01-01T00:00:30.000Z"}}
SESSION = [
    HEADER,
    typed(1, "u1", "Add a function `slug`."),
    UPDATED,
    worked(2, "g1", "", wrote("w", "/r/slug.py"), ran_tests("t1", "Output: 2 passed in 0.1s")),
    typed(9, "u2", "Write it in Rust."),
    worked(10, "g2", "I write it in Rust.", wrote("w2", "/r/slug.rs"), ran_tests("t2", "Output: 1 failed in 0.1s")),
    UPDATED,
    {"$rewindTo": "u2"},
    typed(20, "u3", "Write a README."),
    worked(21, "g3", "Done.", wrote("w3", "/r/README.md")),
]


def test_what_was_rewound_is_not_part_of_the_run_but_was_paid_for(tmp_path: Path) -> None:
    found = written(tmp_path / "session-1.jsonl", SESSION)

    assert [item.text for item in found.spec.items] == ["Add a function `slug`.", "Write a README."]
    assert [edit.path for edit in found.activity.edits] == ["/r/README.md", "/r/slug.py"]
    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(2, 0)]
    assert found.resources.usage.input_tokens == 300
    assert any("--diff" in warning for warning in found.warnings)


def test_a_rewind_to_an_unknown_message_takes_back_all_as_gemini_does(tmp_path: Path) -> None:
    found = written(tmp_path / "session-1.jsonl", [*SESSION[:7], {"$rewindTo": "u0"}, *SESSION[8:]])

    assert [item.text for item in found.spec.items] == ["Write a README."]


def test_messages_that_are_set_repeat_what_was_said(tmp_path: Path) -> None:
    context = {"id": "c", "type": "user", "content": [{"text": "<session_context>\nA folder.\n</session_context>"}]}
    snapshot = {"id": "s", "type": "user", "content": [{"text": "<state_snapshot>\nSlugs.\n</state_snapshot>"}]}
    masked = {**SESSION[1], "content": [{"text": "Add a function `slug`."}], "id": "other"}
    begun = {"$set": {"messages": [context]}}
    compressed = {"$set": {"messages": [context, snapshot, masked, {**SESSION[3], "toolCalls": []}]}}

    found = written(tmp_path / "session-1.jsonl", [HEADER, begun, *SESSION[1:4], compressed, *SESSION[8:]])

    assert [item.text for item in found.spec.items] == ["Add a function `slug`.", "Write a README."]
    assert [run.passed for run in found.activity.test_runs] == [2]
    assert found.resources.compactions.count == 1


def test_messages_may_stand_in_a_set_alone(tmp_path: Path) -> None:
    silent = [SESSION[3], worked(4, "g9", "", wrote("w9", "/r/other.py"))]
    found = written(tmp_path / "session-1.jsonl", [HEADER, {"$set": {"messages": [SESSION[1], *silent]}}])

    assert [item.text for item in found.spec.items] == ["Add a function `slug`."]
    assert [edit.path for edit in found.activity.edits] == ["/r/other.py", "/r/slug.py"]


def test_the_session_of_a_subagent_is_part_of_the_run(tmp_path: Path) -> None:
    child = [{**HEADER, "sessionId": "child", "kind": "subagent"}, typed(3, "u9", "Test `slug`.")]
    child.append(
        worked(4, "g9", "It works.", wrote("w", "/r/test_slug.py"), ran_tests("t", "Output: 3 passed in 0.1s"))
    )
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "child.jsonl").write_text("".join(json.dumps(each) + "\n" for each in child))

    found = written(tmp_path / "session-1.jsonl", [*SESSION[:4], *SESSION[8:]])

    assert [item.text for item in found.spec.items] == ["Add a function `slug`.", "Write a README."]
    assert [run.passed for run in found.activity.test_runs] == [2, 3]
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."
    assert found.resources.usage.input_tokens == 300


def test_a_run_in_the_background_has_not_passed(tmp_path: Path) -> None:
    moved = "Command moved to background (PID: 5). Output hidden. Press Ctrl+B to view."
    lines = [*SESSION[:2], worked(2, "g1", "All tests pass.", wrote("w", "/r/slug.py"), ran_tests("t", moved))]

    found = written(tmp_path / "session-1.jsonl", lines)

    assert found.activity.test_runs == ()
    assert [(each.text, each.shown) for each in found.activity.actions.commands] == [("pytest -q", False)]


def test_the_output_of_a_command_in_the_background_is_asked_for(tmp_path: Path) -> None:
    moved = "Command moved to background (PID: 5). Output hidden. Press Ctrl+B to view."
    response = {"functionResponse": {"id": "o", "response": {"output": "Full Log Output:\n3 passed in 0.1s"}}}
    asked = {"id": "o", "name": "read_background_output", "args": {"pid": 5}, "status": "success", "result": [response]}
    lines = [*SESSION[:2], worked(2, "g1", "Done.", ran_tests("t", moved)), worked(3, "g2", "All tests pass.", asked)]

    found = written(tmp_path / "session-1.jsonl", lines)

    assert [each.shown for each in found.activity.actions.commands] == [True]
