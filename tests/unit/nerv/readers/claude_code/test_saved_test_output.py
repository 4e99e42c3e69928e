"""Output of tests that went to a file and is shown by a later command."""

from __future__ import annotations

import pytest

from nerv.location import Location, Moment
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.claude_code.saved_test_output import SavedTestOutput

SAVING = "pytest -q > /tmp/out.txt 2>&1"


@pytest.mark.parametrize(
    ("saving", "showing"),
    [
        (SAVING, "tail -3 /tmp/out.txt"),
        ("cargo test --quiet &> test.log", "grep 'test result' test.log"),
        ("npm test 2>&1 | tee out.log", "cd . && cat out.log | head"),
    ],
)
def test_a_command_that_shows_the_file_shows_the_tests(saving: str, showing: str) -> None:
    saved = SavedTestOutput()
    assert saved.shown_by(saving) == ""
    assert saved.shown_by(showing) == saving


@pytest.mark.parametrize(
    ("between", "showing"),
    [
        ("echo '3 passed' > /tmp/out.txt", "cat /tmp/out.txt"),
        ("ls", "cat /tmp/other.txt"),
        ("ls", "rm /tmp/out.txt"),
        ("ls", "echo /tmp/out.txt"),
    ],
)
def test_a_file_with_something_else_in_it_shows_no_tests(between: str, showing: str) -> None:
    saved = SavedTestOutput()
    saved.shown_by(SAVING)
    saved.shown_by(between)
    assert saved.shown_by(showing) == ""


def test_a_log_has_the_counts_of_a_run_whose_output_went_to_a_file() -> None:
    conversation = Conversation()
    for line, (command, output, succeeded) in enumerate(
        [(SAVING, "", False), ("tail -1 /tmp/out.txt", "1 failed, 7 passed in 0.12s", True)], start=1
    ):
        conversation.add_command(command, output, succeeded, Moment(location=Location(file="s.jsonl", line=line)))
    last = conversation.test_runs[-1]
    assert (last.command, last.passed, last.failed, last.succeeded) == (SAVING, 7, 1, False)
