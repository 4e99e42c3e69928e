from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest

from forgetest.engine.asking.ask import ReadyAttempt, Source, ask_models, read_completions
from forgetest.engine.journal import Journal
from forgetest.errors import ProviderError
from forgetest.sample import Attempt, Completion
from specimens import an_attempt

FOUR = [an_attempt(attempt=number) for number in range(1, 5)]


def asked_of(ask: Callable[[Attempt], Completion], concurrency: int = 1) -> dict[str, Source]:
    return {"acme/small": Source(ask=ask, concurrency=concurrency)}


def echo(attempt: Attempt) -> Completion:
    return Completion(text=f"answer {attempt.attempt}")


def test_every_answer_is_in_the_journal_before_it_can_be_judged(journal: Journal) -> None:
    with ask_models(FOUR, asked_of(echo), journal) as found:
        for ready in found:
            assert journal.completion(ready.attempt).text == f"answer {ready.attempt.attempt}"


def test_answers_in_the_journal_are_not_asked_for_and_come_first(journal: Journal) -> None:
    journal.answered(FOUR[2], Completion(text="kept"))
    asked = []

    def ask(attempt: Attempt) -> Completion:
        asked.append(attempt)
        return echo(attempt)

    with ask_models(FOUR, asked_of(ask), journal) as found:
        order = [ready.attempt for ready in found]

    assert order[0] == FOUR[2]
    assert sorted(order) == FOUR
    assert asked == [FOUR[0], FOUR[1], FOUR[3]]
    assert journal.completion(FOUR[2]).text == "kept"


def test_no_source_is_needed_if_all_answers_are_in_the_journal(journal: Journal) -> None:
    for attempt in FOUR:
        journal.answered(attempt, echo(attempt))

    with ask_models(FOUR, {}, journal) as found:
        assert [ready.attempt for ready in found] == FOUR
    with ask_models([], {}, journal) as found:
        assert list(found) == []


def test_a_temporary_failure_leaves_only_its_own_attempt_without_an_answer(journal: Journal) -> None:
    def ask(attempt: Attempt) -> Completion:
        if attempt.attempt == 2:
            raise ProviderError("overloaded")
        return echo(attempt)

    with ask_models(FOUR, asked_of(ask), journal) as found:
        assert list(found) == [
            ReadyAttempt(FOUR[0]),
            ReadyAttempt(FOUR[1], "overloaded"),
            ReadyAttempt(FOUR[2]),
            ReadyAttempt(FOUR[3]),
        ]
    assert not journal.has_answer(FOUR[1])


def test_a_final_failure_stops_this_model_and_no_other(journal: Journal) -> None:
    other = [an_attempt(attempt=number, model="acme/large") for number in (1, 2, 3)]
    asked = []

    def ask(attempt: Attempt) -> Completion:
        asked.append(attempt)
        if attempt.model == "small":
            raise ProviderError("wrong key", final=True)
        return echo(attempt)

    sources = {name: Source(ask=ask, concurrency=1) for name in ("acme/small", "acme/large")}
    with ask_models([*FOUR, *other], sources, journal) as found:
        by_attempt = {ready.attempt: ready.no_answer for ready in found}

    assert [by_attempt[attempt] for attempt in FOUR] == ["wrong key"] * 4
    assert [by_attempt[attempt] for attempt in other] == [None] * 3
    assert [attempt for attempt in asked if attempt.model == "small"] == FOUR[:1]


def test_a_crash_in_a_provider_is_a_bug_and_ends_the_run(journal: Journal) -> None:
    def ask(attempt: Attempt) -> Completion:
        raise ZeroDivisionError

    with ask_models(FOUR, asked_of(ask), journal) as found, pytest.raises(ZeroDivisionError):
        list(found)


def test_slow_judging_blocks_no_request(journal: Journal) -> None:
    with ask_models(FOUR, asked_of(echo), journal) as found:
        next(found)
        deadline = time.monotonic() + 60
        while not all(journal.has_answer(attempt) for attempt in FOUR) and time.monotonic() < deadline:
            time.sleep(0.001)
        assert all(journal.has_answer(attempt) for attempt in FOUR)


