"""What a client may send, and what it gets: a real server on the loopback interface, in front of a fake grader."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from forgetest.service.http.connection import Timeouts
from forgetest.service.http.server import HttpLimits
from running_service import FakeGrader, Running, running

TOKEN = "a-token-of-sixteen-or-more"
CASE = {"language": "python", "expectations": {"test_file": "assert f() == 1"}}
BODY = {"case": CASE, "answer": "def f(): return 1", "as_code": True}
AUTHORIZED = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def grader() -> FakeGrader:
    return FakeGrader()


@pytest.fixture(scope="module")
def service(grader: FakeGrader) -> Iterator[Running]:
    timeouts = Timeouts(head_s=0.3, idle_s=5, body_s=0.3, write_s=5)
    limits = HttpLimits(body_bytes=1 << 20, all_bodies_bytes=4 << 20, connections=50, timeouts=timeouts)
    with running(grader, tokens=[TOKEN], queue=10, limits=limits) as service:
        yield service


@pytest.fixture(autouse=True)
def _fresh(grader: FakeGrader) -> Iterator[None]:
    yield
    grader.at_once = True
    grader.release()


def request_bytes(
    method: str = "POST", path: str = "/v1/grade", body: bytes = b"", headers: dict[str, str] | None = None
) -> bytes:
    fields = {
        "host": "x",
        **AUTHORIZED,
        "content-type": "application/json",
        "content-length": str(len(body)),
        "connection": "close",
        **(headers or {}),
    }
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def split(response: bytes) -> tuple[int, dict[str, str], Any]:
    head, _, content = response.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
    is_json = content and "json" in headers.get("content-type", "")
    return int(lines[0].split()[1]), headers, json.loads(content) if is_json else content


def post(service: Running, document: object, **headers: str) -> tuple[int, dict[str, str], Any]:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return split(service.send(request_bytes("POST", "/v1/grade", body, headers)))


def get(service: Running, path: str, **headers: str) -> tuple[int, dict[str, str], Any]:
    return split(service.send(request_bytes("GET", path, b"", headers)))


def test_one_answer_gets_one_grade(service: Running) -> None:
    status, _, grade = post(service, BODY)

    assert status == 200
    assert (grade["outcome"], grade["correct"], grade["verified"]) == ("judged", True, True)
    assert grade["score"] == {"compilation": 1.0, "tests": 1.0, "clippy": 1.0, "overall": 1.0}
    assert grade["verdict"]["compiled"] is True
    assert grade["integrity"] == []


def test_many_answers_get_their_grades_in_order_and_may_share_cases(service: Running) -> None:
    samples = [{"case": "mine", "answer": "x"}, {"case": CASE, "answer": "y", "as_code": True}]
    status, _, answer = post(service, {"samples": samples, "cases": {"mine": CASE}, "with_verdict": False})

    assert status == 200
    assert [grade["verdict"] for grade in answer["grades"]] == [None, None]
    assert post(service, {"samples": []})[2] == {"grades": []}


def test_a_sample_that_is_not_judged_in_time_is_unjudged_and_not_an_error(service: Running, grader: FakeGrader) -> None:
    grader.at_once = False
    status, _, grade = post(service, {**BODY, "deadline_s": 0.05})

    assert status == 200
    assert (grade["outcome"], grade["correct"], grade["score"]) == ("unjudged", None, None)
    assert grade["reason"] == "not judged by its deadline of 0.05 s"
    assert grader.waiting[0][1].cancelled()


def test_a_full_queue_is_a_reason_to_come_back(service: Running, grader: FakeGrader) -> None:
    grader.at_once = False
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        samples = {"samples": [{"case": CASE, "answer": str(number)} for number in range(9)]}
        connection.sendall(request_bytes(body=json.dumps(samples).encode()))
        _wait_until(lambda: len(grader.waiting) == 9)

        status, headers, problem = post(service, {"samples": [{"case": CASE, "answer": "a"}] * 2})
        assert status == 429
        assert 1 <= int(headers["retry-after"]) <= 60
        assert headers["content-type"] == "application/problem+json"
        assert problem["detail"] == "9 samples are in service, of at most 10"
        grader.release()
        assert split(connection.recv(1 << 20))[0] == 200

    assert post(service, {"samples": [{"case": CASE, "answer": "a"}] * 11})[0] == 413


def test_a_request_that_its_client_abandons_is_cancelled(service: Running, grader: FakeGrader) -> None:
    grader.at_once = False
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(request_bytes(body=json.dumps(BODY).encode()))
        _wait_until(lambda: len(grader.waiting) == 1)

    _wait_until(lambda: grader.waiting[0][1].cancelled())
    _wait_until(lambda: service.service.queue.in_service == 0)
    _wait_until(lambda: service.events[-1]["event"] == "abandoned")


def _wait_until(is_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"authorization": "Bearer wrong-wrong-wrong-wrong"}, 401),
        ({"authorization": ""}, 401),
        ({"authorization": f"Basic {TOKEN}"}, 401),
        ({"authorization": f"bearer {TOKEN}"}, 200),
    ],
)
def test_a_token_is_needed(service: Running, headers: dict[str, str], status: int) -> None:
    found, answered, _ = post(service, BODY, **headers)
    assert found == status
    assert ("www-authenticate" in answered) == (status == 401)


def test_only_health_needs_no_token(service: Running) -> None:
    assert get(service, "/health", authorization="")[0] == 200
    for path in ("/metrics", "/v1/cases", "/nowhere"):
        assert get(service, path, authorization="")[0] == 401


@pytest.mark.parametrize(
    ("document", "status", "says"),
    [
        (b"{", 400, "truncated"),
        (b'{"case": "\xff\xfe", "answer": ""}', 400, "'utf-8' codec"),
        (b'{"case": "' + b"\\ud800" + b'", "answer": ""}', 400, ""),
        (b"[" * 100_000, 422, "Expected `object`"),
        (b'{"samples": ' + b"[" * 100_000, 400, "nested too deeply"),
        (b'{"case": ' + b'{"a":' * 400 + b"1" + b"}" * 400 + b', "answer": ""}', 422, "more than 64 levels"),
        (b"[]", 422, "Expected `object`"),
        ({"case": CASE}, 422, "missing required field `answer`"),
        ({**BODY, "answr": 1}, 422, "unknown field `answr`"),
        ({**BODY, "deadline_s": -1}, 422, "$.deadline_s"),
        ({**BODY, "deadline_s": float("inf")}, 400, ""),
        ({**BODY, "weights": {"compilation": 1}}, 422, "must sum to 1"),
        ({**BODY, "case": "nowhere/add"}, 422, 'no loaded set has "nowhere/add"'),
        ({**BODY, "case": {"promt": ""}}, 422, 'case: promt: unknown key; did you mean "prompt"?'),
        (
            {"samples": [{"case": {"language": "c"}, "answer": ""}]},
            422,
            'samples[0].case: language: unknown language "c"',
        ),
        ({**BODY, "case": {**CASE, "dependencies": ["numpy"]}}, 422, "serve the case in a set: --eval-set"),
        ({**BODY, "case": {**CASE, "timeout_secs": 1e9}}, 422, "case: timeout_secs: at most 300 in a request"),
        ({"samples": [], "cases": {"unused": {"promt": ""}}}, 422, "cases.unused: promt: unknown key"),
    ],
)
def test_a_wrong_body_is_explained(service: Running, document: object, status: int, says: str) -> None:
    found, _, problem = post(service, document)
    assert found == status
    assert says in f"{problem['title']} {problem['detail']}"


def test_a_body_that_is_too_large_is_refused_before_it_is_read(service: Running) -> None:
    status, headers, _ = split(service.send(request_bytes(headers={"content-length": str(1 << 40)})))
    assert (status, headers["connection"]) == (413, "close")

    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    chunked = request_bytes(headers={"transfer-encoding": "chunked"}).replace(b"content-length: 0\r\n", b"")
    assert split(service.send(chunked + chunk * 40))[0] == 413


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),  # TLS
        (b"GET /health HTTP/1.1\r\n\r\n", 400),  # no host
        (b"GET /health HTTP/1.1\r\nhost: x\r\nx: " + b"y" * 200_000 + b"\r\n\r\n", 431),
        (request_bytes(headers={"content-length": "-5"}), 400),
        (request_bytes(headers={"content-length": "5", "transfer-encoding": "chunked"}) + b"0\r\n\r\n", None),
        (request_bytes(body=b"{}", headers={"content-length": "40"}), 408),  # the rest never comes
        (request_bytes()[:40], 408),  # neither do the headers
        (request_bytes(headers={"content-type": "text/plain"}), 415),
        (request_bytes("DELETE"), 405),
        (request_bytes("GET", "/../etc/passwd"), 404),
    ],
)
def test_what_is_not_a_proper_request_gets_an_error_and_harms_nobody(
    service: Running, data: bytes, status: int | None
) -> None:
    answered = split(service.send(data, timeout=5))[0]
    assert answered == status if status is not None else 400 <= answered < 500
    assert get(service, "/health")[0] == 200


def test_a_connection_serves_several_requests_also_if_they_are_sent_at_once(service: Running) -> None:
    one = request_bytes(body=json.dumps(BODY).encode(), headers={"connection": "keep-alive"})
    last = request_bytes("GET", "/health")
    answered = service.send(one + one + last)

    assert answered.count(b"HTTP/1.1 200 OK") == 3


def test_a_client_may_ask_whether_to_send_the_body(service: Running) -> None:
    head, body = request_bytes(headers={"expect": "100-continue", "content-length": "2"}), b"{}"
    with socket.create_connection(("127.0.0.1", service.port), 10) as connection:
        connection.sendall(head)
        assert connection.recv(100).startswith(b"HTTP/1.1 100")
        connection.sendall(body)
        assert b"422" in connection.recv(1 << 16)


def test_head_has_the_headers_of_get_and_no_content(service: Running) -> None:
    status, headers, content = split(service.send(request_bytes("HEAD", "/health")))
    assert (status, content) == (200, b"")
    assert int(headers["content-length"]) > 0


def test_metrics_are_in_prometheus_format(service: Running) -> None:
    post(service, BODY)
    status, headers, content = get(service, "/metrics")

    assert status == 200
    assert headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = content.decode().splitlines()
    values = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")}
    assert values['forgetest_samples_total{outcome="judged"}'] >= 1
    assert values["forgetest_samples_in_service"] == 0
    assert values["process_resident_memory_bytes"] > 1e6


def test_the_log_holds_no_secret_and_no_content(service: Running) -> None:
    post(service, {**BODY, "answer": "def secret_of_the_model(): pass"})
    get(service, f"/v1/cases?token={TOKEN}")
    logged = json.dumps(service.events)

    assert "secret_of_the_model" not in logged
    assert TOKEN not in logged


def test_a_bug_is_an_error_of_its_request_only(
    service: Running, grader: FakeGrader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(grader, "submit", broken)
    status, _, problem = post(service, BODY)
    assert status == 500
    assert "secret" not in json.dumps([problem, service.events])
    monkeypatch.undo()
    assert post(service, BODY)[0] == 200
    assert service.service.queue.in_service == 0


def test_cases_are_listed_page_by_page(service: Running) -> None:
    assert get(service, "/v1/cases?offset=0&limit=5")[2] == {"cases": [], "total": 0}
    assert get(service, "/v1/cases?limit=0")[0] == 422
    assert get(service, "/v1/cases?offset=1e3")[0] == 422
