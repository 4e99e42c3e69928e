"""Which samples are judged together: those that are there anyway. Nobody waits for company."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from forgetest.engine.asking.ask import ReadyAttempt, ReadyQueue

Work = TypeVar("Work")

MOST = 16
"""A larger group would take less for each, but keep its samples back for longer, and be more to do again in doubt."""
_LEAST = 8
"""Towards the end groups become smaller, so that no slot is idle while another has a large one; but not so small that
nothing is shared."""


def in_groups(
    incoming: ReadyQueue, left: int, slots: int, sift: Callable[[Sequence[ReadyAttempt]], Sequence[Work]]
) -> Iterator[list[Work]]:
    """Groups of at most sixteen of those that `sift` lets through. `left`: how many are to come in all."""
    for first in incoming:
        group: list[Work] = []
        most = min(MOST, max(_LEAST, left // slots), left)
        taken = [first]
        while taken:
            while len(group) + len(taken) < most and (another := incoming.poll()) is not None:
                taken.append(another)
            left -= len(taken)
            group += sift(taken)
            another = incoming.poll() if len(group) < most else None
            taken = [another] if another is not None else []
        if group:
            yield group
