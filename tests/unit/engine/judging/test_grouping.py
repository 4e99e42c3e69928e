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
from forgetest.engine.judging.grouping import GroupSizes, TaskGroups
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


def sizes_of(count: int, slots: int, most: int) -> list[int]:
    sizes, left, found = GroupSizes(slots, most), count, list[int]()
    while left:
        found.append(sizes.next(left))
        left -= found[-1]
    return found


@given(count=st.integers(1, 1000), slots=st.integers(1, 20), most=st.sampled_from([16, 48, 128]))
def test_no_slot_has_much_more_to_do_than_another(count: int, slots: int, most: int) -> None:
    found = sizes_of(count, slots, most)
    shares = [sum(found[slot::slots]) for slot in range(slots)]

    assert max(found) <= most
    assert max(shares) <= max(8, -(-count // slots) + len(found) / slots + 8)


@given(count=st.integers(1, 1000), slots=st.integers(1, 20), most=st.sampled_from([16, 48, 128]))
def test_there_are_as_few_groups_as_slots_and_the_largest_size_allow(count: int, slots: int, most: int) -> None:
    assert len(sizes_of(count, slots, most)) <= slots * -(-count // (slots * most))


def test_slots_get_groups_of_the_same_size() -> None:
    assert sizes_of(60, 2, 48) == [30, 30]
    assert sizes_of(96, 2, 48) == [48, 48]
    assert sizes_of(100, 2, 48) == [25, 25, 25, 25]


def test_samples_that_have_come_since_make_a_group_larger() -> None:
    sizes = GroupSizes(2, 48)
    assert [sizes.next(left) for left in (1, 60, 30)] == [1, 30, 30]


def test_what_is_too_little_for_all_slots_is_not_divided_further() -> None:
    assert sizes_of(20, 8, 48) == [8, 8, 4]


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
