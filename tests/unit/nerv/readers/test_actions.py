"""What an agent did and said, and how its run ended, in every kind of log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from external_data import external, needs_external
from nerv.actions import Actions
from nerv.location import Location, Moment
from nerv.readers import RunSource, read
from nerv.readers.action_recorder import ActionRecorder, join
from nerv.readers.agents.transcript import ending_of_status
from nerv.readers.prompt_words import is_correction

REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected"
ASK = {"type": "user", "message": {"content": "Please add a login page."}}


def moment(line: int, ms: int | None = None) -> Moment:
    return Moment(location=Location(file="log.jsonl", line=line), ms=ms)


def said(text: str, **more: object) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": text}]}, **more}


def call(name: str, id_: str, **given: object) -> dict[str, Any]:
    return {
        "type": "assistant",
        "message": {"content": [{"type": "tool_use", "id": id_, "name": name, "input": given}]},
    }


def result(id_: str, content: str, *, error: bool = False, **more: object) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": id_, "content": content, "is_error": error}
    return {"type": "user", "message": {"content": [block]}, **more}


def typed(text: str) -> dict[str, Any]:
    return {"type": "user", "message": {"content": text}}


def actions(folder: Path, *lines: dict[str, Any]) -> Actions:
    return evidence(folder, *lines).activity.actions


def evidence(folder: Path, *lines: dict[str, Any]) -> Any:
    file = folder / "s.jsonl"
    file.write_text("".join(json.dumps({"sessionId": "s", **line}) + "\n" for line in lines))
    return read(RunSource(path=file))


def test_commands_keep_their_output_and_whether_they_failed(tmp_path: Path) -> None:
    found = actions(
        tmp_path,
        ASK,
        call("Bash", "1", command="make"),
        result("1", "Exit code 2\nmake: *** no rule", error=True),
        call("Bash", "2", command="ls"),
        result("2", "a.py"),
        said("Done."),
    )

    assert [(one.text, one.exit_code, one.failed) for one in found.commands] == [("make", 2, True), ("ls", None, False)]
    assert found.commands[0].output == "Exit code 2\nmake: *** no rule"
    assert found.commands[0].moment.location.line == 2


def test_files_that_were_read_count_once_and_fetches_keep_what_came_back(tmp_path: Path) -> None:
    found = actions(
        tmp_path,
        ASK,
        call("Read", "1", file_path="/r/a.py"),
        result("1", "text"),
        call("Read", "2", file_path="/r/a.py"),
        result("2", "text"),
        call("WebFetch", "3", url="https://x.example/a", prompt="?"),
        result("3", "the page"),
        call("WebSearch", "4", query="how to log in"),
        result("4", "hits"),
        call("Read", "5", file_path="/r/absent.py"),
        result("5", "File does not exist.", error=True),
    )

    assert [one.path for one in found.reads] == ["/r/a.py"]
    assert [(one.address, one.text) for one in found.fetches] == [
        ("https://x.example/a", "the page"),
        ("how to log in", "hits"),
    ]


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ([said("Done.")], "answered"),
        ([call("Bash", "1", command="ls"), result("1", "a")], "no_answer"),
        ([said("Let me look."), call("Bash", "1", command="ls")], "no_answer"),
        ([typed("Also a README.")], "no_answer"),
        ([said("Done."), typed("Great, thanks!")], "answered"),
        ([call("Bash", "1", command="ls"), result("1", "a"), typed("thanks")], "no_answer"),
        ([typed("[Request interrupted by user]")], "interrupted"),
        ([said("API Error: 529 overloaded", isApiErrorMessage=True)], "error"),
        ([said("Done."), typed("<command-name>clear</command-name>")], "answered"),
        ([{"type": "result", "subtype": "success", "is_error": False, "result": "Done."}], "answered"),
        ([{"type": "result", "subtype": "success", "is_error": True, "result": "API Error: 500"}], "error"),
        ([said("…"), {"type": "result", "subtype": "error_max_turns", "is_error": False}], "turn_limit"),
        ([{"type": "result", "subtype": "error_during_execution", "is_error": True}], "error"),
        ([{"type": "result", "is_error": True, "result": "Request timed out"}], "timed_out"),
    ],
)
def test_the_end_of_a_session_is_recognised(tmp_path: Path, lines: list[dict[str, Any]], kind: str) -> None:
    ending = actions(tmp_path, ASK, *lines).ending

    assert ending is not None
    assert ending.kind == kind


def test_a_rejection_and_the_interruption_that_it_causes_count_once(tmp_path: Path) -> None:
    found = evidence(
        tmp_path,
        ASK,
        call("Bash", "1", command="rm -rf /"),
        result("1", REJECTED, error=True),
        typed("[Request interrupted by user for tool use]"),
        typed("Keep the files"),
        said("Sorry."),
        typed("[Request interrupted by user]"),
    )

    assert found.incidents.interruptions.count == 2
    assert [one.text for one in found.activity.actions.corrections] == ["Keep the files"]  # it explains the stop


@pytest.mark.parametrize(
    ("text", "corrects"),
    [
        ("No, use the other table", True),
        ("that's wrong, the date is off by one", True),
        ("you forgot the tests", True),
        ("it still fails with the same error", True),
        ("don't mock the database", True),
        ("Now add a README", False),
        ("Great, commit this please", False),
        ("Notify the user by mail as well", False),
    ],
)
def test_corrections_are_told_from_new_requests(text: str, corrects: bool) -> None:
    assert is_correction(text) is corrects


def test_the_final_message_is_the_main_agents_and_not_a_subagents(tmp_path: Path) -> None:
    found = actions(tmp_path, ASK, said("All tests pass."), said("Subtask done.", isSidechain=True))

    assert found.final_message is not None
    assert found.final_message.text == "All tests pass."


def test_memory_is_bounded_and_the_first_and_last_commands_are_kept() -> None:
    recorder = ActionRecorder()
    for number in range(5_000):
        recorder.command(f"echo {number}", "x" * 50_000, moment(number, number))
        recorder.read(f"/r/{number}", moment(number))
        recorder.fetch("https://x.example", "y" * 50_000, moment(number))
    found = recorder.actions()

    assert len(found.commands) == 2_000
    assert (found.commands[0].text, found.commands[499].text) == ("echo 0", "echo 499")
    assert (found.commands[500].text, found.commands[-1].text) == ("echo 3500", "echo 4999")
    assert max(len(one.output) for one in found.commands) < 4_100
    assert len(found.reads) == 2_000
    assert (len(found.fetches), len(found.fetches[0].text)) == (200, 8_000)


def test_the_conversations_of_a_run_are_joined_by_time() -> None:
    first, second = ActionRecorder(), ActionRecorder()
    first.command("two", "", moment(1, 2_000))
    first.said("later", moment(2, 9_000))
    second.command("one", "", moment(1, 1_000))
    second.said("sooner", moment(2, 3_000))
    found = join([first.actions(), second.actions()])

    assert [one.text for one in found.commands] == ["one", "two"]
    assert found.final_message is not None
    assert found.final_message.text == "later"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("submitted", "answered"),
        ("submitted (exit_cost)", "turn_limit"),
        ("exit_cost", "turn_limit"),
        ("exit_total_execution_time", "timed_out"),
        ("LimitsExceeded", "turn_limit"),
        ("exit_format", "error"),
        ("RuntimeError: Agent reached maximum iteration in headless mode", "turn_limit"),
    ],
)
def test_exit_statuses_of_agents_are_endings(status: str, kind: str) -> None:
    assert ending_of_status(status) == kind


@needs_external("agent_logs")
@pytest.mark.parametrize(
    ("name", "commands", "reads", "ending", "words"),
    [
        ("mini-swe-agent/astropy__astropy-12907.traj.json", 35, 0, "answered", "Perfect! The patch shows"),
        ("mini-swe-agent/github_issue.traj.json", 10, 0, "answered", "Now let's verify"),
        ("swe-agent/pydicom__pydicom-1458.traj", 5, 1, "answered", "The `reproduce_bug.py` script has been"),
        ("openhands/multi_swe_bench_output.jsonl#ponylang__ponyc-4588", 25, 2, "turn_limit", "I am thinking"),
        ("codex/rollout-2026-05-11T13-28-45-019e1695-0522-7c83-8b39-0dd379793f80.jsonl", 35, 0, "answered", "I could"),
        ("gemini/session-2025-12-01T21-45-5b959dae.json", 0, 5, "answered", "I've created"),
        ("cursor/stream_direct-sleep.jsonl", 2, 0, "answered", "Both commands have finished"),
        ("atif/openagents_regex-log_trajectory.json", 3, 0, "answered", "The regex has been saved"),
        ("aider/afi-core.aider.chat.history.md", 6, 0, "answered", "After scanning all provided files"),
    ],
)
def test_real_logs_have_their_actions(name: str, commands: int, reads: int, ending: str, words: str) -> None:
    found = read(RunSource(path=external(f"agent_logs/{name}"))).activity.actions

    assert (len(found.commands), len(found.reads)) == (commands, reads)
    assert found.ending is not None
    assert found.ending.kind == ending
    assert found.final_message is not None
    assert found.final_message.text.startswith(words)
