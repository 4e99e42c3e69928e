from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from forgetest.client import Client
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Weights
from forgetest.grade import Grade, SupportsGrading
from forgetest.grading import Grader
from forgetest.loading import load_case
from forgetest.testing.loopback import Received, Reply, Server, as_json
from running_service import CORRECT, FakeGrader, running

CASE = load_case("quickstart/add")
GRADE = {
    "outcome": "judged",
    "correct": False,
    "verified": False,
    "score": {"compilation": 1.0, "tests": 0.5, "clippy": 1.0, "overall": 0.75},
    "reason": "1 of 2 tests failed",
    "integrity": [],
    "code": "x",
    "verdict": None,
    "total_ms": 1.0,
}
BROKEN = Reply(content=b"x" * 1000, reset=True)
HEALTH = {"status": "ok", "version": "1", "cases": 0, "prepared": 0, "in_service": 0, "capacity": 1}


def answering(*replies: Reply) -> Callable[[Received], Reply]:
    """Answer requests to grade with one reply after the other, the last one again and again."""
    left = list(replies)

    def answer(received: Received) -> Reply:
        if received.path == "/health":
            return as_json(HEALTH)
        return left.pop(0) if len(left) > 1 else left[0]

    return answer


def test_a_grader_and_a_client_do_the_same() -> None:
    protocols: list[SupportsGrading] = [Grader(), Client()]
    assert len(protocols) == 2


def test_a_grade_comes_back_as_it_was() -> None:
    with running(FakeGrader()) as service, Client(service.url) as client:
        assert client.grade("fn add() {}", CASE) == CORRECT


def test_many_answers_become_a_few_requests_in_which_each_case_is_written_once() -> None:
    def answer(received: Received) -> Reply:
        if received.path == "/health":
            return as_json(HEALTH)
        return as_json({"grades": [{**GRADE, "code": sample["answer"]} for sample in received.body["samples"]]})

    shown: list[tuple[int, int]] = []
    with Server(answer) as server, Client(server.url, token="my-token") as client:
        grades = client.grade_many(
            [(str(number), CASE) for number in range(600)],
            weights=Weights(compilation=0.0, tests=1.0, lint=0.0),
            progress=lambda done, total: shown.append((done, total)),
        )

    posted = [received for received in server.received if received.path == "/v1/grade"]
    assert [grade.code for grade in grades] == [str(number) for number in range(600)]
    assert sorted(len(received.body["samples"]) for received in posted) == [88, 256, 256]
    assert all(len(received.body["cases"]) == 1 for received in posted)
    assert posted[0].body["weights"] == {"compilation": 0.0, "tests": 1.0, "clippy": 0.0}
    assert {received.headers["authorization"] for received in posted} == {"Bearer my-token"}
    assert shown[-1] == (600, 600)


@pytest.mark.parametrize(
    "refusal", [as_json({}, 429, {"retry-after": "0"}), as_json({}, 503, {"retry-after": "0"}), BROKEN]
)
def test_a_busy_service_is_asked_again(refusal: Reply) -> None:
    with Server(answering(refusal, as_json({"grades": [GRADE]}))) as server, Client(server.url) as client:
        assert client.grade("x", CASE).reason == "1 of 2 tests failed"


def test_a_service_that_is_lost_makes_samples_unjudged_and_never_wrong() -> None:
    with Server(answering(BROKEN)) as server, Client(server.url, timeout_s=0.3) as client:
        grades = client.grade_many([("x", CASE), ("y", CASE)])

    assert [(grade.outcome, grade.score, grade.verified) for grade in grades] == [("unjudged", None, False)] * 2
    assert "no answer" in str(grades[0].reason)


def test_a_service_that_stays_full_does_so_too() -> None:
    full = as_json({"title": "the queue is full", "detail": "9 of 9"}, 429, {"retry-after": "1"})
    with Server(answering(full)) as server, Client(server.url, timeout_s=0.3) as client:
        assert client.grade("x", CASE).reason == f"{server.url}/v1/grade: 429 the queue is full: 9 of 9"


@pytest.mark.parametrize("status", [401, 413, 422])
def test_a_wrong_request_is_an_error_of_the_caller(status: int) -> None:
    refused = as_json({"title": "no", "detail": "why"}, status)
    error = pytest.raises(UserError, match=f"{status} no: why")
    with Server(answering(refused)) as server, Client(server.url) as client, error:
        client.grade("x", CASE)


def test_an_address_without_a_service_is_an_error_at_once() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with pytest.raises(MachineryError, match="is `forgetest serve` running there"):
        Client(url).grade("x", CASE)
    with pytest.raises(UserError, match="not the address of a service"):
        Client("localhost:8080")


def test_an_answer_of_something_else_is_not_believed() -> None:
    with Server(answering(as_json({"hello": "world"}))) as server, Client(server.url) as client:
        assert client.grade("x", CASE).outcome == "unjudged"


def test_threads_share_a_client() -> None:
    results: list[Grade] = []
    with running(FakeGrader()) as service, Client(service.url) as client:
        threads: list[Any] = [
            threading.Thread(target=lambda: results.append(client.grade("x", CASE))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [CORRECT] * 8


def test_submitted_answers_are_graded_at_the_same_time() -> None:
    with running(FakeGrader()) as service, Client(service.url) as client:
        futures = client.submit([("a", CASE), ("b", CASE)])
        assert [future.result(30) for future in futures] == [CORRECT, CORRECT]
    with pytest.raises(UserError, match="closed"):
        client.submit([("a", CASE)])


def test_a_closed_client_says_so() -> None:
    client = Client()
    client.close()
    with pytest.raises(UserError, match="this Client is closed"):
        client.grade("x", CASE)
