"""Batches, through the real SDKs: submitted, found again, and collected."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from batch_services import PROMPT_TOKENS, TOKENS, BatchService, a_service
from forgetest.engine.asking import batches
from forgetest.engine.asking.batches import BatchOptions, BatchSession
from forgetest.engine.asking.budget import Budget
from forgetest.engine.journal import Batch, Journal, Session
from forgetest.sample import Attempt, Completion
from forgetest.testing.loopback import Server
from model_apis import MODEL, SERVICE_PRICES, a_request
from specimens import an_attempt

Reported = tuple[Attempt, str | None]

HALF = (PROMPT_TOKENS * SERVICE_PRICES["input"] + TOKENS * SERVICE_PRICES["output"]) / 2e6


def attempts(count: int) -> list[Attempt]:
    return [an_attempt(attempt=number, model=f"service/{MODEL}") for number in range(1, count + 1)]


class Bench:
    """A service, a provider that asks it, and a journal."""

    def __init__(self, service: BatchService, server: Server, path: Path) -> None:
        self.service = service
        self.server = server
        self.provider: Any = service.api.create(service.api.settings(server.url, prices={MODEL: SERVICE_PRICES}))
        self.path = path
        self.announced: list[str] = []
        self.stopped = threading.Event()
        self.cached: dict[Attempt, Completion] = {}
        self.budget: Budget | None = None
        self.journal = Journal(path)
        self.journal.begin(Session(run_id="r", started_at="2026-01-01T00:00:00+00:00", forgetest="0"))

    def run(self, wanted: list[Attempt], **changes: object) -> list[Reported]:
        """Run a session to its end; return what it reports, in that order."""
        reported: list[Reported] = []
        options = BatchOptions(
            batches=self.provider.batches,
            request=lambda attempt: a_request(prompt=f"Say {attempt.attempt}."),
            poll_s=0.01,
            submit=True,
            most_cost=lambda attempt: 1.0,
            budget=self.budget,
            cached=self.cached.get,
            keep=self.cached.__setitem__,
            announce=self.announced.append,
        )
        ask = lambda attempt: self.provider.generate(a_request())  # noqa: E731
        options = replace(options, **changes)  # type: ignore[arg-type]
        report = lambda attempt, reason: reported.append((attempt, reason))  # noqa: E731
        BatchSession(options, ask, self.journal, self.stopped, report).run(wanted)
        return reported

    def reopen(self) -> None:
        """Continue as after a kill."""
        self.stopped = threading.Event()
        self.journal.close()
        self.journal = Journal(self.path)


@pytest.fixture(params=["anthropic", "openai"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    pytest.importorskip(request.param)
    for variable in list(os.environ):
        if variable.startswith(("ANTHROPIC_", "OPENAI_")):
            monkeypatch.delenv(variable)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")
    monkeypatch.setattr(batches, "retry_delay_s", lambda *_: 0.0)
    with ExitStack() as stack:
        service = a_service(request.param, "Hello.")
        service.done.set()
        bench = Bench(service, stack.enter_context(Server(service)), tmp_path / "journal.jsonl")
        stack.callback(lambda: bench.journal.close())
        yield bench


def test_the_first_request_is_sent_on_its_own_and_the_others_cost_half(bench: Bench) -> None:
    five = attempts(5)
    assert sorted(bench.run(five)) == [(attempt, None) for attempt in five]
    assert bench.service.singly == 1
    assert [len(batch.requests) for batch in bench.service.batches] == [4]
    costs = [bench.journal.completion(attempt).usage.cost_usd for attempt in five]
    assert costs == pytest.approx([2 * HALF, HALF, HALF, HALF, HALF])
    assert {bench.journal.completion(attempt).text for attempt in five} == {"Hello."}
    assert bench.journal.batches(f"service/{MODEL}") == []
    assert bench.announced[0].startswith(f"service/{MODEL}: 4 requests submitted as batch ")
    asked = [body for batch in bench.service.batches for body in batch.requests.values()]
    assert [body["messages"][-1]["content"] for body in asked] == [f"Say {number}." for number in range(2, 6)]
    assert {body["model"] for body in asked} == {MODEL}


def test_a_batch_that_is_not_done_is_waited_for(bench: Bench) -> None:
    bench.service.done.clear()
    timer = threading.Timer(0.1, bench.service.done.set)
    timer.start()
    assert [reason for _, reason in bench.run(attempts(3))] == [None] * 3
    timer.join()


def test_a_batch_submitted_before_a_kill_is_collected_and_not_submitted_again(bench: Bench) -> None:
    bench.service.done.clear()
    three = attempts(3)
    waiting = threading.Thread(target=bench.run, args=(three,), daemon=True)
    waiting.start()
    while not any(batch.batch_id for batch in bench.journal.batches(f"service/{MODEL}")):
        assert waiting.is_alive()
        time.sleep(0.001)
    bench.stopped.set()
    waiting.join(60)
    assert bench.journal.has_answer(three[0])
    bench.reopen()
    bench.service.done.set()
    assert sorted(bench.run(three[1:], submit=False)) == [(attempt, None) for attempt in three[1:]]
    assert (len(bench.service.batches), bench.service.singly) == (1, 1)
    assert bench.journal.batches(f"service/{MODEL}") == []


def test_a_batch_whose_id_never_arrived_is_found_by_its_tag(bench: Bench) -> None:
    three = attempts(3)
    write_to_journal(bench.journal, three)
    requests = {f"aa-{number}": a_request() for number in range(3)}
    bench.provider.batches.submit({f"ffff-{number}": a_request() for number in range(3)}, "ffff")  # somebody else's
    bench.provider.batches.submit(requests, "aa")
    bench.reopen()
    assert sorted(bench.run(three)) == [(attempt, None) for attempt in three]
    assert (len(bench.service.batches), bench.service.singly) == (2, 0)


def write_to_journal(journal: Journal, wanted: list[Attempt], batch_id: str | None = None) -> None:
    """Leave the journal as a session does that has submitted these attempts, or was about to."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    batch = Batch(tag="aa", model=f"service/{MODEL}", attempts=tuple(wanted), handed_in_at=now, batch_id=batch_id)
    journal.handed_in(batch)


