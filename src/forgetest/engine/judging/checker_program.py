"""Checker programs: trusted programs of an eval set that decide whether outputs are right.

A checker runs in sandbox steps of its own, after the sample has ended. Its arguments are three files: the input, the
sample's output and the expected output. It prints `accepted`, or `rejected` and a reason.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.evalset.io_tests import CheckerProgram
from forgetest.toolchains.programs import Content, Program, ProgramResult, ProgramRun, Programs
from forgetest.verdict import Execution, Step

_LEAST_CPU_S = 10.0
_MOST_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One output that a checker is asked about."""

    test: str
    """Name of the test."""
    input: Content
    output: bytes
    answer: Content
    """The expected output."""


def checker_case(case: Case, program: CheckerProgram) -> Case:
    """Return the case under which a checker is prepared and built."""
    return Case(id=f"{case.id}: checker", name="checker", prompt="-", language=program.language)


@dataclass(frozen=True, slots=True)
class Checker:
    """A checker that was built."""

    toolchain: Programs
    program: Program
    case: Case
    """The case of the samples."""

    def ask(self, questions: Sequence[Question]) -> Generator[Step, Execution, list[str | None]]:
        """Return for each output why it is rejected, or None where it is accepted."""
        if not questions:
            return []
        cpu_s = max(_LEAST_CPU_S, self.case.timeout_secs)
        runs = [ProgramRun(files=(each.input, each.output, each.answer), cpu_s=cpu_s) for each in questions]
        executions: list[Execution] = []
        while isinstance(answer := self.toolchain.run_program(self.program, runs, executions), Step):
            executions.append((yield answer))
        return [self._decision(each, result) for each, result in zip(questions, answer, strict=True)]

    def _decision(self, question: Question, result: ProgramResult) -> str | None:
        """Return why the output is rejected, or None. A checker that fails is not held against the sample."""
        word, _, reason = result.stdout.decode(errors="replace").strip().partition(" ")
        if result.ending != "exited" or result.code or word not in ("accepted", "rejected"):
            last = result.stderr.strip().rpartition("\n")[2]
            found = last or f"it printed {result.stdout[:80].decode(errors='replace')!r}"
            raise MachineryError(
                f"the checker of case {self.case.id} gave no verdict on {question.test}: {result.ending} "
                f"{result.code}, {found}; it must print `accepted` or `rejected` and exit with 0"
            )
        return (
            None if word == "accepted" else f"rejected by the checker: {reason.strip() or 'no reason'}"[:_MOST_REASON]
        )


def require_compiled(program: Program, case: Case) -> Program:
    """Return the checker of a case, which must have compiled."""
    if not program.verdict.compiled:
        first = program.verdict.errors[0].message if program.verdict.errors else "no error given"
        raise MachineryError(f"the checker of case {case.id} does not compile: {first}")
    return program
