"""Rust: one compiler call makes a small object of sample and tests; a trusted launcher runs it.

Both functions of the seam are written as generators, in the order in which things happen, and replayed from
the executions so far. See docs/decisions/0005-verdict-channel.md.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from forgetest.evalset import Case
from forgetest.toolchains.rust import judging, preparing
from forgetest.toolchains.rust.build import Recipe
from forgetest.verdict import Execution, Step, Verdict

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A case, ready for samples."""

    version: str
    recipe: Recipe


def prepare(case: Case, executions: Sequence[Execution]) -> Step | Prepared:
    """Find the tools, build the launcher and the dependencies, learn what the tests take from a sample."""
    answer = _replay(preparing.script(case), executions)
    return answer if isinstance(answer, Step) else Prepared(version=answer.tools.version, recipe=answer)


def next(  # noqa: A001  (the seam's name; a module is an object here)
    prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]
) -> Step | Verdict:
    """Build, perhaps build again, run the tests, and say what was observed."""
    return _replay(judging.script(prepared.recipe, case, code), executions)


def _replay(script: Generator[Step, Execution, _Result], executions: Sequence[Execution]) -> Step | _Result:
    try:
        step = script.send(None)  # type: ignore[arg-type]  # how a generator is started
        for execution in executions:
            step = script.send(execution)
    except StopIteration as finished:
        result: _Result = finished.value
        return result
    return step
