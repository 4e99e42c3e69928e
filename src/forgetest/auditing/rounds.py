"""Scripts that ask for judgements, carried on together: what many cases ask for at once is judged in one call."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeVar

from forgetest.evalset import Case
from forgetest.grade import Grade

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Result = TypeVar("Result")
Samples = list[tuple[str, Case]]
Script = Generator[Samples, list[Grade], Result]
"""Yields samples, receives their grades, and returns its result."""


def run_together(
    scripts: Sequence[Generator[list[Asked], list[Answer], Result]], answer: Callable[[list[Asked]], list[Answer]]
) -> list[Result]:
    """Run scripts to their ends, and return their results. Each round answers what all of them wait for."""
    results: dict[int, Result] = {}
    waiting: dict[int, list[Asked]] = {}

    def resume(index: int, answers: list[Answer] | None) -> None:
        try:
            waiting[index] = next(scripts[index]) if answers is None else scripts[index].send(answers)
        except StopIteration as finished:
            results[index] = finished.value

    for index in range(len(scripts)):
        resume(index, None)
    while waiting:
        asked, waiting = waiting, {}
        every = [each for of_script in asked.values() for each in of_script]
        answers = iter(answer(every) if every else [])
        for index, of_script in asked.items():
            resume(index, [next(answers) for _ in of_script])
    return [results[index] for index in range(len(scripts))]
