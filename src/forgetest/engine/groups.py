"""Which samples are judged together: those that are there anyway. Nobody waits for company."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest.engine.generate import Incoming, Ready

MOST = 16
"""A larger group gains little, and keeps its samples from the journal for longer."""
_GROUPS_A_SLOT = 2
"""What is left is enough for so many groups in each slot: none is idle while another has a large one."""


def in_groups(incoming: Incoming, left: int, slots: int) -> Iterator[list[Ready]]:
    """Groups of at most sixteen, smaller towards the end. `left`: how many are to come in all."""
    for first in incoming:
        group = [first]
        most = min(MOST, left // (_GROUPS_A_SLOT * slots))
        while len(group) < most and (another := incoming.at_once()) is not None:
            group.append(another)
        left -= len(group)
        yield group
