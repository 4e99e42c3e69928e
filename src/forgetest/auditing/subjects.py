"""Subjects of an audit: cases, the verdicts on their reference solutions, and what is made from these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from forgetest import mutation, plugins
from forgetest.auditing.load import busy_cores
from forgetest.auditing.passing import passes
from forgetest.auditing.progress import Progress
from forgetest.auditing.results import AuditOptions, ReferenceResult
from forgetest.auditing.source_lines import CaseLines, case_lines
from forgetest.engine.judging.recheck import differences
from forgetest.evalset import Case, EvalSet
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Auditing, Impostor, auditing
from forgetest.verdict import Verdict

_LEAST_LIMIT_S = 1.0
_TIMES_REFERENCE = 20
"""A mutant may take this much longer than the reference solution before it counts as killed: waiting for the whole time
limit of a case, for each endless loop, would take most of an audit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAnswer:
    """The code of a recorded answer."""

    name: str
    """The model, and the number of its attempt."""
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A case under examination."""

    case: Case
    lines: CaseLines
    language: Auditing | None
    answers: tuple[RecordedAnswer, ...] = ()
    """Answers that models have given."""
    grade: Grade | None = None
    """Of the reference solution; None where there is none."""
    repeated: Grade | None = None
    """Of the reference solution, judged several times while other work fills the cores."""
    possible: int = 0
    mutations: tuple[Mutation, ...] = ()
    impostors: tuple[Impostor, ...] = ()

    @property
    def limited_case(self) -> Case:
        """The case with a time limit that follows from the reference solution's own time."""
        verdict = self.grade.verdict if self.grade is not None else None
        limit = max(_LEAST_LIMIT_S, _TIMES_REFERENCE * (_slowest_ms(verdict) or 0.0) / 1000)
        return replace(self.case, timeout_secs=min(self.case.timeout_secs, limit))

    @property
    def is_worth_mutating(self) -> bool:
        """Whether tests ran, and the reference solution passed all of them."""
        expected = self.case.expectations
        verdict = self.grade.verdict if self.grade is not None else None
        asks_for_tests = expected.should_compile and expected.should_pass_tests
        return asks_for_tests and verdict is not None and passes(verdict) and bool(verdict.tests)


def subjects(eval_set: EvalSet) -> list[Subject]:
    """Return the cases of an eval set as subjects, before anything is judged."""
    lines = case_lines(eval_set)
    return [
        Subject(case=case, lines=lines[case.id], language=auditing(plugins.find("toolchains", case.language)))
        for case in eval_set.cases
    ]


def grade_references(
    every: Sequence[Subject], grader: Grader, options: AuditOptions, progress: Progress
) -> Iterator[Subject]:
    """Judge reference solutions: once, and as often as `repeat` asks while other work fills the cores."""
    solved = [(each.case.reference_solution, each.case) for each in every if each.case.reference_solution is not None]
    grades = iter(
        grader.grade_many(solved, as_code=True, progress=lambda *done: progress("reference solutions", *done))
    )
    repeated: Iterator[Grade] | None = None
    if options.repeat > 1 and solved:
        with busy_cores():
            repeated = iter(
                grader.grade_many(
                    solved,
                    as_code=True,
                    recheck=max(1, options.repeat - 2),
                    progress=lambda *done: progress("reference solutions on a busy machine", *done),
                )
            )
    for subject in every:
        if subject.case.reference_solution is None:
            yield subject
        else:
            yield replace(subject, grade=next(grades), repeated=next(repeated) if repeated is not None else None)


def with_samples(subject: Subject, options: AuditOptions) -> Subject:
    """Add mutants and impostors, which mean something only where the reference solution passes tests."""
    if subject.language is None or not subject.is_worth_mutating:
        return subject
    found = subject.language.mutations(subject.case.reference_solution or "")
    return replace(
        subject,
        possible=len(found),
        mutations=tuple(mutation.select(found, options.mutants, options.seed)),
        impostors=tuple(subject.language.impostors(subject.case)),
    )


def reference_result(subject: Subject) -> ReferenceResult | None:
    """Sum up the verdicts on the reference solution."""
    grade, case = subject.grade, subject.case
    if grade is None:
        return None
    verdict, slowest_ms = grade.verdict, _slowest_ms(grade.verdict)
    later = subject.repeated.verdict if subject.repeated is not None else None
    later_ms = _slowest_ms(later)
    changes = list(differences(verdict, later)) if verdict is not None and later is not None else []
    recheck = subject.repeated.recheck if subject.repeated is not None else None
    return ReferenceResult(
        correct=grade.correct,
        judged=(verdict is not None) + (later is not None) + (recheck.times if recheck is not None else 0),
        disagreeing=bool(changes) + (recheck.disagreeing if recheck is not None else 0),
        changes=tuple(dict.fromkeys([*changes, *(recheck.changes if recheck is not None else ())])),
        lints=len(verdict.lints) if verdict is not None else 0,
        share_of_time_limit=slowest_ms / 1000 / case.timeout_secs if slowest_ms is not None else None,
        share_on_busy_machine=later_ms / 1000 / case.timeout_secs if later_ms is not None else None,
    )


def _slowest_ms(verdict: Verdict | None) -> float | None:
    return max((test.cpu_ms for test in verdict.tests), default=None) if verdict is not None else None
