"""Toolchain functions written as generators that yield steps, replayed as pure functions of the executions so far."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, TypeVar

from forgetest.verdict import Execution, Step

Result = TypeVar("Result")
Script = Generator[Step, Execution, Result]


class Scripts(threading.local):
    """Replays generators; each thread keeps its last one suspended.

    The usual next question, about the same things with one execution more, then needs no replay of what came
    before; what is answered is the same.
    """

    def __init__(self) -> None:
        self._about: tuple[object, ...] = ()
        self._so_far: tuple[Execution, ...] = ()
        self._stopped: Script[Any] | None = None

    def answer(
        self, about: tuple[object, ...], begin: Callable[[], Script[Result]], executions: Sequence[Execution]
    ) -> Step | Result:
        """Return the script's next step after these executions, or its result. `about` identifies its arguments."""
        script: Script[Result] | None = self._stopped
        self._stopped = None
        done = len(self._so_far)
        goes_on = len(executions) > done and _same(about, self._about) and _same(executions[:done], self._so_far)
        try:
            if script is None or not goes_on:
                script, done = begin(), 0
                step = next(script)
            for execution in executions[done:]:
                step = script.send(execution)
        except StopIteration as finished:
            result: Result = finished.value
            return result
        self._about, self._so_far, self._stopped = about, tuple(executions), script
        return step


class SharedPart(Generic[Result]):
    """A part that many scripts begin with, computed once as long as it receives the same executions. Thread-safe."""

    def __init__(self, begin: Callable[[], Script[Result]]) -> None:
        self._begin = begin
        self._last: tuple[Sequence[Step], Sequence[Execution], Result] | None = None

    def __call__(self) -> Script[Result]:
        """Do the part within another script, by `yield from`."""
        received: list[Execution] = []
        if self._last is not None:
            steps, expected, result = self._last
            for step in steps:
                received.append((yield step))
                if received[-1] is not expected[len(received) - 1]:
                    break
            else:
                return result
        script, asked = self._begin(), list[Step]()
        try:
            asked.append(next(script))
            for execution in received:
                asked.append(script.send(execution))
            while True:
                received.append((yield asked[-1]))
                asked.append(script.send(received[-1]))
        except StopIteration as finished:
            self._last = asked, received, finished.value
            answer: Result = finished.value
            return answer


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    """Return True if both hold the identical objects."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