def test_a_batch_that_never_arrived_is_submitted_again(bench: Bench) -> None:
    three = attempts(3)
    write_to_journal(bench.journal, three)
    bench.budget = Budget(2.5)  # each may cost 1
    assert sorted(bench.run(three)) == [(attempt, None) for attempt in three]
    assert [len(batch.requests) for batch in bench.service.batches] == [2]


def test_a_batch_that_never_arrived_is_left_to_the_next_session_without_the_option(bench: Bench) -> None:
    two = attempts(2)
    write_to_journal(bench.journal, two)
    reasons = [reason for _, reason in bench.run(two, submit=False)]
    assert reasons == ["its batch never reached the service; the same command asks"] * 2
    assert bench.journal.batches(f"service/{MODEL}") == []


def test_answers_to_cases_that_this_session_leaves_out_are_recorded_all_the_same(bench: Bench) -> None:
    three = attempts(3)
    requests = {f"aa-{number}": a_request() for number in range(3)}
    write_to_journal(bench.journal, three, bench.provider.batches.submit(requests, "aa"))
    bench.budget = Budget(100.0)

    def most_cost(attempt: Attempt) -> float:
        assert attempt == three[0], "its request is not known"
        return 1.0

    assert list(bench.run(three[:1], most_cost=most_cost)) == [(three[0], None)]
    assert all(bench.journal.has_answer(attempt) for attempt in three)
    assert bench.budget.spent == pytest.approx(3 * HALF)
    assert bench.budget.try_reserve(100.0 - 4 * HALF)


