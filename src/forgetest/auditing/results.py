"""Audit: what an eval set is worth as an exam. Values only."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Impostor

FORMAT_VERSION = 1

Level = Literal["error", "warning", "note"]
MutantStatus = Literal["killed", "survived", "equivalent", "accepted", "invalid", "unjudged"]
"""`equivalent`: the compiler makes the same of it as of the reference. `accepted`: the case lists it, with a reason.
`invalid`: it does not compile."""
ImpostorStatus = Literal["rejected", "believed", "invalid", "unjudged"]
Letter = Literal["A", "B", "C", "D", "F"]

_LETTERS: Sequence[tuple[float, Letter]] = ((0.95, "A"), (0.85, "B"), (0.70, "C"), (0.50, "D"))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFinding:
    """A weakness of a case."""

    rule: str
    level: Level
    message: str
    line: int | None
    """In the eval set's file, counted from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantResult:
    """A mutation of the reference solution, and whether the tests notice it."""

    mutation: Mutation
    status: MutantStatus
    killed_by: tuple[str, ...] = ()
    """The tests that failed."""
    timed_out: bool = False
    """A test of it ran out of time, which counts as a kill."""
    reason: str = ""
    """Why it is accepted, or was not judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpostorResult:
    """A lazy answer or a forgery, and whether it was believed."""

    impostor: Impostor
    status: ImpostorStatus
    verified: bool = False
    """It was believed, and even counts as proved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """What one test contributes."""

    __test__ = False

    name: str
    kills: int
    """Mutants that it kills."""
    kills_alone: int
    """Mutants that no other test kills."""
    cpu_ms: float
    """Of the reference solution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A test that is missing: the reference solution passes it, and survivors fail."""

    call: str
    expected: str
    test: str
    """The lines of the test, in the style of the others."""
    kills: tuple[str, ...]
    """The code of the survivors that it kills."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceResult:
    """How the reference solution fares."""

    correct: bool
    judged: int
    """How many times it was judged."""
    disagreeing: int
    """How many of these verdicts differ from the first."""
    changes: tuple[str, ...]
    """How they differ."""
    lints: int
    share_of_time_limit: float | None
    """CPU time of the slowest test, as a share of the limit; None where no test ran."""
    share_on_busy_machine: float | None
    """The same while other work fills the cores; None where it was judged once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreached:
    """Code of the reference solution that no test reaches."""

    kind: Literal["lines", "branch"]
    """`branch`: no test goes past an `if` that has no `else`."""
    line: int
    last_line: int
    """In the reference solution, counted from 1."""
    text: str
    """The first line, without indentation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the reference solution's functions tests reach."""

    lines: int
    lines_reached: int
    branches: int
    branches_reached: int
    unknown: int = 0
    """Regions that could not be measured; they count as reached."""
    unreached: tuple[Unreached, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingPair:
    """Two recorded answers that pass every test, and an input for which they differ."""

    call: str
    first: str
    first_result: str
    second: str
    second_result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedResult:
    """How recorded answers fare."""

    answers: int
    passing: tuple[str, ...]
    """Names of those that pass every test."""
    unjudged: int = 0
    inputs: int = 0
    """How many inputs were tried to tell passing ones apart; 0 where none was."""
    pairs: tuple[DifferingPair, ...] = ()

    @property
    def measures_nothing(self) -> bool:
        """Whether several answers were judged, and all or none of them pass."""
        judged = self.answers - self.unjudged
        return judged > 1 and len(self.passing) in (0, judged)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAudit:
    """The audit of one case."""

    id: str
    language: str
    file: str
    line: int
    """Where the case begins."""
    code: str | None
    """The reference solution."""
    reference: ReferenceResult | None
    """None for a case without reference solution."""
    possible_mutants: int = 0
    """How many there are, before the selection."""
    mutants: tuple[MutantResult, ...] = ()
    impostors: tuple[ImpostorResult, ...] = ()
    tests: tuple[TestResult, ...] = ()
    coverage: Coverage | None = None
    """None where it cannot be measured: without tests that the reference solution passes, or without mutants."""
    recorded: RecordedResult | None = None
    """None without recorded answers."""
    findings: tuple[AuditFinding, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    suggested_test_file: str | None = None
    """The tests with all suggested ones."""
    inputs_tried: int = 0
    """How many inputs were tried to tell survivors apart; 0 where none was."""

    def suggestion_for(self, mutant: MutantResult) -> Suggestion | None:
        """Return the suggested test that kills a survivor."""
        return next((each for each in self.suggestions if mutant.mutation.code in each.kills), None)

    def is_probably_equivalent(self, mutant: MutantResult) -> bool:
        """Return whether no input told a survivor from the reference solution, though inputs were tried."""
        return mutant.status == "survived" and self.inputs_tried > 0 and self.suggestion_for(mutant) is None

    def count(self, status: MutantStatus) -> int:
        """Return how many mutants have a status."""
        return sum(mutant.status == status for mutant in self.mutants)

    @property
    def kill_rate(self) -> float | None:
        """Killed mutants of those that count; None where none counts."""
        return _rate(self.count("killed"), self.count("survived"))


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAudit:
    """The audit of one eval set."""

    id: str
    name: str
    path: str
    hash: str
    cases: tuple[CaseAudit, ...]

    def count(self, status: MutantStatus) -> int:
        """Return how many mutants of all cases have a status."""
        return sum(case.count(status) for case in self.cases)

    @property
    def kill_rate(self) -> float | None:
        """Killed mutants of those that count, over all cases; None where none counts."""
        return _rate(self.count("killed"), self.count("survived"))

    @property
    def errors(self) -> int:
        """Number of findings of the highest level."""
        return sum(finding.level == "error" for case in self.cases for finding in case.findings)

    @property
    def letter(self) -> Letter | None:
        """A to F by the kill rate; D at best where there is an error. None where no mutant counts."""
        if self.kill_rate is None:
            return None
        reached: list[Letter] = [letter for least, letter in _LETTERS if self.kill_rate >= least]
        letter = reached[0] if reached else "F"
        return "D" if self.errors and letter < "D" else letter


@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """How thoroughly an eval set is examined."""

    mutants: int = 100
    """Most mutants of a case; all where there are fewer."""
    seed: int = 0
    """Decides which mutants are taken where there are more."""
    repeat: int = 3
    """How many times each reference solution is judged."""
    suggest: bool = False
    """Search tests for survivors."""
    inputs: int = 600
    """How many inputs are tried to tell the survivors of a case from its reference solution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The audits of eval sets, made with the same options."""

    eval_sets: tuple[SetAudit, ...]
    options: AuditOptions
    created_at: str
    version: str

    @property
    def kill_rate(self) -> float | None:
        """Killed mutants of those that count, over all sets; None where none counts."""
        return _rate(*(sum(each.count(status) for each in self.eval_sets) for status in ("killed", "survived")))

    @property
    def errors(self) -> int:
        """Number of findings of the highest level."""
        return sum(each.errors for each in self.eval_sets)

    def passes(self, least: float) -> bool:
        """Return whether the kill rate is at least this, and there is no finding of the highest level."""
        return self.errors == 0 and self.kill_rate is not None and self.kill_rate >= least


def diff(reference: str, mutant: str) -> list[str]:
    """Return the lines of a unified diff between a reference solution and a mutant, with three lines around it."""
    lines = difflib.unified_diff(reference.splitlines(), mutant.splitlines(), lineterm="", n=3)
    return [line for line in lines if not line.startswith(("---", "+++"))]


def changed_lines(reference: str, mutant: str) -> tuple[str, str]:
    """Return the lines of the reference solution that a mutant changes, and what they become."""
    lines = list(difflib.ndiff(reference.splitlines(), mutant.splitlines()))
    before, after = (_marked(lines, mark) for mark in "-+")
    return "\n".join(before), "\n".join(after)


def _marked(lines: Sequence[str], mark: str) -> Iterator[str]:
    return (line[2:].strip() for line in lines if line.startswith(f"{mark} "))


def _rate(killed: int, survived: int) -> float | None:
    return killed / (killed + survived) if killed + survived else None
