"""Toolchains: one package per language, pure. It decides what to run next, and reads the results.

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
    """Result of preparing a case, for `next`; other attributes are the toolchain's own."""

    @property
    def version(self) -> str:
        """The compiler and linter, with versions; also the `provenance.toolchain` of every verdict."""


class Toolchain(Protocol):
    """The functions and the description that every language has."""

    LANGUAGE: Language
    """The language, for the rest of forgetest."""

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | Prepared:
        """Return the next step to run before samples of this case are judged; finally, what was learned.

        Identical steps of several cases run once, and their executions are kept for later runs.
        """

    def next(self, prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        """Return the next step for this sample after these executions, or its verdict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSample:
    """A sample that could be judged together with others."""

    prepared: Prepared
    case: Case
    code: str


@runtime_checkable
class Sharing(Protocol):
    """The further function of a language that can judge several samples at once."""

    def together(
        self, samples: Sequence[PreparedSample], executions: Sequence[Execution]
    ) -> Step | Sequence[Verdict | None]:
        """Return the next step for these samples after these executions, or their verdicts.

        None for a sample that must be judged separately. Its verdict does not depend on the other samples.
        """
