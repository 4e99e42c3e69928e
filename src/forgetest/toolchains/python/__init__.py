"""Python: the tests run in a trusted interpreter, the sample in another, and only data crosses.

The functions of the seam are written as generators, in the order in which things happen, and replayed from the
executions so far. See docs/python.md.

What judges is imported by the first call that needs it: every run asks each toolchain for its LANGUAGE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from forgetest.evalset import Case
from forgetest.toolchains.python.language import LANGUAGE
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Step, Verdict

if TYPE_CHECKING:
    from forgetest.toolchains.auditing import Auditing
    from forgetest.toolchains.programs import ProgramResult, ProgramRun
    from forgetest.toolchains.python.preparation import PreparedCase
    from forgetest.toolchains.python.programs import PythonProgram

__all__ = [
    "LANGUAGE",
    "PythonPrepared",
    "auditing",
    "build_program",
    "build_programs",
    "next",
    "prepare",
    "run_program",
    "run_programs",
    "together",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonPrepared:
    """A prepared case."""

    version: str
    prepared_case: PreparedCase


class PreparedPythonSample(Protocol):
    """A sample of a prepared case."""

    @property
    def prepared(self) -> PythonPrepared:
        """Its case, as prepared by this toolchain."""

    @property
    def case(self) -> Case:
        """Its case."""

    @property
    def code(self) -> str:
        """The code to judge."""


def prepare(case: Case, executions: Sequence[Execution]) -> Step | PythonPrepared:
    """Find the tools, keep the runtime, read the tests."""
    from forgetest.toolchains.python import preparation

    answer = _scripts.answer((case,), lambda: preparation.prepare(case), executions)
    return answer if isinstance(answer, Step) else PythonPrepared(version=answer.tools.version, prepared_case=answer)


def next(  # noqa: A001  (the seam's name; a module is an object here)
    prepared: PythonPrepared, case: Case, code: str, executions: Sequence[Execution]
) -> Step | Verdict:
    """Import, test and lint a sample, and return the verdict."""
    from forgetest.toolchains.python import judging

    sample = judging.PythonSample(prepared=prepared.prepared_case, case=case, code=code)
    return _scripts.answer((prepared, case, code), lambda: judging.judge(sample), executions)


def together(
    samples: Sequence[PreparedPythonSample], executions: Sequence[Execution]
) -> Step | Sequence[Verdict | None]:
    """Judge several samples with one start of the interpreter."""
    from forgetest.toolchains.python import judging

    return _scripts.answer(
        tuple(samples),
        lambda: judging.judge_together(
            [
                judging.PythonSample(prepared=sample.prepared.prepared_case, case=sample.case, code=sample.code)
                for sample in samples
            ]
        ),
        executions,
    )


def build_program(
    prepared: PythonPrepared, case: Case, code: str, executions: Sequence[Execution]
) -> Step | PythonProgram:
    """Check that a program can be parsed, and lint it."""
    from forgetest.toolchains.python import programs

    return _scripts.answer((prepared, case, code), lambda: programs.build(prepared.prepared_case, code), executions)


def run_program(
    program: PythonProgram, runs: Sequence[ProgramRun], executions: Sequence[Execution]
) -> Step | Sequence[ProgramResult]:
    """Run a program once for each input, in processes forked from a warm interpreter."""
    from forgetest.toolchains.python import programs

    return _scripts.answer((program, runs), lambda: programs.run(program, runs), executions)


def auditing() -> Auditing:
    """Return the functions for audits of eval sets."""
    from forgetest.toolchains.python import audit

    return audit


def build_programs(
    samples: Sequence[PreparedPythonSample], executions: Sequence[Execution]
) -> Step | Sequence[PythonProgram | None]:
    """Check and lint several programs with one start of the interpreter."""
    from forgetest.toolchains.python import programs

    return _scripts.answer(
        tuple(samples),
        lambda: programs.build_together([(sample.prepared.prepared_case, sample.code) for sample in samples]),
        executions,
    )


def run_programs(
    jobs: Sequence[tuple[PythonProgram, Sequence[ProgramRun]]], executions: Sequence[Execution]
) -> Step | Sequence[Sequence[ProgramResult] | None]:
    """Run several programs in one launch, each in processes of its own."""
    from forgetest.toolchains.python import programs

    return _scripts.answer(tuple(jobs), lambda: programs.run_together(jobs), executions)


_scripts = Scripts()