def test_no_more_requests_are_in_flight_than_a_source_allows(journal: Journal) -> None:
    all_there, now, most = threading.Barrier(2, timeout=60), [0], [0]
    lock = threading.Lock()

    def ask(attempt: Attempt) -> Completion:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        all_there.wait()  # passes only where two are asked at once
        with lock:
            now[0] -= 1
        return echo(attempt)

    with ask_models(FOUR, asked_of(ask, concurrency=2), journal) as found:
        assert len(list(found)) == 4
    assert most == [2]


def test_a_thread_that_waits_for_an_answer_is_released_when_the_run_is_given_up(journal: Journal) -> None:
    hanging = threading.Event()

    def ask(attempt: Attempt) -> Completion:
        hanging.wait(200)
        return echo(attempt)

    taken: list[ReadyAttempt] = []
    with ask_models(FOUR, asked_of(ask), journal) as found:
        waiting = threading.Thread(target=lambda: taken.extend(found), daemon=True)
        waiting.start()
    waiting.join(60)

    assert not waiting.is_alive()
    assert taken == []
    hanging.set()


def test_attempts_at_one_case_are_asked_for_together(journal: Journal) -> None:
    attempts = [an_attempt(case, attempt=number) for case in ("add", "sort") for number in range(1, 6)]
    groups = []

    def ask_together(group: Sequence[Attempt]) -> list[Completion]:
        groups.append([(attempt.case_id, attempt.attempt) for attempt in group])
        return [echo(attempt) for attempt in group]

    source = Source(ask=echo, concurrency=1, together=3, ask_together=ask_together)
    with ask_models(attempts, {"acme/small": source}, journal) as found:
        assert {ready.attempt for ready in found} == set(attempts)

    assert groups == [
        [(case, number) for number in numbers] for case in ("add", "sort") for numbers in ((1, 2, 3), (4, 5))
    ]
    assert all(journal.completion(attempt) == echo(attempt) for attempt in attempts)


def test_attempts_that_a_shared_request_did_not_answer_are_asked_for_singly(journal: Journal) -> None:
    singly = []

    def ask(attempt: Attempt) -> Completion:
        singly.append(attempt.attempt)
        return echo(attempt)

    source = Source(ask=ask, concurrency=1, together=4, ask_together=lambda group: [echo(group[0])])
    with ask_models(FOUR, {"acme/small": source}, journal) as found:
        assert {ready.attempt for ready in found} == set(FOUR)
    assert sorted(singly) == [2, 3, 4]


def test_a_shared_request_that_fails_leaves_all_its_attempts_without_an_answer(journal: Journal) -> None:
    def ask_together(group: Sequence[Attempt]) -> list[Completion]:
        raise ProviderError("busy")

    source = Source(ask=echo, concurrency=1, together=4, ask_together=ask_together)
    with ask_models(FOUR, {"acme/small": source}, journal) as found:
        assert list(found) == [ReadyAttempt(attempt, "busy") for attempt in FOUR]


def test_answers_on_this_machine_are_ready_immediately_and_read_when_they_are_needed(journal: Journal) -> None:
    journal.answered(FOUR[1], Completion(text="kept"))
    read = []

    def ask(attempt: Attempt) -> Completion:
        read.append(attempt)
        return Completion(text="half a \ud800 pair")

    sources = {"acme/small": Source(ask=ask, concurrency=1, immediate=True)}
    with ask_models(FOUR, sources, journal) as found:
        assert [ready.attempt for ready in found] == FOUR
    assert read == []

    answers = read_completions(FOUR[:3], sources, journal)

    assert read == [FOUR[0], FOUR[2]]
    assert [each.text for each in answers] == ["half a ? pair", "kept", "half a ? pair"]
    assert [journal.completion(attempt) for attempt in FOUR[:3]] == answers
    assert not journal.has_answer(FOUR[3])
