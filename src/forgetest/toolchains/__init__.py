"""Languages: one module each, pure; it decides what to run next and reads what came out.

A toolchain is a module or an object with the two functions of `Toolchain`, found by the entry point
`forgetest.toolchains`. It never runs anything: the engine runs its steps and hands the executions back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from forgetest.evalset import Case
from forgetest.language import Language
from forgetest.verdict import Execution, Step, Verdict


class Prepared(Protocol):
    """What preparing a case has found out, for `next`; more in it is the toolchain's own affair."""

    @property
    def version(self) -> str:
        """The compiler and linter, with versions, for people; a verdict bears the same as `provenance.toolchain`."""


class Toolchain(Protocol):
    """What every language answers."""

    LANGUAGE: Language
    """What the rest of forgetest needs to know about the language."""

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | Prepared:
        """What must run once before samples of this case are judged; then what was learned.

        Identical steps of several cases run once, and their executions are kept for later runs.
        """

    def next(self, prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        """From what has happened so far, the next step for this sample, or its verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A sample that could be judged together with others."""

    prepared: Prepared
    case: Case
    code: str


@runtime_checkable
class Sharing(Protocol):
    """What a language answers besides that can judge several samples at once."""

    def together(self, samples: Sequence[Sample], executions: Sequence[Execution]) -> Step | Sequence[Verdict | None]:
        """From what has happened so far, the next step for these samples, or their verdicts.

        None for a sample that has to be judged by itself. Whoever it comes together with, its verdict is the same.
        """
