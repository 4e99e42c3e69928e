"""Programs that share launches: several samples of a group are built at once, and run in one start of the sandbox.

Only the first run of the tests is shared. Whatever follows it (tests again with more time, checkers) is as for a
sample that is judged alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from forgetest.engine.judging.io_judging import program_runs
from forgetest.evalset import Case
from forgetest.evalset.io_tests import DataFile, IoTests
from forgetest.toolchains import PreparedSample
from forgetest.toolchains.programs import (
    OUTPUT_BYTES,
    Program,
    ProgramResult,
    ProgramRun,
    SharedPrograms,
    without_answers,
)
from forgetest.verdict import Execution, Step

_MOST_INPUT_BYTES = 1 << 20
"""Inputs of a sample that shares a launch: a launch's plan is held in memory."""
_MOST_TOGETHER = 32
"""Samples of a launch. What they print is held in memory until they are judged: a mebibyte each at most."""
_MOST_CPU_S = 120.0
"""CPU time that the tests of a sample may take in all: the others of a launch wait for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRun:
    """A program that was built, and the results of its first run."""

    program: Program
    results: Sequence[ProgramResult] | None
    """None where it has to be run alone."""


def can_share(case: Case, toolchain: object) -> bool:
    """Return whether a case's tests are small enough to be run in a launch with others."""
    if case.io is None or not isinstance(toolchain, SharedPrograms):
        return False
    return (
        len(case.io.tests) * case.timeout_secs <= _MOST_CPU_S
        and _input_bytes(case.io) <= _MOST_INPUT_BYTES
        and all(run.output_bytes <= OUTPUT_BYTES for run in program_runs(case.io, case.timeout_secs))
    )


def _input_bytes(io: IoTests) -> int:
    return sum(_MOST_INPUT_BYTES + 1 if isinstance(test.input, DataFile) else len(test.input) for test in io.tests)


def launches(samples: Mapping[int, PreparedSample]) -> Iterator[dict[int, PreparedSample]]:
    """Yield the samples that share a launch: of one language and its tools, and neither one alone nor too many."""
    by_tools: dict[tuple[str, str], list[int]] = {}
    for index, sample in samples.items():
        by_tools.setdefault((sample.case.language, sample.prepared.version), []).append(index)
    for indices in by_tools.values():
        for first in range(0, len(indices), _MOST_TOGETHER):
            some = indices[first : first + _MOST_TOGETHER]
            if len(some) > 1:
                yield {index: samples[index] for index in some}


def run_together(
    toolchain: SharedPrograms, samples: Mapping[int, PreparedSample], run: Callable[[Step], Execution]
) -> tuple[dict[int, FirstRun], list[Execution]]:
    """Build and run samples of one language, keyed by their index in a group; return also what was executed."""
    asked = [replace(sample, case=without_answers(sample.case)) for sample in samples.values()]
    executions: list[Execution] = []
    while isinstance(built := toolchain.build_programs(asked, executions), Step):
        executions.append(run(built))
    programs = {index: program for index, program in zip(samples, built, strict=True) if program is not None}
    jobs: list[tuple[Program, Sequence[ProgramRun]]] = []
    for index, program in programs.items():
        case = samples[index].case
        if program.verdict.compiled and case.io is not None:
            jobs.append((program, program_runs(case.io, case.timeout_secs)))
    found: dict[int, Sequence[ProgramResult] | None] = {}
    launches: list[Execution] = []
    if jobs:
        while isinstance(results := toolchain.run_programs(jobs, launches), Step):
            launches.append(run(results))
        found = {id(program): result for (program, _), result in zip(jobs, results, strict=True)}
    without_output = [replace(each, stdout=b"", stderr=b"", outputs={}) for each in (*executions, *launches)]
    first = {
        index: FirstRun(program=program, results=found.get(id(program)))
        for index, program in programs.items()
        if not program.verdict.compiled or found.get(id(program)) is not None
    }
    return first, without_output
