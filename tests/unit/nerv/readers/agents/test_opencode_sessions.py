"""opencode's sessions as it stores them, and the sessions of subagents beside their parent's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import UserError
from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Session = dict[str, Any]

PARENT, CHILD, NESTED = "ses_6f0a1", "ses_6f0b2", "ses_6f0c3"
TOKENS = {"input": 100, "output": 20, "reasoning": 0, "cache": {"read": 0, "write": 0}}


def tool(name: str, given: dict[str, Any], output: str = "", **metadata: object) -> dict[str, Any]:
    state = {"status": "completed", "input": given, "output": output, "title": name, "metadata": metadata}
    return {"id": f"prt_{name}", "type": "tool", "tool": name, "callID": "call_1", "state": state}


def wrote(path: str) -> dict[str, Any]:
    return tool("write", {"filePath": path, "content": "a = 1\n"}, "Wrote file successfully.", exists=False)


def pytest_run(output: str, code: int) -> dict[str, Any]:
    return tool("bash", {"command": "pytest -q"}, output, exit=code)


def typed(words: str) -> dict[str, Any]:
    return {"id": "prt_text", "type": "text", "text": words}


def message(session: str, second: int, role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    spent = {"tokens": TOKENS, "cost": 0.25, "modelID": "claude-sonnet-4-5", "parentID": "msg_0"}
    time = {"created": 1_760_000_000_000 + second * 1_000}
    info = {"id": f"msg_{second:02}", "sessionID": session, "role": role, "time": time}
    return {"info": info if role == "user" else {**info, **spent}, "parts": list(parts)}


def session(id_: str, *messages: dict[str, Any], parent: str = "", **members: object) -> Session:
    info = {"id": id_, "projectID": "p", "directory": "/r", "title": "Work", "version": "1.1.0", "time": {"created": 1}}
    return {"info": {**info, **({"parentID": parent} if parent else {}), **members}, "messages": list(messages)}


RUN = session(
    PARENT,
    message(PARENT, 1, "user", typed("Add a function `slug`.")),
    message(PARENT, 2, "assistant", wrote("/r/slug.py"), tool("task", {"prompt": "Test it."}, "ok", sessionId=CHILD)),
    message(
        PARENT,
        9,
        "assistant",
        pytest_run("3 passed in 0.1s", 0),
        {"id": "prt_p", "type": "patch", "hash": "1", "files": ["/r/test_slug.py"]},
        typed("Done."),
    ),
)
TESTER = session(
    CHILD,
    message(CHILD, 3, "user", typed("Test it.")),
    message(CHILD, 4, "assistant", wrote("/r/test_slug.py"), pytest_run("1 failed in 0.1s", 1), typed("One fails.")),
    parent=PARENT,
)


def exported(folder: Path, *sessions: Session) -> Path:
    """The sessions as `opencode export` writes them; return the file of the first."""
    for each in sessions:
        (folder / f"{each['info']['id']}.json").write_text(json.dumps(each, indent=2) + "\n")
    return folder / f"{sessions[0]['info']['id']}.json"


def stored(folder: Path, *sessions: Session) -> Path:
    """The sessions as opencode stores them; return the file of the first."""
    for each in sessions:
        id_ = each["info"]["id"]
        files = {f"session/p/{id_}": each["info"]}
        for one in each["messages"]:
            files[f"message/{id_}/{one['info']['id']}"] = one["info"]
            files |= {f"part/{one['info']['id']}/prt_{index}": part for index, part in enumerate(one["parts"])}
        for name, content in files.items():
            file = folder / f"{name}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content, indent=2))
    return folder / "session" / "p" / f"{sessions[0]['info']['id']}.json"


def outline(found: Evidence) -> tuple[list[str], list[tuple[int | None, int | None]], list[tuple[str, int]]]:
    runs = [(run.passed, run.failed) for run in found.activity.test_runs]
    return [item.text for item in found.spec.items], runs, [(edit.path, edit.count) for edit in found.activity.edits]


WHOLE = (["Add a function `slug`."], [(0, 1), (3, 0)], [("/r/slug.py", 1), ("/r/test_slug.py", 1)])


@pytest.mark.parametrize("written", [exported, stored])
@pytest.mark.parametrize("named", ["file", "folder"])
def test_the_session_of_a_subagent_belongs_to_the_run(tmp_path: Path, written: Any, named: str) -> None:
    file = written(tmp_path, RUN, TESTER)

    found = read(RunSource(path=file if named == "file" else file.parent))

    assert outline(found) == WHOLE
    assert found.activity.actions.final_message is not None
    assert found.activity.actions.final_message.text == "Done."
    assert (found.resources.usage.input_tokens, found.resources.usage.cost_usd) == (300, 0.75)
    assert found.changes.diff is not None
    assert [(change.path, change.added) for change in found.changes.diff.files] == [("slug.py", 1), ("test_slug.py", 1)]


def test_sessions_of_subagents_of_subagents_belong_to_the_run(tmp_path: Path) -> None:
    nested = session(NESTED, message(NESTED, 5, "assistant", wrote("/r/README.md")), parent=CHILD)

    _, _, edits = outline(read(RunSource(path=exported(tmp_path, RUN, nested, TESTER))))

    assert [path for path, _ in edits] == ["/r/README.md", "/r/slug.py", "/r/test_slug.py"]


def test_other_sessions_and_files_in_the_folder_are_not_part_of_the_run(tmp_path: Path) -> None:
    other = session(NESTED, *TESTER["messages"])
    (tmp_path / "package.json").write_text('{"parentID": "ses_6f0a1"}')
    (tmp_path / "list.json").write_text(f'[{{"parentID": "{PARENT}"}}]')
    file = exported(tmp_path, RUN, other)

    assert outline(read(RunSource(path=file)))[1] == [(3, 0)]
    with pytest.raises(UserError, match="contains several logs"):
        read(RunSource(path=tmp_path))


def test_the_session_of_a_subagent_alone_is_a_run(tmp_path: Path) -> None:
    exported(tmp_path, RUN)

    assert outline(read(RunSource(path=exported(tmp_path, TESTER))))[:2] == (["Test it."], [(0, 1)])


def test_messages_that_the_user_reverted_are_not_part_of_the_run(tmp_path: Path) -> None:
    more = (message(PARENT, 20, "user", typed("Use a class.")), message(PARENT, 21, "assistant", wrote("/r/other.py")))
    reverted = session(PARENT, *RUN["messages"], *more, revert={"messageID": "msg_20", "snapshot": "1"})

    found = read(RunSource(path=exported(tmp_path, reverted)))

    assert outline(found)[0] == ["Add a function `slug`."]
    assert "/r/other.py" not in [edit.path for edit in found.activity.edits]
    assert found.resources.usage.input_tokens == 300


@pytest.mark.parametrize("value", [None, 5, [], "../..", "a\0b"])
def test_ids_that_are_no_names_of_files_are_no_bug(tmp_path: Path, value: object) -> None:
    info = {"id": "ses_1", "projectID": "p", "title": "Work", "time": {"created": 1}}
    (tmp_path / "message" / "ses_1").mkdir(parents=True)
    (tmp_path / "message" / "ses_1" / "msg_1.json").write_text(json.dumps({"id": value, "role": "user"}))
    (tmp_path / "session" / "p").mkdir(parents=True)
    file = tmp_path / "session" / "p" / "ses_1.json"
    file.write_text(json.dumps(info))

    with pytest.raises(UserError, match="contains no request"):
        read(RunSource(path=file))
