"""Screening: many mutants of a case in few compiler calls, and many runs of a reference solution in one launch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants, auditing
from forgetest.verdict import Execution, Step

_MOST_TOGETHER = 120
"""Mutants of one program: the compiler takes longer for very long functions than for several of them."""
_MOST_SECONDS = 300.0
"""CPU time of the mutants of one program if each reached its time limit: a slow case must not keep one core waiting for
the other."""


def screen(
    cases: PreparedCases,
    run: Callable[[Step], Execution],
    asked: Sequence[tuple[Case, Sequence[Mutation]]],
    slots: int,
) -> Iterator[tuple[int, ScreenedMutants]]:
    """Yield the index of each case and what is certain about its mutants, as soon as that is known.

    None is for a mutant to judge like a sample. Cases that may take long come first.
    """

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
    places = [(index, number) for index, of_case in enumerate(parts) for number in range(len(of_case))]
    places.sort(key=lambda place: -_longest_s(*parts[place[0]][place[1]]))
    found: list[dict[int, ScreenedMutants]] = [{} for _ in parts]
    yield from ((index, ()) for index, of_case in enumerate(parts) if not of_case)
    with ThreadPoolExecutor(max_workers=max(1, slots)) as threads:
        try:
            futures = {threads.submit(of_part, parts[index][number]): (index, number) for index, number in places}
            for future in as_completed(futures):
                index, number = futures[future]
                found[index][number] = future.result()
                if len(found[index]) == len(parts[index]):
                    yield index, tuple(each for _, part in sorted(found[index].items()) for each in part)
        finally:
            threads.shutdown(wait=False, cancel_futures=True)


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


def _longest_s(case: Case, mutants: Sequence[Mutation]) -> float:
    return case.timeout_secs * len(mutants)


def _parts(case: Case, mutants: Sequence[Mutation]) -> Iterator[tuple[Case, Sequence[Mutation]]]:
    count = max(-(-len(mutants) // _MOST_TOGETHER), math.ceil(_longest_s(case, mutants) / _MOST_SECONDS))
    size = -(-len(mutants) // max(1, count))
    for start in range(0, len(mutants), max(1, size)):
        yield case, mutants[start : start + size]
