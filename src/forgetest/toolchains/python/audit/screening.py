"""Screening of Python mutants: those of a case in two launches, without lints, and with a time limit that is final.

The first test comes first, for all mutants: most that never end are stopped there, and cost no further time.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol, cast

from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains import Prepared
from forgetest.toolchains.auditing import Screened
from forgetest.toolchains.python import launch
from forgetest.toolchains.python.judging import PythonSample
from forgetest.toolchains.python.launch import RunResult
from forgetest.toolchains.python.preparation import PreparedCase
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Step

_STOPPED = ("cpu_limit", "endless")
_COMPARISONS = (
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__sub__",
    "__rsub__",
    "__getattr",
    "__bool__",
)


class _PreparedPython(Protocol):
    @property
    def prepared_case(self) -> PreparedCase: ...


def screen(
    prepared: Prepared, case: Case, mutants: Sequence[Mutation], executions: Sequence[Execution]
) -> Step | Sequence[Screened | None]:
    """Run the tests of mutants together; None for those that have an unusual end, or could agree with any test."""
    prepared_case = cast("_PreparedPython", prepared).prepared_case
    samples = [PythonSample(prepared=prepared_case, case=case, code=mutant.code) for mutant in mutants]
    return _scripts.answer((prepared, case, *mutants), lambda: _screen(samples), executions)


def repeat(
    prepared: Prepared, case: Case, times: int, executions: Sequence[Execution]
) -> Step | Sequence[tuple[str, ...]]:
    """Run the tests of the reference solution that many times in one launch."""
    prepared_case = cast("_PreparedPython", prepared).prepared_case
    sample = PythonSample(prepared=prepared_case, case=case, code=case.reference_solution or "")
    return _scripts.answer((prepared, case, times), lambda: _repeat(sample, times), executions)


def _repeat(sample: PythonSample, times: int) -> Generator[Step, Execution, Sequence[tuple[str, ...]]]:
    runs = [(test.test.name, test) for _ in range(times) for test in sample.runs(sample.case.timeout_secs).values()]
    execution = yield launch.run_step([run for _, run in runs], is_shared=True)
    results = launch.read_results(execution, [run for _, run in runs])
    size = len(runs) // times
    failed = [
        name if result is None or result.ending not in ("passed", "skipped") else None
        for (name, _), result in zip(runs, results, strict=True)
    ]
    return [
        tuple(name for name in failed[start : start + size] if name is not None) for start in range(0, len(runs), size)
    ]


def _screen(samples: Sequence[PythonSample]) -> Generator[Step, Execution, Sequence[Screened | None]]:
    tests = [index for index, test in enumerate(samples[0].tests) if not test.is_ignored] if samples else []
    results: list[dict[int, RunResult | None]] = [{} for _ in samples]
    for some in (tests[:1], tests[1:]):
        running = [number for number, found in enumerate(results) if not _has_been_stopped(found)]
        runs = {
            (number, index): run
            for number in running
            for index, run in samples[number].runs(samples[number].case.timeout_secs, some).items()
        }
        if runs:
            execution = yield launch.run_step(list(runs.values()), is_shared=True)
            for (number, index), result in zip(runs, launch.read_results(execution, list(runs.values())), strict=True):
                results[number][index] = result
    return [_screened(sample, found) for sample, found in zip(samples, results, strict=True)]


def _can_decide(code: str) -> bool:
    """Return whether a comparison of the program's own could agree with every expected value.

    Only the controls of a judgement notice that.
    """
    return any(name in code for name in _COMPARISONS)


def _has_been_stopped(found: dict[int, RunResult | None]) -> bool:
    return any(result is not None and result.ending in _STOPPED for result in found.values())


def _screened(sample: PythonSample, found: dict[int, RunResult | None]) -> Screened | None:
    """Return that a mutant is killed, if a test fails or is stopped, or survives, if nothing unusual happens."""
    if any(result is None or not result.is_clean or not result.has_loaded for result in found.values()):
        return None
    failed = {
        index: result
        for index, result in found.items()
        if result is not None and result.ending in ("failed", *_STOPPED)
    }
    if not failed:
        is_certain = all(result is not None and result.ending == "passed" for result in found.values())
        return Screened(status="survived") if is_certain and found and not _can_decide(sample.code) else None
    return Screened(
        status="killed",
        killed_by=tuple(sample.tests[index].name for index in failed),
        message=next(iter(failed.values())).message,
        timed_out=any(result.ending in _STOPPED for result in failed.values()),
    )


_scripts = Scripts()
