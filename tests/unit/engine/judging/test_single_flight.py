from __future__ import annotations

import threading

import pytest

from forgetest.engine.judging.single_flight import Once

DEADLINE_S = 60


def test_whoever_comes_while_the_same_work_goes_on_gets_its_result() -> None:
    once: Once[str] = Once()
    started, may_end = threading.Event(), threading.Event()
    done: list[str] = []
    results: list[str] = []

    def work() -> str:
        started.set()
        assert may_end.wait(DEADLINE_S)
        done.append("once")
        return "result"

    first = threading.Thread(target=lambda: results.append(once.do(b"same", work)))
    first.start()
    assert started.wait(DEADLINE_S)
    others = [threading.Thread(target=lambda: results.append(once.do(b"same", lambda: "own"))) for _ in range(5)]
    for thread in others:
        thread.start()
    assert once.do(b"other", lambda: "at once") == "at once"
    may_end.set()
    for thread in [first, *others]:
        thread.join(DEADLINE_S)

    # one that came only after the first had ended did the work itself, and none did it meanwhile
    assert done == ["once"]
    assert len(results) == 6
    assert set(results) <= {"result", "own"}


def test_what_failed_is_done_by_the_next_one_that_wanted_it() -> None:
    once: Once[str] = Once()
    started, may_fail = threading.Event(), threading.Event()
    errors: list[BaseException] = []
    results: list[str] = []

    def fail() -> str:
        started.set()
        assert may_fail.wait(DEADLINE_S)
        raise ZeroDivisionError

    def first() -> None:
        with pytest.raises(ZeroDivisionError) as told:
            once.do(b"same", fail)
        errors.append(told.value)

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert started.wait(DEADLINE_S)
    threads += [threading.Thread(target=lambda: results.append(once.do(b"same", lambda: "own"))) for _ in range(3)]
    for thread in threads[1:]:
        thread.start()
    may_fail.set()
    for thread in threads:
        thread.join(DEADLINE_S)

    assert len(errors) == 1
    assert results == ["own"] * 3


def test_nothing_is_remembered() -> None:
    once: Once[int] = Once()
    numbers = iter(range(10))

    assert [once.do(b"same", lambda: next(numbers)) for _ in range(3)] == [0, 1, 2]
