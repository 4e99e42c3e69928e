"""Answers from generators that stop at each step: a pure function of what has happened, without starting over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from forgetest.verdict import Execution, Step

Result = TypeVar("Result")
Script = Generator[Step, Execution, Result]


class Scripts(threading.local):
    """Each thread keeps the script that it asked last, where it stopped.

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
        """What the script says after these executions. `about`: what it was begun with."""
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


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether these are the very same objects."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
