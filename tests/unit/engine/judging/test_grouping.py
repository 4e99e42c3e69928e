"""Which samples are judged together."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.engine.asking.ask import ReadyAttempt, ReadyQueue
from forgetest.engine.judging.grouping import TaskGroups, group_size
from forgetest.language import MOST_TOGETHER
from specimens import an_attempt


def incoming(count: int) -> ReadyQueue:
    """So many that are there already."""
    waiting = queue.SimpleQueue[ReadyAttempt | None]()
    for number in range(1, count + 1):
        waiting.put(ReadyAttempt(an_attempt(attempt=number)))
    waiting.put(None)
    return ReadyQueue(waiting, 1)  # type: ignore[arg-type]


def groups_of(
    ready: ReadyQueue, left: int, slots: int, admit: Callable[[Sequence[ReadyAttempt]], list[Any]] = list
) -> list[list[Any]]:
    with TaskGroups(ready, left, slots, admit, MOST_TOGETHER) as groups:
        return list(groups)


@given(count=st.integers(0, 300), slots=st.integers(1, 20))
def test_every_sample_is_in_one_group_in_its_order(count: int, slots: int) -> None:
    groups = groups_of(incoming(count), count, slots)

    assert [ready.attempt.attempt for group in groups for ready in group] == list(range(1, count + 1))
    assert all(1 <= len(group) <= MOST_TOGETHER for group in groups)


@given(left=st.integers(1, 300), slots=st.integers(1, 20))
def test_no_group_is_so_large_that_other_slots_have_nothing_left(left: int, slots: int) -> None:
    assert 1 <= group_size(left, slots, MOST_TOGETHER) <= max(8, left / slots)


def test_a_language_may_have_larger_groups_which_become_smaller_towards_the_end() -> None:
    assert [group_size(left, 2, 128) for left in (1000, 200, 50, 20, 3)] == [128, 100, 25, 16, 3]


def test_no_sample_waits_for_others() -> None:
    waiting = queue.SimpleQueue[ReadyAttempt | None]()
    admitted = threading.Semaphore(0)

    def admit(taken: Sequence[ReadyAttempt]) -> list[Any]:
        for _ in taken:
            admitted.release()
        return list(taken)

    with TaskGroups(ReadyQueue(waiting, 1), 100, 1, admit, MOST_TOGETHER) as groups:  # type: ignore[arg-type]
        waiting.put(ReadyAttempt(an_attempt(attempt=1)))
        assert len(next(groups)) == 1
        for number in (2, 3, 4):
            waiting.put(ReadyAttempt(an_attempt(attempt=number)))
        taken = 0
        while taken < 3:
            taken += len(next(groups))
        assert taken == 3
        waiting.put(None)


def test_samples_that_become_ready_while_all_slots_are_busy_are_one_group() -> None:
    waiting = queue.SimpleQueue[ReadyAttempt | None]()
    admitted = threading.Semaphore(0)

    def admit(taken: Sequence[ReadyAttempt]) -> list[Any]:
        for _ in taken:
            admitted.release()
        return list(taken)

    with TaskGroups(ReadyQueue(waiting, 1), 100, 1, admit, MOST_TOGETHER) as groups:  # type: ignore[arg-type]
        for number in (1, 2, 3):
            waiting.put(ReadyAttempt(an_attempt(attempt=number)))
            assert admitted.acquire(timeout=60)
        waiting.put(None)
        assert [task.attempt.attempt for group in groups for task in group] == [1, 2, 3]  # type: ignore[attr-defined]


def test_an_error_of_the_source_is_raised_where_the_next_group_is_taken() -> None:
    def admit(_taken: Sequence[ReadyAttempt]) -> list[Any]:
        raise ZeroDivisionError

    with TaskGroups(incoming(1), 1, 1, admit, MOST_TOGETHER) as groups, pytest.raises(ZeroDivisionError):
        next(groups)


def test_groups_are_filled_up_with_those_that_have_to_be_judged() -> None:
    seen: list[int] = []

    def sift(taken: Sequence[ReadyAttempt]) -> list[int]:
        numbers = [ready.attempt.attempt for ready in taken]
        seen.extend(numbers)
        return [number for number in numbers if number % 4 == 0]

    groups = groups_of(incoming(400), 400, 1, sift)

    assert seen == list(range(1, 401))
    assert [number for group in groups for number in group] == list(range(4, 401, 4))
    assert len(groups) <= 8


def test_what_need_not_be_judged_takes_no_slot() -> None:
    assert groups_of(incoming(100), 100, 2, lambda _: []) == []


def test_a_group_begins_though_all_that_follow_equal_its_samples() -> None:
    looked_at: list[ReadyAttempt] = []

    def admit_the_first(taken: Sequence[ReadyAttempt]) -> list[Any]:
        looked_at.extend(taken)
        return [each for each in taken if each.attempt.attempt == 1]

    ready = incoming(10_000)
    with TaskGroups(ready, 10_000, 2, admit_the_first, 16, lambda: len(looked_at) < 100) as groups:
        assert [each.attempt.attempt for each in next(groups)] == [1]
        assert len(looked_at) <= 16 * 8 + 16


def test_nothing_is_admitted_while_there_is_no_room() -> None:
    has_room = threading.Event()
    admitted = threading.Event()

    def admit(taken: Sequence[ReadyAttempt]) -> list[Any]:
        admitted.set()
        return list(taken)

    with TaskGroups(incoming(3), 3, 1, admit, 16, has_room.is_set) as groups:
        assert not admitted.wait(0.2)
        has_room.set()
        assert sum(len(group) for group in groups) == 3


def test_whoever_waits_for_room_ends_with_the_run() -> None:
    with TaskGroups(incoming(3), 3, 1, list, 16, lambda: False) as groups:
        pass
    assert list(groups) == []
