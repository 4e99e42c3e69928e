"""Fields that only some versions of an agent write: the last words, labels of outputs, diffs, tokens."""

from __future__ import annotations

from typing import Any

import pytest

from nerv.location import Location, Moment
from nerv.readers.agents import aider, cursor, gemini, openhands
from nerv.readers.agents.transcript import Transcript
from nerv.readers.claude_code.conversation import Conversation


def taken(transcript: Transcript) -> Conversation:
    conversation = Conversation()
    for place, line in transcript.lines:
        conversation.take(line, Moment(location=Location(file="log", line=place)))
    return conversation


@pytest.mark.parametrize("words", [{"args": {"final_thought": "All done."}}, {"message": "All done."}])
def test_finish_ends_a_run_of_openhands_whatever_field_has_the_words(words: dict[str, Any]) -> None:
    asked = {"source": "user", "action": "message", "args": {"content": "Fix it."}}
    found = taken(openhands.read_run({"history": [asked, {"source": "agent", "action": "finish", **words}]})).actions

    actions = found.actions()
    assert actions.ending is not None
    assert actions.ending.kind == "answered"
    assert actions.final_message is not None
    assert actions.final_message.text == "All done."


@pytest.mark.parametrize("label", ["Output", "Stdout"])
def test_a_summary_in_the_first_line_of_an_output_of_gemini_is_read(label: str) -> None:
    shown = f"Command: pytest\n{label}: 1 failed, 2 passed in 0.10s\nExit Code: 1"
    result = [{"functionResponse": {"response": {"output": shown}}}]
    call = {"name": "run_shell_command", "args": {"command": "pytest"}, "status": "success", "result": result}
    (run,) = taken(gemini.read({"messages": [{"type": "gemini", "toolCalls": [call]}]})).test_runs

    assert (run.passed, run.failed, run.succeeded) == (2, 1, False)


@pytest.mark.parametrize(
    ("success", "kind", "changed"),
    [
        ({"diffString": "-\n+a = 1", "afterFullFileContent": "a = 1"}, "added", (1, 0)),
        ({"diffString": " a = 1\n-b = 2\n+b = 3", "afterFullFileContent": "a = 1\nb = 3\nc = 4"}, "modified", (1, 1)),
        ({"beforeFullFileContent": "a = 1\n", "afterFullFileContent": "a = 2\n"}, "modified", (1, 1)),
    ],
)
def test_an_edit_of_cursor_has_only_the_lines_that_it_changed(
    success: dict[str, Any], kind: str, changed: tuple[int, int]
) -> None:
    edit = {"editToolCall": {"args": {"path": "/r/a.py", "streamContent": "…"}, "result": {"success": success}}}
    records = [
        (1, {"type": "system", "cwd": "/r", "apiKeySource": "env"}),
        (2, {"type": "tool_call", "subtype": "completed", "session_id": "s", "tool_call": edit}),
    ]
    (change,) = taken(cursor.read(records)).files.diff("/r").files

    assert (change.path, change.kind, (change.added, change.removed)) == ("a.py", kind, changed)


def test_newer_streams_of_cursor_count_tokens() -> None:
    usage = {"inputTokens": 10, "outputTokens": 5, "cacheReadTokens": 3, "cacheWriteTokens": 0}
    found = cursor.read([(1, {"type": "result", "subtype": "success", "session_id": "s", "usage": usage})])

    assert "tokens" in found.known
    assert taken(found).usage.tokens == 18


ANSWERED = [
    "# aider chat started at 2026-01-01 10:00:00",
    "#### fix it",
    "Done.",
    "> Tokens: 1.2k sent, 100 received. Cost: $0.01 message, $0.01 session.",
    "> Applied edit to a.py",
    "> Commit abc1234 fix: it",
]


@pytest.mark.parametrize(
    ("more", "ending"),
    [([], "answered"), (["#### /run pytest"], "answered"), (["#### and now the docs"], "no_answer")],
)
def test_edits_and_commits_after_an_answer_of_aider_are_not_the_middle_of_the_work(
    more: list[str], ending: str
) -> None:
    found = taken(aider.read([*ANSWERED, *more])).actions.actions().ending

    assert found is not None
    assert found.kind == ending
