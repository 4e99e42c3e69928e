"""Shared/exclusive lock; a waiting exclusive holder goes first."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class ExclusiveLock:
    """Lock that many threads hold at once, or one alone. Not reentrant.

    A thread that waits to hold it alone goes before threads that come later to share it.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._sharing = 0
        self._waiting_exclusive = 0
        self._exclusive = False

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Hold the lock together with others."""
        with self._changed:
            self._changed.wait_for(lambda: not self._exclusive and not self._waiting_exclusive)
            self._sharing += 1
        try:
            yield
        finally:
            with self._changed:
                self._sharing -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def exclusive(self) -> Iterator[None]:
        """Hold the lock alone."""
        with self._changed:
            self._waiting_exclusive += 1
            try:
                self._changed.wait_for(lambda: not self._exclusive and not self._sharing)
            finally:
                self._waiting_exclusive -= 1
                self._changed.notify_all()  # an interrupted wait must not keep the others out
            self._exclusive = True
        try:
            yield
        finally:
            with self._changed:
                self._exclusive = False
                self._changed.notify_all()
