"""What `claude --print` writes: an array of messages, or only the result of the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from forgetest.errors import UserError
from nerv.readers import RunSource, read

Message = dict[str, Any]

TOOLS = ["Bash", "Write"]
INIT = {"type": "system", "subtype": "init", "cwd": "/r", "session_id": "s", "tools": TOOLS, "model": "claude-opus-4-5"}
RESULT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "duration_ms": 12_000,
    "num_turns": 3,
    "result": "Done: 3 tests pass.",
    "session_id": "s",
    "total_cost_usd": 0.25,
    "usage": {"input_tokens": 30, "output_tokens": 20},
    "permission_denials": [],
}


def called(id_: str, name: str, **given: object) -> Message:
    block = {"type": "tool_use", "id": id_, "name": name, "input": given}
    usage = {"input_tokens": 10, "output_tokens": 5}
    message = {"id": f"msg_{id_}", "role": "assistant", "model": "claude-opus-4-5", "content": [block], "usage": usage}
    return {"type": "assistant", "message": message, "parent_tool_use_id": None, "session_id": "s", "uuid": f"a{id_}"}


def returned(id_: str, output: str) -> Message:
    block = {"type": "tool_result", "tool_use_id": id_, "content": output, "is_error": False}
    message = {"role": "user", "content": [block]}
    return {"type": "user", "message": message, "parent_tool_use_id": None, "session_id": "s", "uuid": f"u{id_}"}


MESSAGES = [
    INIT,
    called("1", "Write", file_path="/r/slug.py", content="a = 1\n"),
    returned("1", "File created successfully at: /r/slug.py"),
    called("2", "Bash", command="pytest -q"),
    returned("2", "3 passed in 0.1s"),
    RESULT,
]


def written(folder: Path, text: str) -> RunSource:
    (folder / "spec.md").write_text("- Add a function `slug`.\n")
    (folder / "run.json").write_text(text)
    return RunSource(path=folder / "run.json", spec=folder / "spec.md")


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_of_messages_is_read_as_the_stream_of_them(tmp_path: Path, indent: int | None) -> None:
    found = read(written(tmp_path, json.dumps(MESSAGES, indent=indent)))

    assert found.kind == "stream-json"
    assert [run.passed for run in found.activity.test_runs] == [3]
    assert found.activity.test_runs[0].moment.location.line == 4
    assert found.resources.usage.cost_usd == 0.25
    assert found.changes.diff is not None
    assert [change.path for change in found.changes.diff.files] == ["slug.py"]
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"
    assert "run.json" in found.inputs


@pytest.mark.parametrize("text", [json.dumps(RESULT), json.dumps(RESULT, indent=2), json.dumps([RESULT])])
def test_a_result_without_calls_is_refused_with_the_flag_that_gives_them(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"holds the result of a run without its calls.*--verbose"):
        read(written(tmp_path, text))


@pytest.mark.parametrize("text", ["[", "[]", "[{}]", "[5, null]", '[{"type": 5}]', "[[]]", '[{"a": ', "\0"])
def test_other_arrays_are_no_logs(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match="is no log of an agent"):
        read(written(tmp_path, text))
