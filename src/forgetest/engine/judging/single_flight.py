"""The same work, wanted by several threads at once, done by one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class _Flight(Generic[Result]):
    """Work that is being done."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.result: Result | None = None
        """None if it failed; whoever waited then does it."""


class Once(Generic[Result]):
    """Lets whoever comes while the same work is going on wait for its result. Nothing is remembered afterwards."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[bytes, _Flight[Result]] = {}

    def do(self, key: bytes, work: Callable[[], Result]) -> Result:
        """The result of `work`, which is never None; an error is told to the one that met it."""
        while True:
            with self._lock:
                other = self._flights.get(key)
                if other is None:
                    mine = self._flights[key] = _Flight()
                    break
            other.over.wait()
            if other.result is not None:
                return other.result
        try:
            mine.result = result = work()
            return result
        finally:
            with self._lock:
                del self._flights[key]
            mine.over.set()
