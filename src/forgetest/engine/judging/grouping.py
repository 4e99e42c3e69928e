"""Groups of samples that are judged together: those that are ready anyway. No sample waits for others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TypeVar

from forgetest.engine.asking.ask import ReadyAttempt, ReadyQueue
from forgetest.executors import JudgeTask

_LEAST = 8
"""So that something is shared: a compiler call takes as long to start as it takes for five samples."""
_LOOKED_AT = 8
"""Attempts that are looked at for one group, as a multiple of its size: most of them may need no judging, or equal one
that is in the group, which has to begin some time."""
_LOOK_S = 0.05

Item = TypeVar("Item")


class GroupSizes:
    """How many samples make a group: as many as possible, and the same for every slot.

    Each slot gets one group in turn, and all groups of such a round have the same size, so that the slots are done at
    about the same time. Smaller groups towards the end would balance samples that take different time, but each would
    need a compiler call: that costs more than it saves.
    """

    def __init__(self, slots: int, most: int) -> None:
        """`most`: the largest group."""
        self._slots = slots
        self._most = most
        self._size = 0
        self._slots_left = 0
        self._left = 0

    def next(self, left: int) -> int:
        """Return the size of the next group, of the samples that are left to judge."""
        if not self._slots_left or left > self._left:  # more have come since
            self._slots_left = self._slots
            rounds = -(-left // (self._slots * self._most))
            even = -(-left // (self._slots * max(1, rounds)))
            self._size = min(self._most, max(_LEAST, even))
        size = min(self._size, max(1, left))
        self._slots_left -= 1
        self._left = left - size
        return size


def split_into_groups(items: Sequence[Item], slots: int, most: int) -> list[Sequence[Item]]:
    """Split what is there from the beginning into groups."""
    sizes = GroupSizes(slots, most)
    groups, first = list[Sequence[Item]](), 0
    while first < len(items):
        size = sizes.next(len(items) - first)
        groups.append(items[first : first + size])
        first += size
    return groups


class TaskGroups:
    """Iterator over groups of tasks, filled by a thread of its own.

    That thread looks up and records what needs no judging, so that an executor that asks for a group only takes one.
    """

    def __init__(
        self,
        ready: ReadyQueue,
        left: int,
        slots: int,
        admit: Callable[[Sequence[ReadyAttempt]], Sequence[JudgeTask]],
        most: int,
        has_room: Callable[[], bool] = lambda: True,
    ) -> None:
        """`left`: how many attempts are to come; `admit` returns the tasks among them; `most`: the largest group.

        `has_room`: whether more attempts may be admitted before others are judged.
        """
        self._ready = ready
        self._left = left
        self._sizes = GroupSizes(slots, most)
        self._admit = admit
        self._has_room = has_room
        self._changed = threading.Condition()
        self._pending: list[JudgeTask] = []
        self._error: BaseException | None = None
        self._is_over = False

    def __enter__(self) -> TaskGroups:
        # a daemon: a model that never answers must not keep an interrupted run from ending
        threading.Thread(target=self._fill, name="groups", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def __iter__(self) -> Iterator[list[JudgeTask]]:
        return self

    def __next__(self) -> list[JudgeTask]:
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._is_over)
            if self._error is not None:
                raise self._error
            if not self._pending:
                raise StopIteration
            group, self._pending = self._pending, []
            self._changed.notify_all()
            return group

    def _fill(self) -> None:
        try:
            for first in self._ready:
                self._wait_for_room()
                if not self._publish(*self._gather(first)):
                    return
        except BaseException as error:  # raised again by whoever takes the next group
            self._error = error
        self._end()

    def _end(self) -> None:
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def _gather(self, first: ReadyAttempt) -> tuple[list[JudgeTask], int]:
        """Return the tasks among those that are ready by now, and how many may be judged together."""
        most = self._sizes.next(self._left)
        tasks: list[JudgeTask] = []
        looked_at = 0
        taken = [first]
        while taken:
            while len(tasks) + len(taken) < most and (another := self._ready.poll()) is not None:
                taken.append(another)
            self._left -= len(taken)
            looked_at += len(taken)
            tasks += self._admit(taken)
            another = self._ready.poll() if len(tasks) < most and looked_at < _LOOKED_AT * most else None
            taken = [another] if another is not None else []
        return tasks, most

    def _wait_for_room(self) -> None:
        """Wait until more attempts may be admitted. All earlier tasks are published by now, so there will be room."""
        with self._changed:
            while not self._has_room() and not self._is_over:
                self._changed.wait(_LOOK_S)

    def _publish(self, tasks: Sequence[JudgeTask], most: int) -> bool:
        """Add tasks to the next group, as soon as there is room in it; return False where nobody takes any more."""
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._pending) + len(tasks) <= most or not self._pending or self._is_over
            )
            self._pending += tasks
            self._changed.notify_all()
            return not self._is_over
