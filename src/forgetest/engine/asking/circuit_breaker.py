"""Whether a model is worth asking on: what it refused for good is not asked a thousand times."""

from __future__ import annotations

import threading

from forgetest.errors import ProviderError
from forgetest.sample import Attempt

FEW = 3
"""So many cases refused in a row, and it is not the cases."""


class Standing:
    """What is known of one model; safe from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped: str | None = None
        self._refused: dict[tuple[str, str], str] = {}
        self._in_a_row: set[tuple[str, str]] = set()

    def why_not(self, attempt: Attempt) -> str | None:
        """Why this need not be asked, if so."""
        with self._lock:
            return self._stopped or self._refused.get(attempt[:2])

    def answered(self) -> None:
        """It answers, so what it refused was the case's fault."""
        with self._lock:
            self._in_a_row.clear()

    def failed(self, attempt: Attempt, error: ProviderError) -> None:
        """Take note of a failure; those that may pass say nothing."""
        if not error.final:
            return
        with self._lock:
            if not error.of_request:
                self._stopped = self._stopped or str(error)
                return
            self._refused[attempt[:2]] = str(error)
            self._in_a_row.add(attempt[:2])
            if len(self._in_a_row) >= FEW:
                self._stopped = self._stopped or f"{error}; so for {FEW} cases, after which it was not asked again"
