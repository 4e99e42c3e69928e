"""Single flight: work that several threads want at the same time is done by one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class _Flight(Generic[Result]):
    """Work in progress."""

    def __init__(self) -> None:
        self.landed = threading.Event()
        self.result: Result | None = None
        """None if the work failed; then a waiting thread does it."""


class SingleFlight(Generic[Result]):
    """Lets a thread that asks for work in progress wait for its result. Nothing is remembered afterwards."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flights: dict[Hashable, _Flight[Result]] = {}

    def do(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """Return the result of `work`, which must not be None. An error is raised only in the thread that met it."""
        while True:
            with self._lock:
                other = self._flights.get(key)
                if other is None:
                    mine = self._flights[key] = _Flight()
                    break
            other.landed.wait()
            if other.result is not None:
                return other.result
        try:
            mine.result = result = work()
            return result
        finally:
            with self._lock:
                del self._flights[key]
            mine.landed.set()
