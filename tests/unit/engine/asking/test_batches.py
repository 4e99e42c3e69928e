"""Batches, through the real SDKs: what is handed in, found again, and collected."""

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
from forgetest.engine.asking.batches import Asking, ByBatch, Found
from forgetest.engine.asking.budget import Purse
from forgetest.engine.journal import Batch, Journal, Session
from forgetest.sample import Attempt, Completion
from loopback import Server
from model_apis import MODEL, SERVICE_PRICES, a_request
from specimens import an_attempt

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
        self.said: list[str] = []
        self.over = threading.Event()
        self.keeping: dict[Attempt, Completion] = {}
        self.purse: Purse | None = None
        self.journal = Journal(path)
        self.journal.begin(Session(run_id="r", started_at="2026-01-01T00:00:00+00:00", forgetest="0"))

    def answers(self, wanted: list[Attempt], **changes: object) -> Iterator[Found]:
        by_batch = ByBatch(
            batches=self.provider.batches,
            request=lambda attempt: a_request(prompt=f"Say {attempt.attempt}."),
            poll_s=0.01,
            hand_in=True,
            most_cost=lambda attempt: 1.0,
            purse=self.purse,
            kept=self.keeping.get,
            keep=self.keeping.__setitem__,
            announce=self.said.append,
        )
        ask = lambda attempt: self.provider.generate(a_request())  # noqa: E731
        asking = Asking(replace(by_batch, **changes), ask, self.journal, self.over)  # type: ignore[arg-type]
        return asking.answers(wanted)

    def reopened(self) -> None:
        """As after a kill."""
        self.over = threading.Event()
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
    monkeypatch.setattr(batches, "pause_s", lambda *_: 0.0)
    with ExitStack() as stack:
        service = a_service(request.param, "Hello.")
        service.done.set()
        bench = Bench(service, stack.enter_context(Server(service)), tmp_path / "journal.jsonl")
        stack.callback(lambda: bench.journal.close())
        yield bench


def test_the_first_goes_ahead_and_the_others_cost_half(bench: Bench) -> None:
    five = attempts(5)
    assert sorted(bench.answers(five)) == [(attempt, None) for attempt in five]
    assert bench.service.singly == 1
    assert [len(batch.requests) for batch in bench.service.batches] == [4]
    costs = [bench.journal.completion(attempt).usage.cost_usd for attempt in five]
    assert costs == pytest.approx([2 * HALF, HALF, HALF, HALF, HALF])
    assert {bench.journal.completion(attempt).text for attempt in five} == {"Hello."}
    assert bench.journal.batches(f"service/{MODEL}") == []
    assert bench.said[0].startswith(f"service/{MODEL}: 4 requests handed in as batch ")
    asked = [body for batch in bench.service.batches for body in batch.requests.values()]
    assert [body["messages"][-1]["content"] for body in asked] == [f"Say {number}." for number in range(2, 6)]
    assert {body["model"] for body in asked} == {MODEL}


def test_a_batch_that_is_not_done_is_waited_for(bench: Bench) -> None:
    bench.service.done.clear()
    found = bench.answers(attempts(3))
    assert next(found)[1] is None
    timer = threading.Timer(0.1, bench.service.done.set)
    timer.start()
    assert len(list(found)) == 2
    timer.join()


def test_what_was_handed_in_before_a_kill_is_collected_and_not_handed_in_again(bench: Bench) -> None:
    bench.service.done.clear()
    three = attempts(3)
    found = bench.answers(three)
    assert next(found) == (three[0], None)
    waiting = threading.Thread(target=lambda: list(found), daemon=True)
    waiting.start()
    while not any(batch.batch_id for batch in bench.journal.batches(f"service/{MODEL}")):
        assert waiting.is_alive()
        time.sleep(0.001)
    bench.over.set()
    waiting.join(60)
    bench.reopened()
    bench.service.done.set()
    assert sorted(bench.answers(three[1:], hand_in=False)) == [(attempt, None) for attempt in three[1:]]
    assert (len(bench.service.batches), bench.service.singly) == (1, 1)
    assert bench.journal.batches(f"service/{MODEL}") == []


def test_a_batch_whose_id_was_never_heard_is_found_by_its_tag(bench: Bench) -> None:
    three = attempts(3)
    noted(bench.journal, three)
    requests = {f"aa-{number}": a_request() for number in range(3)}
    bench.provider.batches.submit({f"ffff-{number}": a_request() for number in range(3)}, "ffff")  # somebody else's
    bench.provider.batches.submit(requests, "aa")
    bench.reopened()
    assert sorted(bench.answers(three)) == [(attempt, None) for attempt in three]
    assert (len(bench.service.batches), bench.service.singly) == (2, 0)


