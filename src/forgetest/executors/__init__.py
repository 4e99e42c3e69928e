"""Where judging runs: one module each, found by the entry point `forgetest.executors`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Executor(Protocol):
    """What every executor answers."""

    @property
    def slots(self) -> int:
        """How many tasks are worked on at once."""

    def map(self, judge: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Judge every task; results come as they finish. Tasks are taken only as slots come free."""
