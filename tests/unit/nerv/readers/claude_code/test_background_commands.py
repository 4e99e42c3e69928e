"""Test runs that Claude Code sends to the background, whose result another line shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

Line = dict[str, Any]
FILE = "/tmp/claude/-p/tasks/b1.output"
STARTED = f"Command running in background with ID: b1. Output is being written to: {FILE}. You will be notified."


def line(second: int, kind: str, content: object) -> Line:
    stamp = f"2026-01-01T00:00:{second:02}.000Z"
    message = {"role": kind, "content": content}
    return {"type": kind, "sessionId": "s1", "cwd": "/p", "timestamp": stamp, "message": message}


def call(second: int, name: str, output: str, **given: object) -> list[Line]:
    use_id = f"call-{second}"
    use = {"type": "tool_use", "id": use_id, "name": name, "input": given}
    result = {"type": "tool_result", "tool_use_id": use_id, "content": output}
    return [line(second, "assistant", [use]), line(second, "user", [result])]


def session(folder: Path, *more: Line, started: str = STARTED) -> Evidence:
    lines = [
        line(0, "user", "Add a function `slug`."),
        *call(
            1, "Write", "File created successfully at: /p/slug.py", file_path="/p/slug.py", content="def slug(): ...\n"
        ),
        *call(2, "Bash", started, command="pytest -q", run_in_background=True),
        *more,
        line(50, "assistant", [{"type": "text", "text": "Done."}]),
    ]
    file = folder / "s1.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return read(RunSource(path=file))


def test_a_run_that_was_sent_to_the_background_has_not_passed_yet(tmp_path: Path) -> None:
    assert session(tmp_path).activity.test_runs == ()


@pytest.mark.parametrize(
    ("shown", "passed", "failed", "succeeded"),
    [
        (
            call(9, "BashOutput", "<status>failed</status>\n\n<exit_code>1</exit_code>", bash_id="b1"),
            None,
            None,
            False,
        ),
        (
            [
                *call(
                    8,
                    "BashOutput",
                    "<status>running</status>\n\n<stdout>\n2 failed, 1 passed in 1s\n</stdout>",
                    bash_id="b1",
                ),
                *call(9, "BashOutput", "<status>failed</status>\n\n<exit_code>1</exit_code>", bash_id="b1"),
            ],
            1,
            2,
            False,
        ),
        (
            call(
                9,
                "TaskOutput",
                "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\n3 passed in 1s\n</output>",
                task_id="b1",
            ),
            3,
            0,
            True,
        ),
        (call(9, "Read", "     1→...\n     2→1 failed, 2 passed in 1s", file_path=FILE), 2, 1, False),
        (call(9, "Bash", "3 passed in 1s", command=f"tail -3 {FILE}"), 3, 0, True),
        (
            [
                line(
                    9,
                    "user",
                    "<task-notification>\n<task-id>b1</task-id>\n<status>failed</status>\n"
                    '<summary>Background command "Test" failed with exit code 1</summary>\n</task-notification>',
                )
            ],
            None,
            None,
            False,
        ),
    ],
)
def test_the_result_stands_in_a_later_line(
    tmp_path: Path, shown: list[Line], passed: int | None, failed: int | None, succeeded: bool
) -> None:
    found = session(tmp_path, *shown)

    (run,) = found.activity.test_runs
    assert (run.command, run.passed, run.failed, run.succeeded) == ("pytest -q", passed, failed, succeeded)
    assert len(found.spec.items) == 1  # a notification is no prompt


@pytest.mark.parametrize(
    "started",
    [
        "Command running in background with ID: b1",
        "Command was manually backgrounded by user with ID: b1",
        "Command did not complete within its 120s timeout and was moved to the background (ID: b1). It is running.",
        "You moved this command to the background (ID: b1). It is still running.",
    ],
)
def test_every_way_into_the_background_is_known(tmp_path: Path, started: str) -> None:
    output = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\n3 passed in 1s\n</stdout>"

    (run,) = session(tmp_path, *call(9, "BashOutput", output, bash_id="b1"), started=started).activity.test_runs

    assert run.passed == 3


def unshown(found: Evidence) -> list[str]:
    return [command.text for command in found.activity.actions.commands if not command.shown]


def test_a_command_in_the_background_of_which_nothing_shows_is_known_as_such(tmp_path: Path) -> None:
    more = [*call(4, "Bash", "slug.py", command="ls"), *call(9, "KillShell", "Killed shell: b1", shell_id="b1")]

    assert unshown(session(tmp_path, *more)) == ["pytest -q"]


@pytest.mark.parametrize(
    "shown",
    [
        call(9, "BashOutput", "<status>running</status>\n\n<stdout>\n3 passed in 1s\n</stdout>", bash_id="b1"),
        call(9, "TaskOutput", "<status>completed</status>\n\n<exit_code>0</exit_code>", task_id="b1"),
        call(9, "Read", "     1\t3 passed in 1s", file_path=FILE),
        call(9, "Bash", "3 passed in 1s", command=f"tail -1 {FILE}"),
        call(9, "Bash", "3 passed in 1s", command=f"python -c \"print(open('{FILE}').read())\""),
        call(9, "Bash", "ok\n<system-reminder>Background Bash b1 (status: completed)</system-reminder>", command="ls"),
        [line(9, "user", "<task-notification><task-id>b1</task-id><status>completed</status></task-notification>")],
    ],
)
def test_whatever_shows_its_result_is_enough(tmp_path: Path, shown: list[Line]) -> None:
    assert unshown(session(tmp_path, *shown)) == []