def noted(journal: Journal, wanted: list[Attempt], batch_id: str | None = None) -> None:
    """As if a session had handed these in, or been about to."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    batch = Batch(tag="aa", model=f"service/{MODEL}", attempts=tuple(wanted), handed_in_at=now, batch_id=batch_id)
    journal.handed_in(batch)


def test_a_batch_that_never_arrived_is_as_if_it_had_not_been_handed_in(bench: Bench) -> None:
    three = attempts(3)
    noted(bench.journal, three)
    bench.purse = Purse(2.5)  # each may cost 1
    assert sorted(bench.answers(three)) == [(attempt, None) for attempt in three]
    assert [len(batch.requests) for batch in bench.service.batches] == [2]


def test_without_batch_what_never_arrived_is_left_to_the_next_session(bench: Bench) -> None:
    two = attempts(2)
    noted(bench.journal, two)
    reasons = [reason for _, reason in bench.answers(two, hand_in=False)]
    assert reasons == ["its batch never reached the service; the same command asks"] * 2
    assert bench.journal.batches(f"service/{MODEL}") == []


def test_answers_to_cases_that_are_left_out_this_time_are_kept_all_the_same(bench: Bench) -> None:
    three = attempts(3)
    requests = {f"aa-{number}": a_request() for number in range(3)}
    noted(bench.journal, three, bench.provider.batches.submit(requests, "aa"))
    bench.purse = Purse(100.0)

    def most_cost(attempt: Attempt) -> float:
        assert attempt == three[0], "its request is not known"
        return 1.0

    assert list(bench.answers(three[:1], most_cost=most_cost)) == [(three[0], None)]
    assert all(bench.journal.has_answer(attempt) for attempt in three)
    assert bench.purse.spent == pytest.approx(3 * HALF)
    assert bench.purse.fits(100.0 - 4 * HALF)


def test_a_batch_that_cannot_be_asked_after_is_left_for_later_and_counted_as_paid(bench: Bench) -> None:
    two = attempts(2)
    noted(bench.journal, two, "unknown")
    bench.purse = Purse(100.0)
    bench.server.answer = lambda received: bench.service.api.error(500, "oops")
    reasons = [str(reason) for _, reason in bench.answers(two)]
    assert all("500" in reason and "tries to collect its batch again" in reason for reason in reasons)
    assert len(reasons) == 2
    assert len(bench.journal.batches(f"service/{MODEL}")) == 1
    assert bench.purse.spent == 2.0


def test_a_reply_that_broke_off_does_not_make_two_batches_of_one(bench: Bench) -> None:
    breaks = iter([True])
    bench.service.on_create = lambda reply: replace(reply, reset=next(breaks, False))
    assert len(list(bench.answers(attempts(4)))) == 4
    assert len(bench.service.batches) == 1


def test_what_failed_in_a_batch_is_said_and_asked_for_again(bench: Bench) -> None:
    errored = {
        "anthropic": {"type": "errored", "error": {"type": "error", "error": {"type": "api_error", "message": "oops"}}},
        "openai": {"response": {"status_code": 500, "request_id": "r", "body": {"error": {"message": "oops"}}}},
    }
    three = attempts(3)
    bench.service.spoil = lambda name: errored[bench.service.api.name] if name.endswith("-1") else None
    reasons = dict(bench.answers(three))
    assert [reasons[attempt] for attempt in three[:2]] == [None, None]
    assert "500: the service failed" in str(reasons[three[2]])
    assert not bench.journal.has_answer(three[2])
    bench.service.spoil = lambda name: None
    assert list(bench.answers([three[2]])) == [(three[2], None)]


def test_a_batch_that_is_gone_is_given_up(bench: Bench) -> None:
    two = attempts(2)
    noted(bench.journal, two, "unknown")
    assert {reason for _, reason in bench.answers(two)} == {
        "the service does not know the batch any more; the same command asks again"
    }
    assert bench.journal.batches(f"service/{MODEL}") == []


def test_where_the_first_is_hopeless_nothing_is_handed_in(bench: Bench) -> None:
    bench.server.answer = lambda received: bench.service.api.error(401, "no")
    found = list(bench.answers(attempts(4)))
    assert len(found) == 4
    assert {reason for _, reason in found} == {found[0][1]}
    assert "the key was not accepted" in str(found[0][1])
    assert len(bench.server.received) == 1


def test_no_more_is_handed_in_than_the_purse_holds(bench: Bench) -> None:
    bench.purse = Purse(3.5)  # each may cost 1
    found = dict(bench.answers(attempts(6)))
    assert [len(batch.requests) for batch in bench.service.batches] == [3]
    assert [reason is None for reason in found.values()].count(True) == 4
    assert sum("--max-cost 3.5" in str(reason) for reason in found.values()) == 2
    assert bench.purse.spent == pytest.approx(3 * HALF)


def test_answers_that_are_kept_are_neither_asked_for_nor_handed_in(bench: Bench) -> None:
    four = attempts(4)
    bench.keeping = {four[1]: Completion(text="kept", from_cache=True)}
    assert len(list(bench.answers(four))) == 4
    assert bench.journal.completion(four[1]).text == "kept"
    assert [len(batch.requests) for batch in bench.service.batches] == [2]
    assert set(bench.keeping) == {four[1], four[2], four[3]}


def test_while_a_batch_that_may_be_ours_is_not_done_nobody_hands_in_another(bench: Bench) -> None:
    two = attempts(2)
    noted(bench.journal, two)
    bench.service.done.clear()
    bench.provider.batches.submit({f"aa-{number}": a_request() for number in range(2)}, "aa")
    done = threading.Timer(0.2, bench.service.done.set)
    done.start()
    assert sorted(bench.answers(two)) == [(attempt, None) for attempt in two]
    assert (len(bench.service.batches), bench.service.singly) == (1, 0)
    done.join()
