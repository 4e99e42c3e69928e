"""Starting and stopping."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from forgetest.client import Client
from forgetest.errors import UserError
from forgetest.evalset import load
from forgetest.grade import Grade
from forgetest.loading import load_case
from forgetest.service.serving import check_address, read_tokens
from running_service import FakeGrader, running


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.9.9.9"])
def test_loopback_needs_no_token(host: str) -> None:
    check_address(host, [])


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.org", ""])
def test_any_other_address_does(host: str) -> None:
    with pytest.raises(UserError, match="--token-file"):
        check_address(host, [])
    check_address(host, ["a-token"])


@pytest.mark.parametrize(
    ("content", "says"), [("", "no token in it"), ("# a comment\n", "no token in it"), ("short\n", "at least 16")]
)
def test_a_token_file_must_hold_a_good_token(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "tokens"
    file.write_text(content)
    with pytest.raises(UserError, match=says):
        read_tokens(file)
    with pytest.raises(UserError, match="cannot be read"):
        read_tokens(tmp_path / "none")


def test_tokens_are_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text("# of the trainers\n0123456789abcdef0\n\n  fedcba98765432100 \n")
    assert read_tokens(file) == ["0123456789abcdef0", "fedcba98765432100"]


def grade_in_background(client: Client) -> tuple[threading.Thread, list[Grade]]:
    grades: list[Grade] = []
    case = load_case("quickstart/add")
    thread = threading.Thread(target=lambda: grades.append(client.grade("fn add() {}", case)))
    thread.start()
    return thread, grades


def test_what_was_taken_is_finished_before_the_service_stops() -> None:
    grader = FakeGrader()
    grader.at_once = False
    with running(grader, grace_s=20) as service, Client(service.url, timeout_s=20) as client:
        thread, grades = grade_in_background(client)
        while not grader.waiting:
            time.sleep(0.005)
        wait = service.begin_to_stop()
        time.sleep(0.05)
        grader.release()
        wait()
        thread.join(20)
        assert [grade.outcome for grade in grades] == ["judged"]


def test_or_it_is_handed_back_unjudged() -> None:
    grader = FakeGrader()
    grader.at_once = False
    with running(grader, grace_s=0.05) as service, Client(service.url, timeout_s=20) as client:
        thread, grades = grade_in_background(client)
        while not grader.waiting:
            time.sleep(0.005)
        service.begin_to_stop()()
        thread.join(20)
        assert [(grade.outcome, grade.score) for grade in grades] == [("unjudged", None)]
        assert "is stopping" in str(grades[0].reason)


def test_loaded_cases_are_prepared_and_listed() -> None:
    grader = FakeGrader()
    eval_sets = load("quickstart")
    with running(grader, eval_sets) as service, Client(service.url) as client:
        listed = client.cases()
        deadline = time.monotonic() + 10
        while client.health().prepared < len(listed) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert [case.id for case in listed][:1] == ["quickstart/add"]
        assert len(grader.prepared) == len(listed) == len(eval_sets[0].cases)
        assert json.loads(json.dumps(service.events[0]))["event"] == "listening"
