"""Which samples are judged together: those that are there anyway. Nobody waits long for company."""

from __future__ import annotations

import time
from collections.abc import Iterator

from forgetest.engine.generate import Incoming, Ready

MOST = 16
"""A larger group gains little, and has more to lose by a kill."""
_PATIENCE_S = 0.02
"""How long the first of a group waits for others: much less than judging it takes, and long enough for answers that are
only read from a file."""
_LEAST = 8
"""Towards the end groups become smaller, so that no slot is idle while another has a large one; but not so small that
nothing is shared."""


def in_groups(incoming: Incoming, left: int, slots: int) -> Iterator[list[Ready]]:
    """Groups of at most sixteen. `left`: how many are to come in all."""
    for first in incoming:
        group, until = [first], time.monotonic() + _PATIENCE_S
        most = min(MOST, max(_LEAST, left // slots), left)
        while len(group) < most and (another := incoming.soon(until)) is not None:
            group.append(another)
        left -= len(group)
        yield group
