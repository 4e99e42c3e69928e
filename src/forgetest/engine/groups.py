"""Which samples are judged together: those that are there anyway. Nobody waits for company."""

from __future__ import annotations

from collections.abc import Iterator

from forgetest.engine.generate import Incoming, Ready

MOST = 16
"""A larger group would take less for each, but keep its samples back for longer, and be more to do again in doubt."""
_LEAST = 8
"""Towards the end groups become smaller, so that no slot is idle while another has a large one; but not so small that
nothing is shared."""


def in_groups(incoming: Incoming, left: int, slots: int) -> Iterator[list[Ready]]:
    """Groups of at most sixteen. `left`: how many are to come in all."""
    for first in incoming:
        group = [first]
        most = min(MOST, max(_LEAST, left // slots), left)
        while len(group) < most and (another := incoming.at_once()) is not None:
            group.append(another)
        left -= len(group)
        yield group
