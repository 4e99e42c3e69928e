"""Scripts that ask for grades, carried on together: what many cases ask for at once is judged in one call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from forgetest.evalset import Case
from forgetest.grade import Grade

Result = TypeVar("Result")
Samples = list[tuple[str, Case]]
Script = Generator[Samples, list[Grade], Result]
"""Yields samples, receives their grades, and returns its result."""


def run_together(scripts: Sequence[Script[Result]], grade: Callable[[Samples], list[Grade]]) -> list[Result]:
    """Run scripts to their ends, and return their results. Each round judges what all of them wait for."""
    results: dict[int, Result] = {}
    waiting: dict[int, Samples] = {}

    def resume(index: int, grades: list[Grade] | None) -> None:
        try:
            waiting[index] = next(scripts[index]) if grades is None else scripts[index].send(grades)
        except StopIteration as finished:
            results[index] = finished.value

    for index in range(len(scripts)):
        resume(index, None)
    while waiting:
        asked, waiting = waiting, {}
        samples = [sample for of_script in asked.values() for sample in of_script]
        grades = iter(grade(samples) if samples else [])
        for index, of_script in asked.items():
            resume(index, [next(grades) for _ in of_script])
    return [results[index] for index in range(len(scripts))]
