"""Screening: many mutants of a case in few compiler calls, and many runs of a reference solution in one launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants, auditing
from forgetest.verdict import Execution, Step

_MOST_TOGETHER = 120
"""Mutants of one program: the compiler takes longer for very long functions than for several of them."""


def screen(
    cases: PreparedCases,
    run: Callable[[Step], Execution],
    asked: Sequence[tuple[Case, Sequence[Mutation]]],
    slots: int,
) -> Iterator[ScreenedMutants]:
    """Yield what is certain about the mutants of each case, in order; None for a mutant to judge like a sample."""

    def of_part(part: tuple[Case, Sequence[Mutation]]) -> ScreenedMutants:
        case, mutants = part
        language = auditing(cases.toolchain(case.language))
        if language is None or case.io is not None:
            return (None,) * len(mutants)
        executions: list[Execution] = []
        try:
            prepared = cases.prepare(case)
            while isinstance(answer := language.screen(prepared, case, mutants, executions), Step):
                executions.append(run(answer))
        except (MachineryError, OSError):
            return (None,) * len(mutants)
        is_checked = case.expectations.custom_check is not None  # which only a judgement runs
        return tuple(None if is_checked and each and each.status == "survived" else each for each in answer)

    parts = [list(_parts(case, mutants)) for case, mutants in asked]
    with ThreadPoolExecutor(max_workers=max(1, slots)) as threads:
        found = threads.map(of_part, [part for of_case in parts for part in of_case])
        for of_case in parts:
            yield tuple(each for _ in of_case for each in next(found))


def repeat(
    cases: PreparedCases, run: Callable[[Step], Execution], asked: Sequence[Case], times: int, slots: int
) -> list[Sequence[tuple[str, ...]]]:
    """Return, of each case, the tests that its reference solution failed in each of that many runs."""

    def of_case(case: Case) -> Sequence[tuple[str, ...]]:
        language = auditing(cases.toolchain(case.language))
        if language is None or case.io is not None:
            return ()
        executions: list[Execution] = []
        try:
            prepared = cases.prepare(case)
            while isinstance(answer := language.repeat(prepared, case, times, executions), Step):
                executions.append(run(answer))
        except (MachineryError, OSError):
            return ()
        return answer

    with ThreadPoolExecutor(max_workers=max(1, slots)) as threads:
        return list(threads.map(of_case, asked))


def _parts(case: Case, mutants: Sequence[Mutation]) -> Iterator[tuple[Case, Sequence[Mutation]]]:
    count = -(-len(mutants) // _MOST_TOGETHER)
    size = -(-len(mutants) // max(1, count))
    for start in range(0, len(mutants), max(1, size)):
        yield case, mutants[start : start + size]
