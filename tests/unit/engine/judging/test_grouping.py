"""Which samples are judged together."""

from __future__ import annotations

import queue
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from forgetest.engine.asking.ask import ReadyAttempt, ReadyQueue
from forgetest.engine.judging.grouping import MOST, in_groups
from specimens import an_attempt


def incoming(count: int) -> ReadyQueue:
    """So many that are there already."""
    waiting = queue.SimpleQueue[ReadyAttempt | None]()
    for number in range(1, count + 1):
        waiting.put(ReadyAttempt(an_attempt(attempt=number)))
    waiting.put(None)
    return ReadyQueue(waiting, 1)  # type: ignore[arg-type]


@given(count=st.integers(0, 300), slots=st.integers(1, 20))
def test_every_sample_is_in_one_group_in_its_order(count: int, slots: int) -> None:
    groups = list(in_groups(incoming(count), count, slots, list))

    assert [ready.attempt.attempt for group in groups for ready in group] == list(range(1, count + 1))
    assert all(1 <= len(group) <= MOST for group in groups)


@given(count=st.integers(1, 300), slots=st.integers(1, 20))
def test_no_group_is_so_large_that_other_slots_have_nothing_left(count: int, slots: int) -> None:
    left = count
    for group in in_groups(incoming(count), count, slots, list):
        assert len(group) <= max(8, left / slots)
        left -= len(group)


def test_nobody_waits_for_company() -> None:
    waiting = queue.SimpleQueue[ReadyAttempt | None]()
    groups = in_groups(ReadyQueue(waiting, 1), 100, 1, list)  # type: ignore[arg-type]

    waiting.put(ReadyAttempt(an_attempt(attempt=1)))
    assert len(next(groups)) == 1
    for number in (2, 3, 4):
        waiting.put(ReadyAttempt(an_attempt(attempt=number)))
    assert len(next(groups)) == 3


def test_groups_are_filled_up_with_those_that_have_to_be_judged() -> None:
    seen: list[int] = []

    def sift(taken: Sequence[ReadyAttempt]) -> list[int]:
        numbers = [ready.attempt.attempt for ready in taken]
        seen.extend(numbers)
        return [number for number in numbers if number % 4 == 0]

    groups = list(in_groups(incoming(400), 400, 1, sift))

    assert seen == list(range(1, 401))
    assert [number for group in groups for number in group] == list(range(4, 401, 4))
    assert [len(group) for group in groups][:-1] == [MOST] * 6


def test_what_need_not_be_judged_takes_no_slot() -> None:
    assert list(in_groups(incoming(100), 100, 2, lambda _: [])) == []
