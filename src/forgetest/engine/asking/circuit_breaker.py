"""Circuit breaker for one model: after an error that no retry helps against, it is not asked any more."""

from __future__ import annotations

import threading

from forgetest.errors import ProviderError
from forgetest.sample import Attempt

MAX_REFUSED_CASES = 3
"""After this many refused cases in a row, the model is assumed to refuse every case."""


class CircuitBreaker:
    """Decides whether an attempt at a model is still worth a request. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open_reason: str | None = None
        self._refused: dict[tuple[str, str], str] = {}
        self._refused_in_a_row: set[tuple[str, str]] = set()

    def reason_to_skip(self, attempt: Attempt) -> str | None:
        """Return why an attempt need not be asked for, or None."""
        with self._lock:
            return self._open_reason or self._refused.get(attempt[:2])

    def record_success(self) -> None:
        """Record an answer: what was refused before was refused because of the case."""
        with self._lock:
            self._refused_in_a_row.clear()

    def record_failure(self, attempt: Attempt, error: ProviderError) -> None:
        """Record a failure. One that is not final says nothing about the next request."""
        if not error.final:
            return
        with self._lock:
            if not error.of_request:
                self._open_reason = self._open_reason or str(error)
                return
            self._refused[attempt[:2]] = str(error)
            self._refused_in_a_row.add(attempt[:2])
            if len(self._refused_in_a_row) >= MAX_REFUSED_CASES:
                self._open_reason = self._open_reason or (
                    f"{error}; this was so for {MAX_REFUSED_CASES} cases, after which it was not asked again"
                )
