from __future__ import annotations

import sys
import threading
import time

import pytest

from forgetest.engine.judging.single_flight import SingleFlight

DEADLINE_S = 60


def is_waiting(thread: threading.Thread) -> bool:
    """True while a thread waits for the work of another."""
    frame, names = sys._current_frames().get(thread.ident or 0), []
    while frame is not None:
        names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return "SingleFlight.do" in names and "Event.wait" in names


def wait_until_waiting(threads: list[threading.Thread]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not all(is_waiting(thread) for thread in threads):
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_threads_that_ask_while_the_same_work_is_in_progress_get_its_result() -> None:
    flights: SingleFlight[str] = SingleFlight()
    started, may_end = threading.Event(), threading.Event()
    results: list[str] = []

    def work() -> str:
        started.set()
        assert may_end.wait(DEADLINE_S)
        return "result"

    first = threading.Thread(target=lambda: results.append(flights.do(b"same", work)))
    first.start()
    assert started.wait(DEADLINE_S)
    others = [threading.Thread(target=lambda: results.append(flights.do(b"same", lambda: "own"))) for _ in range(5)]
    for thread in others:
        thread.start()
    wait_until_waiting(others)
    assert flights.do(b"other", lambda: "at once") == "at once"
    may_end.set()
    for thread in [first, *others]:
        thread.join(DEADLINE_S)

    assert results == ["result"] * 6


def test_what_failed_is_done_by_the_next_one_that_wanted_it() -> None:
    flights: SingleFlight[str] = SingleFlight()
    started, may_fail = threading.Event(), threading.Event()
    errors: list[BaseException] = []
    results: list[str] = []

    def fail() -> str:
        started.set()
        assert may_fail.wait(DEADLINE_S)
        raise ZeroDivisionError

    def first() -> None:
        with pytest.raises(ZeroDivisionError) as raised:
            flights.do(b"same", fail)
        errors.append(raised.value)

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert started.wait(DEADLINE_S)
    threads += [threading.Thread(target=lambda: results.append(flights.do(b"same", lambda: "own"))) for _ in range(3)]
    for thread in threads[1:]:
        thread.start()
    wait_until_waiting(threads[1:])
    may_fail.set()
    for thread in threads:
        thread.join(DEADLINE_S)

    assert len(errors) == 1
    assert results == ["own"] * 3


def test_nothing_is_remembered() -> None:
    flights: SingleFlight[int] = SingleFlight()
    numbers = iter(range(10))

    assert [flights.do(b"same", lambda: next(numbers)) for _ in range(3)] == [0, 1, 2]
