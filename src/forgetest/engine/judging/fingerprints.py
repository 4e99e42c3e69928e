"""Fingerprints of programs: those with one in common behave the same, as far as the compiler can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.auditing import auditing
from forgetest.verdict import Execution, Step


def fingerprints(
    cases: PreparedCases, run: Callable[[Step], Execution], samples: Sequence[tuple[str, Case]], slots: int
) -> Iterator[frozenset[str]]:
    """Yield the fingerprints of each sample, in order; none where the language has none, or compiling it failed."""

    def of_sample(sample: tuple[str, Case]) -> frozenset[str]:
        code, case = sample
        language = auditing(cases.toolchain(case.language))
        if language is None:
            return frozenset()
        executions: list[Execution] = []
        try:
            prepared = cases.prepare(case)
            while isinstance(answer := language.fingerprints(prepared, case, code, executions), Step):
                executions.append(run(answer))
        except (MachineryError, OSError):
            return frozenset()
        return frozenset(answer)

    with ThreadPoolExecutor(max_workers=max(1, slots)) as threads:
        yield from threads.map(of_sample, samples)
