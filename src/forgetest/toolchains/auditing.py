"""Auditing: what a language contributes to `forgetest audit`. Optional; a toolchain has it as `auditing()`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains import Prepared, Toolchain
from forgetest.toolchains.reaching import Region
from forgetest.verdict import Execution, Step

ImpostorKind = Literal["lazy", "forgery"]
"""An answer that does no work, or one that tampers with its judgement."""

TestProblem = Literal["no_assertion", "never_runs", "duplicate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Impostor:
    """An answer that must not be believed."""

    kind: ImpostorKind
    name: str
    """What it does, in a few words."""
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Screened:
    """What is certain about a mutant without a judgement of its own."""

    status: Literal["killed", "survived", "invalid"]
    killed_by: tuple[str, ...] = ()
    """The names of the tests that fail."""
    message: str = ""
    """Of the first of them."""
    timed_out: bool = False


ScreenedMutants = tuple[Screened | None, ...]
"""Of each mutant of a case; None for those that have to be judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRemark:
    """A problem of a test that its text shows."""

    __test__ = False

    test: str
    problem: TestProblem
    detail: str
    line: int
    """In the test file, counted from 1."""


def distinct(impostors: Iterable[Impostor], reference: str) -> list[Impostor]:
    """Return the impostors without repeated ones, and without any that is the reference solution itself."""
    first: dict[str, Impostor] = {}
    for impostor in impostors:
        first.setdefault(impostor.code, impostor)
    return [impostor for code, impostor in first.items() if code != reference]


class Auditing(Protocol):
    """The functions that a language has for audits."""

    @property
    def screens_with_reference(self) -> bool:
        """Whether `screen` says that a mutant is killed or survives only if the reference solution passes the tests."""

    def mutations(self, code: str) -> Sequence[Mutation]:
        """Return small changes to a reference solution."""

    def screen(
        self, prepared: Prepared, case: Case, mutants: Sequence[Mutation], executions: Sequence[Execution]
    ) -> Step | Sequence[Screened | None]:
        """Return the next step after these executions, or what many mutants of the reference solution show together.

        None for each mutant that has to be judged like a sample, because something about it is in doubt.
        """

    def repeat(
        self, prepared: Prepared, case: Case, times: int, executions: Sequence[Execution]
    ) -> Step | Sequence[tuple[str, ...]]:
        """Return the next step after these executions, or the tests that the reference solution failed each time.

        It is built once, and judged by its tests alone. Nothing where it cannot be built.
        """

    def impostors(self, case: Case) -> Sequence[Impostor]:
        """Return lazy answers and forgeries, which have the names that the reference solution has."""

    def regions(self, case: Case) -> Sequence[Region]:
        """Return the regions of the reference solution, each with a program that ends where it begins."""

    def inspect_tests(self, case: Case) -> Sequence[TestRemark]:
        """Return the problems that the text of the tests shows."""

    def untold(self, case: Case) -> Sequence[str]:
        """Return what tests need from an answer though the prompt does not tell it."""

    def probes(self, case: Case, most: int, seed: int) -> Sequence[str]:
        """Return calls that may tell two programs apart, the shortest first; none where no test has a plain call."""

    def probe_case(self, case: Case, calls: Sequence[str]) -> Case:
        """Return a case with one test, which fails for the first call whose result is not the reference solution's.

        The message of its failure is read by `probing.difference`.
        """

    def with_test(self, case: Case, call: str, expected: str, number: int) -> Sequence[str]:
        """Return test files with one test more, for a call and its result: forms of it, of which one may be right."""

    def fingerprints(
        self, prepared: Prepared, case: Case, code: str, executions: Sequence[Execution]
    ) -> Step | Collection[str]:
        """Return the next step after these executions, or fingerprints of what the compiler makes of the code.

        Two programs that share a fingerprint behave the same.
        """


@runtime_checkable
class Auditable(Protocol):
    """The further function of a toolchain whose language can be audited."""

    def auditing(self) -> Auditing:
        """Return the functions for audits; what they need is imported here."""


def auditing(toolchain: Toolchain) -> Auditing | None:
    """Return a toolchain's functions for audits, or None where it has none."""
    return toolchain.auditing() if isinstance(toolchain, Auditable) else None
