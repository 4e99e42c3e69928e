"""What the tests' process notes about a sample beside the outcome of a test."""

from __future__ import annotations

import sys
from typing import Any

from . import specials

_MOST_NOTES = 20


class Observations:
    """What a sample did while a test ran, and what makes it doubtful that a pass proves anything."""

    def __init__(self) -> None:
        self.notes: dict[str, str] = {}
        self.doubts: dict[str, str] = {}
        """What makes it doubtful that a pass proves anything, by kind."""
        self._shown: set[int] = set()
        """Numbers of objects that have shown what they contain, by a method of the sample."""
        self._handed_over: dict[int, BaseException] = {}
        """Exceptions of the tests that the sample has been given to handle, and that have not come back, by id."""

    def note(self, kind: str, detail: str, *, is_doubtful: bool = False) -> None:
        """Note something about the sample."""
        into = self.doubts if is_doubtful else self.notes
        if len(into) < _MOST_NOTES:
            into.setdefault(kind, detail[:200])

    def note_read(self, number: int, kind: str) -> None:
        """Note that a method of the sample has shown what an object contains; doubt it from the second time on."""
        if number in self._shown:
            self.note("sample_structure", kind, is_doubtful=True)
        self._shown.add(number)

    def hand_over(self, error: BaseException | None) -> None:
        """Note that the sample could catch an exception of the tests."""
        if error is not None:
            self._handed_over[id(error)] = error

    def take_back(self, error: BaseException | None) -> None:
        """Note that the sample has not caught it."""
        self._handed_over.pop(id(error), None)

    def caught_assertion(self) -> AssertionError | None:
        """Return a failed assertion of the tests that the sample caught; doubt whatever else it caught."""
        for error in self._handed_over.values():
            if isinstance(error, AssertionError):
                return error
            self.note("caught_exception", type(error).__name__, is_doubtful=True)
        return None

    def note_raised(self, error: BaseException, kind: str, values: tuple[Any, ...]) -> None:
        """Doubt a test if the sample raises what ends an iteration or a task of the tests."""
        self.take_back(error)
        if kind == "next" or (kind == "special" and values[1] in specials.ITERATION):
            return
        if kind == "await_next" and isinstance(error, StopAsyncIteration):
            return
        asyncio = sys.modules.get("asyncio.exceptions")
        is_cancelled = asyncio is not None and isinstance(error, asyncio.CancelledError)
        if is_cancelled or isinstance(error, (StopIteration, StopAsyncIteration, GeneratorExit)):
            self.note("control_exception", type(error).__name__, is_doubtful=True)
