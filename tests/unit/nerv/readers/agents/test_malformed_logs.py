"""Values in logs that are not what the format promises: they are left out, and never a bug of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerv.location import Location
from nerv.readers.agents import aider, codex, gemini, mini_swe_agent, opencode, swe_agent
from nerv.readers.claude_code.rebuilt_files import edit_of
from nerv.readers.source_files import SourceFiles

_DEEP = "[" * 100_000


def test_arguments_that_are_nested_too_deeply_are_left_out() -> None:
    called = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "bash", "arguments": _DEEP}}]}
    shell = {"type": "function_call", "call_id": "1", "name": "shell", "arguments": _DEEP}

    assert swe_agent.read({"history": [called, {"role": "tool", "tool_call_ids": ["1"], "content": ""}]}).lines
    assert swe_agent.read({"trajectory": [{"action": "edit 1:2", "state": _DEEP}]}).lines
    assert mini_swe_agent.read({"messages": [called]}).kind == mini_swe_agent.KIND
    rollout = [(1, {"type": "response_item", "payload": shell})]
    assert codex.read(rollout, Path("rollout-1.jsonl"), SourceFiles()).lines


def test_ids_of_calls_that_are_no_text_are_left_out() -> None:
    answer = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "bash", "arguments": "{}"}}]}
    result = {"role": "tool", "tool_call_ids": [["1"], {}, None], "content": "done"}

    lines = swe_agent.read({"history": [answer, result]}).lines

    assert "done" not in str(lines)


def test_tokens_that_are_no_number_are_left_out() -> None:
    transcript = aider.read(
        [
            "# aider chat started at 2025-01-01 10:00:00",
            "#### fix it",
            "> Tokens: 1.2.3k sent, .,. received. Cost: $1.2.3 message",
            "> Tokens: 1.5k sent, 1,200 received. Cost: $0.25 message, $0.25 session.",
        ]
    )

    usages = [line["message"]["usage"] for _, line in transcript.lines if "usage" in line.get("message", {})]
    assert usages == [{"input_tokens": 1_500, "output_tokens": 1_200}]


@pytest.mark.parametrize("value", [[], {}, None, 5, [{}]])
def test_types_and_ids_that_are_no_text_are_no_bug(value: object) -> None:
    assert not codex.recognises({"type": value, "payload": {}})
    assert not opencode.is_line({"type": value, "sessionID": "s"})
    asked = {"id": value, "type": "user", "content": "Fix it."}
    records = [(1, asked), (2, {"$set": {"messages": [asked, value]}}), (3, {"$rewindTo": value})]
    assert gemini.read_lines(records, Path("session-1.jsonl"), SourceFiles()).lines


@pytest.mark.parametrize("value", ["../..", "/", "a\0b", "x" * 5_000, "", [], 5])
def test_ids_of_sessions_that_are_no_names_of_files_are_no_bug(tmp_path: Path, value: object) -> None:
    asked = (2, {"type": "event_msg", "payload": {"type": "user_message", "message": "Fix it."}})
    header = {"id": value, "source": {"subagent": value}, "parent_thread_id": value, "history_base": value}
    session = [(1, {"sessionId": value}), (2, {"id": "1", "type": "user", "content": "Fix it."})]

    assert codex.read([(1, {"type": "session_meta", "payload": header}), asked], tmp_path / "a", SourceFiles()).lines
    assert codex.read([(1, {"type": "session_meta"}), asked], tmp_path / "a", SourceFiles()).lines
    assert gemini.read_lines(session, tmp_path / "a", SourceFiles()).lines


@pytest.mark.parametrize("lines", [5, {"a": 1}, [5], None])
def test_hunks_that_are_no_lines_are_left_out(lines: object) -> None:
    hunk = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": lines}
    (edit,) = edit_of("a.py", {}, {"structuredPatch": [hunk]}, "", Location(file="s"))
    assert edit.hunks == ()
