"""What the agents of a results folder did and said, from their streams and tool calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nerv.actions import Actions
from nerv.readers import RunSource, read
from results import results


def lines(*records: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def assistant(*content: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "session_id": "s", "message": {"content": list(content)}}


def actions(folder: Path, **files: str) -> Actions:
    return read(RunSource(path=results(folder, files=files))).activity.actions


USE = {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "make test"}}
RESULT = {
    "type": "user",
    "session_id": "s",
    "message": {
        "content": [{"type": "tool_result", "tool_use_id": "1", "content": "Exit code 2\nno", "is_error": True}]
    },
}
END = {"type": "result", "subtype": "success", "session_id": "s", "result": "All done.", "duration_ms": 5}


def test_commands_and_last_words_come_from_the_tasks_streams(tmp_path: Path) -> None:
    found = actions(
        tmp_path / "r",
        **{
            "tasks/t1/stream.jsonl": lines(assistant(USE), RESULT),
            "tasks/t2/stream.jsonl": lines(assistant({"type": "text", "text": "Working."}), END),
        },
    )

    (command,) = found.commands
    assert (command.text, command.exit_code, command.failed) == ("make test", 2, True)
    assert command.moment.location.file == "tasks/t1/stream.jsonl"
    assert found.final_message is not None
    assert found.final_message.text == "All done."
    assert found.ending is not None
    assert found.ending.kind == "answered"


def test_tool_calls_without_a_stream_are_commands_and_an_absent_outcome_is_not_known(tmp_path: Path) -> None:
    calls = (
        {"tool": "Bash", "input": {"command": "ls"}, "output": "a", "success": True},
        {"tool": "Bash", "input": {"command": "pwd"}, "output": "/r"},
    )
    found = actions(tmp_path / "r", **{"tasks/t1/tools.jsonl": lines(*calls)})

    assert [(one.text, one.failed) for one in found.commands] == [("ls", False), ("pwd", None)]
    assert found.ending is None


def test_a_folder_without_streams_has_no_actions(tmp_path: Path) -> None:
    assert actions(tmp_path / "r") == Actions()
