"""Rust: one compiler call makes a small object of sample and tests; a trusted launcher runs it.

The functions of the seam are written as generators, in the order in which things happen, and replayed from
the executions so far. See docs/decisions/0005-verdict-channel.md.

What judges is imported by the first call that needs it: every run asks each toolchain for its LANGUAGE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from forgetest.evalset import Case
from forgetest.toolchains.rust.language import LANGUAGE
from forgetest.toolchains.scripts import Scripts
from forgetest.verdict import Execution, Step, Verdict

if TYPE_CHECKING:
    from forgetest.toolchains.auditing import Auditing
    from forgetest.toolchains.programs import ProgramResult, ProgramRun
    from forgetest.toolchains.rust.compile.case_build import CaseBuild
    from forgetest.toolchains.rust.programs import RustProgram

__all__ = [
    "LANGUAGE",
    "RustPrepared",
    "auditing",
    "build_program",
    "next",
    "prepare",
    "run_program",
    "together",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RustPrepared:
    """A prepared case."""

    version: str
    case_build: CaseBuild


class PreparedRustSample(Protocol):
    """A sample of a prepared case."""

    @property
    def prepared(self) -> RustPrepared:
        """Its case, as prepared by this toolchain."""

    @property
    def case(self) -> Case:
        """Its case."""

    @property
    def code(self) -> str:
        """The code to judge."""


def prepare(case: Case, executions: Sequence[Execution]) -> Step | RustPrepared:
    """Find the tools, build the launcher and the dependencies, learn what the tests take from a sample."""
    from forgetest.toolchains.rust import preparation

    answer = _scripts.answer((case,), lambda: preparation.prepare(case), executions)
    return answer if isinstance(answer, Step) else RustPrepared(version=answer.tools.version, case_build=answer)


def next(  # noqa: A001  (the seam's name; a module is an object here)
    prepared: RustPrepared, case: Case, code: str, executions: Sequence[Execution]
) -> Step | Verdict:
    """Build, rebuild where our own glue code did not fit, run the tests, and return the verdict."""
    from forgetest.toolchains.rust import judging

    return _scripts.answer((prepared, case, code), lambda: judging.judge(prepared.case_build, case, code), executions)


def together(samples: Sequence[PreparedRustSample], executions: Sequence[Execution]) -> Step | Sequence[Verdict | None]:
    """Judge several samples, as far as they can share a compiler call."""
    from forgetest.toolchains.rust.sharing import shared_judging

    return _scripts.answer(
        tuple(samples),
        lambda: shared_judging.judge_together(
            [(sample.prepared.case_build, sample.case, sample.code) for sample in samples]
        ),
        executions,
    )


def build_program(prepared: RustPrepared, case: Case, code: str, executions: Sequence[Execution]) -> Step | RustProgram:
    """Lint and compile a program."""
    from forgetest.toolchains.rust import programs

    return _scripts.answer(
        (prepared, case, code), lambda: programs.compile_program(prepared.case_build, case, code), executions
    )


def run_program(
    program: RustProgram, runs: Sequence[ProgramRun], executions: Sequence[Execution]
) -> Step | Sequence[ProgramResult]:
    """Run a program once for each input, each time in a process of its own."""
    from forgetest.toolchains.rust import programs

    return _scripts.answer((program, runs), lambda: programs.run(program, runs), executions)


def auditing() -> Auditing:
    """Return the functions for audits of eval sets."""
    from forgetest.toolchains.rust import audit

    return audit


_scripts = Scripts()
