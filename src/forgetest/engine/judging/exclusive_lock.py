"""Who may run while somebody wants to be alone."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class Gate:
    """Lets many through at once, or one alone. Who wants to be alone goes before whoever comes later."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._wanting = 0
        self._alone = False

    @contextlib.contextmanager
    def passing(self, *, alone: bool) -> Iterator[None]:
        """Be inside; alone, or with others. Never to be entered again from inside."""
        with self._changed:
            if alone:
                self._wanting += 1
                try:
                    self._changed.wait_for(lambda: not self._alone and not self._inside)
                finally:
                    self._wanting -= 1
                    self._changed.notify_all()  # an interrupted wait must not keep the others out
                self._alone = True
            else:
                self._changed.wait_for(lambda: not self._alone and not self._wanting)
                self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                if alone:
                    self._alone = False
                else:
                    self._inside -= 1
                self._changed.notify_all()