def test_a_batch_that_cannot_be_collected_is_left_for_later_and_counted_as_paid(bench: Bench) -> None:
    two = attempts(2)
    write_to_journal(bench.journal, two, "unknown")
    bench.budget = Budget(100.0)
    bench.server.answer = lambda received: bench.service.api.error(500, "oops")
    reasons = [str(reason) for _, reason in bench.run(two)]
    assert all("500" in reason and "tries to collect its batch again" in reason for reason in reasons)
    assert len(reasons) == 2
    assert len(bench.journal.batches(f"service/{MODEL}")) == 1
    assert bench.budget.spent == 2.0


def test_a_submission_whose_reply_was_lost_is_not_submitted_twice(bench: Bench) -> None:
    breaks = iter([True])
    bench.service.on_create = lambda reply: replace(reply, reset=next(breaks, False))
    assert len(list(bench.run(attempts(4)))) == 4
    assert len(bench.service.batches) == 1


def test_a_request_that_failed_in_a_batch_is_reported_and_asked_for_again(bench: Bench) -> None:
    errored = {
        "anthropic": {"type": "errored", "error": {"type": "error", "error": {"type": "api_error", "message": "oops"}}},
        "openai": {"response": {"status_code": 500, "request_id": "r", "body": {"error": {"message": "oops"}}}},
    }
    three = attempts(3)
    bench.service.spoil = lambda name: errored[bench.service.api.name] if name.endswith("-1") else None
    reasons = dict(bench.run(three))
    assert [reasons[attempt] for attempt in three[:2]] == [None, None]
    assert "500: the service failed" in str(reasons[three[2]])
    assert not bench.journal.has_answer(three[2])
    bench.service.spoil = lambda name: None
    assert list(bench.run([three[2]])) == [(three[2], None)]


def test_a_batch_that_the_service_no_longer_knows_is_given_up(bench: Bench) -> None:
    two = attempts(2)
    write_to_journal(bench.journal, two, "unknown")
    assert {reason for _, reason in bench.run(two)} == {
        "the service does not know the batch any more; the same command asks again"
    }
    assert bench.journal.batches(f"service/{MODEL}") == []


def test_nothing_is_submitted_where_the_first_request_fails_for_good(bench: Bench) -> None:
    bench.server.answer = lambda received: bench.service.api.error(401, "no")
    found = list(bench.run(attempts(4)))
    assert len(found) == 4
    assert {reason for _, reason in found} == {found[0][1]}
    assert "the key was not accepted" in str(found[0][1])
    assert len(bench.server.received) == 1


def test_no_more_is_submitted_than_the_budget_allows(bench: Bench) -> None:
    bench.budget = Budget(3.5)  # each may cost 1
    found = dict(bench.run(attempts(6)))
    assert [len(batch.requests) for batch in bench.service.batches] == [3]
    assert [reason is None for reason in found.values()].count(True) == 4
    assert sum("--max-cost 3.5" in str(reason) for reason in found.values()) == 2
    assert bench.budget.spent == pytest.approx(3 * HALF)


def test_cached_answers_are_neither_asked_for_nor_submitted(bench: Bench) -> None:
    four = attempts(4)
    bench.cached = {four[1]: Completion(text="kept", from_cache=True)}
    assert len(list(bench.run(four))) == 4
    assert bench.journal.completion(four[1]).text == "kept"
    assert [len(batch.requests) for batch in bench.service.batches] == [2]
    assert set(bench.cached) == {four[1], four[2], four[3]}


def test_nothing_is_submitted_while_an_unfinished_batch_may_be_ours(bench: Bench) -> None:
    two = attempts(2)
    write_to_journal(bench.journal, two)
    bench.service.done.clear()
    bench.provider.batches.submit({f"aa-{number}": a_request() for number in range(2)}, "aa")
    done = threading.Timer(0.2, bench.service.done.set)
    done.start()
    assert sorted(bench.run(two)) == [(attempt, None) for attempt in two]
    assert (len(bench.service.batches), bench.service.singly) == (1, 0)
    done.join()
