"""opencode's exported sessions and recorded runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

TOKENS = {"input": 100, "output": 20, "reasoning": 5, "cache": {"read": 50, "write": 10}}


def tool(name: str, given: dict[str, Any], **state: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": name, "callID": "c", "state": {"status": "completed", "input": given, **state}}


def message(role: str, at: int, *parts: dict[str, Any], **info: Any) -> dict[str, Any]:
    return {"info": {"role": role, "id": f"msg_{at}", "time": {"created": at}, **info}, "parts": list(parts)}


EXPORT = {
    "info": {"id": "ses_1", "directory": "/r", "title": "Login", "time": {"created": 0, "updated": 9}},
    "messages": [
        message(
            "user",
            1_000,
            {"type": "text", "text": "Add a login page."},
            {"type": "text", "text": "Called the Read tool", "synthetic": True},
        ),
        message(
            "assistant",
            2_000,
            {"type": "step-start"},
            tool("read", {"filePath": "/r/app.py"}, output="1: x"),
            tool("write", {"filePath": "/r/login.py", "content": "page = 1\n"}, output="Wrote file successfully."),
            tool("edit", {"filePath": "/r/login.py", "oldString": "1", "newString": "2"}, output="ok"),
            tool("bash", {"command": "pytest -q"}, output="2 failed, 1 passed in 0.1s", metadata={"exit": 1}),
            tool("bash", {"command": "pytest -q"}, output="3 passed in 0.1s", metadata={"exit": 0}),
            tool("webfetch", {"url": "https://x.example/login"}, output="a page"),
            tool("grep", {"pattern": "x"}, status="error", error="no such folder"),
            {"type": "text", "text": "Done: 3 tests pass."},
            modelID="claude-sonnet-4-5",
            tokens=TOKENS,
            cost=0.25,
            finish="stop",
        ),
    ],
}


def evidence(folder: Path, document: object) -> Evidence:
    file = folder / "session.json"
    file.write_text(json.dumps(document, indent=1))
    return read(RunSource(path=file))


def test_an_exported_session_is_read(tmp_path: Path) -> None:
    found = evidence(tmp_path, EXPORT)

    assert found.kind == "opencode"
    assert [item.text for item in found.spec.items] == ["Add a login page."]
    assert [(run.passed, run.failed) for run in found.activity.test_runs] == [(1, 2), (3, 0)]
    assert [(one.exit_code, one.failed) for one in found.activity.actions.commands] == [(1, True), (0, False)]
    assert [one.path for one in found.activity.actions.reads] == ["/r/app.py"]
    assert [one.address for one in found.activity.actions.fetches] == ["https://x.example/login"]
    assert found.incidents.tool_errors.count == 2
    assert (found.resources.usage.input_tokens, found.resources.usage.output_tokens) == (100, 25)
    assert found.resources.usage.cost_usd == 0.25
    assert found.configuration.model == "claude-sonnet-4-5"
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"


def test_the_diff_is_rebuilt_from_its_edits(tmp_path: Path) -> None:
    diff = evidence(tmp_path, EXPORT).changes.diff

    assert diff is not None
    assert [(change.path, change.added) for change in diff.files] == [("login.py", 1)]
    assert diff.files[0].hunks[0].lines == ("page = 2",)


def test_a_patch_changes_all_of_its_files(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: a.py\n+x = 1\n*** Add File: b.py\n+y = 1\n*** End Patch"
    parts = [tool("apply_patch", {"patchText": patch}, output="ok")]
    document = {**EXPORT, "messages": [EXPORT["messages"][0], message("assistant", 2, *parts)]}  # type: ignore[index]
    found = evidence(tmp_path, document)

    assert [edit.path for edit in found.activity.edits] == ["a.py", "b.py"]


def test_an_error_and_an_abort_are_endings(tmp_path: Path) -> None:
    for error, kind in (
        ({"name": "APIError", "data": {"message": "overloaded"}}, "error"),
        ({"name": "MessageAbortedError", "data": {}}, "interrupted"),
        ({"name": "MessageOutputLengthError", "data": {}}, "turn_limit"),
    ):
        document = {**EXPORT, "messages": [*EXPORT["messages"], message("assistant", 3_000, error=error)]}  # type: ignore[misc]
        ending = evidence(tmp_path, document).activity.actions.ending
        assert ending is not None
        assert ending.kind == kind


def test_a_recorded_run_is_read_with_a_spec(tmp_path: Path) -> None:
    spec = tmp_path / "spec.md"
    spec.write_text("- Add a login page\n")
    lines = [
        {"type": "step_start", "timestamp": 1, "sessionID": "ses_1", "part": {"type": "step-start"}},
        {
            "type": "tool_use",
            "timestamp": 2,
            "sessionID": "ses_1",
            "part": tool("write", {"filePath": "login.py", "content": "x = 1\n"}, output="Wrote file"),
        },
        {"type": "text", "timestamp": 3, "sessionID": "ses_1", "part": {"type": "text", "text": "Done."}},
        {
            "type": "step_finish",
            "timestamp": 4,
            "sessionID": "ses_1",
            "part": {"type": "step-finish", "reason": "stop", "cost": 0.5, "tokens": TOKENS},
        },
    ]
    file = tmp_path / "run.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = read(RunSource(path=file, spec=spec))

    assert (found.kind, found.resources.usage.cost_usd) == ("opencode", 0.5)
    assert [edit.path for edit in found.activity.edits] == ["login.py"]


def test_an_edit_has_the_file_before_and_after_it(tmp_path: Path) -> None:
    whole = {"filediff": {"before": "a = 1\nb = 1\n", "after": "a = 1\nb = 2\n"}}
    given = {"filePath": "/r/a.py", "oldString": "b = 1", "newString": "b = 2"}
    answer = message("assistant", 2_000, tool("edit", given, output="ok", metadata=whole))
    found = evidence(tmp_path, {**EXPORT, "messages": [EXPORT["messages"][0], answer]})

    assert found.changes.diff is not None
    (change,) = found.changes.diff.files
    assert [hunk.lines for hunk in change.hunks] == [("a = 1", "b = 2")]


def test_what_a_step_changed_by_other_means_was_edited(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Add File: b.py\n+b = 1\n*** End Patch"
    parts = [
        tool("write", {"filePath": "/r/a.py", "content": "a = 1\n"}, output="ok"),
        tool("apply_patch", {"patchText": patch}, output="ok"),
        tool("task", {"prompt": "write tests"}, output="done"),
        {"type": "patch", "hash": "1234567", "files": ["/r/a.py", "/r/b.py", "/r/test_a.py", 3]},
    ]
    found = evidence(tmp_path, {**EXPORT, "messages": [EXPORT["messages"][0], message("assistant", 2_000, *parts)]})

    assert [(edit.path, edit.count) for edit in found.activity.edits] == [
        ("/r/a.py", 1),
        ("/r/test_a.py", 1),
        ("b.py", 1),
    ]
