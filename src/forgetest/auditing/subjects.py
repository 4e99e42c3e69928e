"""Subjects of an audit: cases, the verdicts on their reference solutions, and what is made from these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from forgetest import mutation, plugins
from forgetest.auditing.journal import Journal, Repeated
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
from forgetest.toolchains.auditing import Auditing, Impostor, ScreenedMutants, auditing
from forgetest.verdict import Verdict

_REPEATED_AT_ONCE = 16
_JUDGED = 3
"""Of more repeats than this, the others only run the tests, of a program that was built once."""


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
    repeated: Repeated | None = None
    """Verdicts on the reference solution while other work fills the cores."""
    possible: int = 0
    mutations: tuple[Mutation, ...] = ()
    screened: ScreenedMutants = ()
    """What is certain about the mutations, in their order."""
    impostors: tuple[Impostor, ...] = ()

    @property
    def limited_case(self) -> Case:
        """The case with a time limit that follows from the reference solution's own time."""
        verdict = self.grade.verdict if self.grade is not None else None
        limit_s = mutants_limit_s(_slowest_ms(verdict) or 0.0)
        return replace(self.case, timeout_secs=min(self.case.timeout_secs, limit_s))

    @property
    def is_worth_mutating(self) -> bool:
        """Whether tests ran, and the reference solution passed all of them."""
        expected = self.case.expectations
        verdict = self.grade.verdict if self.grade is not None else None
        asks_for_tests = expected.should_compile and expected.should_pass_tests
        return asks_for_tests and verdict is not None and passes(verdict) and bool(verdict.tests)


def mutants_limit_s(slowest_ms: float) -> float:
    """Return the CPU time that a mutant's test may take, by that of the reference solution's slowest test.

    Waiting for the whole time limit of a case, for each endless loop, would take most of an audit.
    """
    slowest_s = slowest_ms / 1000
    return max(0.1, min(20 * slowest_s, 3 * slowest_s + 1))


def subjects(eval_set: EvalSet) -> list[Subject]:
    """Return the cases of an eval set as subjects, before anything is judged."""
    lines = case_lines(eval_set)
    return [
        Subject(case=case, lines=lines[case.id], language=auditing(plugins.find("toolchains", case.language)))
        for case in eval_set.cases
    ]


def grade_references(
    every: Sequence[Subject], grader: Grader, options: AuditOptions, progress: Progress, journal: Journal
) -> list[Subject]:
    """Judge reference solutions: once, and as often as `repeat` asks while other work fills the cores."""
    solved = [each for each in every if each.case.reference_solution is not None]
    samples = [(each.case.reference_solution or "", each.case) for each in solved]
    grades = iter(
        grader.grade_many(samples, as_code=True, progress=lambda *done: progress("reference solutions", *done))
    )
    graded = [replace(each, grade=next(grades)) if each.case.reference_solution is not None else each for each in every]
    return _repeat_references(graded, grader, options, progress, journal) if options.repeat > 1 else graded


def _repeat_references(
    every: Sequence[Subject], grader: Grader, options: AuditOptions, progress: Progress, journal: Journal
) -> list[Subject]:
    """Judge reference solutions again, some cases at a time, so that an interruption loses little."""
    known = [journal.repeated(each.case, options.repeat) for each in every]
    waiting = [index for index, each in enumerate(every) if each.grade is not None and known[index] is None]
    for start in range(0, len(waiting), _REPEATED_AT_ONCE):
        chosen = waiting[start : start + _REPEATED_AT_ONCE]
        with busy_cores():
            again = grader.grade_many(
                [(every[index].case.reference_solution or "", every[index].case) for index in chosen],
                as_code=True,
                recheck=max(1, min(options.repeat, _JUDGED) - 2),
            )
            left = options.repeat - _JUDGED
            cases = [every[index].case for index in chosen]
            runs = grader.repeat_references(cases, left) if left > 0 else [()] * len(cases)
        for index, grade, failed in zip(chosen, again, runs, strict=True):
            first = every[index].grade
            verdict = first.verdict if first is not None else None
            known[index] = result = _with_runs(_repeated(verdict, grade), failed)
            journal.add_repeated(every[index].case, options.repeat, result)
        progress("reference solutions on a busy machine", start + len(chosen), len(waiting))
    return [replace(each, repeated=repeated) for each, repeated in zip(every, known, strict=True)]


def _repeated(first: Verdict | None, grade: Grade) -> Repeated:
    later, recheck = grade.verdict, grade.recheck
    changes = list(differences(first, later)) if first is not None and later is not None else []
    return Repeated(
        times=(later is not None) + (recheck.times if recheck is not None else 0),
        disagreeing=bool(changes) + (recheck.disagreeing if recheck is not None else 0),
        changes=tuple(dict.fromkeys([*changes, *(recheck.changes if recheck is not None else ())])),
        slowest_ms=_slowest_ms(later),
    )


def _with_runs(repeated: Repeated, failed: Sequence[tuple[str, ...]]) -> Repeated:
    """Add runs of the tests alone: those that failed in each."""
    names = [name for of_run in failed for name in of_run]
    return replace(
        repeated,
        times=repeated.times + len(failed),
        disagreeing=repeated.disagreeing + sum(map(bool, failed)),
        changes=tuple(dict.fromkeys([*repeated.changes, *(f"{name}: passed, then failed" for name in names)])),
    )


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


def screen_mutants(every: Sequence[Subject], grader: Grader, progress: Progress, journal: Journal) -> list[Subject]:
    """Add what is certain about mutants without judging each like a sample."""
    known = [journal.screened(each.limited_case, each.mutations) if each.mutations else () for each in every]
    waiting = [index for index, found in enumerate(known) if found is None]
    asked = [(every[index].limited_case, every[index].mutations) for index in waiting]
    for number, (place, found) in enumerate(grader.screen(asked), 1):
        index = waiting[place]
        known[index] = found
        journal.add_screened(every[index].limited_case, every[index].mutations, found)
        progress("cases whose mutants were screened", number, len(waiting))
    return [replace(each, screened=found or ()) for each, found in zip(every, known, strict=True)]


def reference_result(subject: Subject) -> ReferenceResult | None:
    """Sum up the verdicts on the reference solution."""
    grade, case = subject.grade, subject.case
    if grade is None:
        return None
    verdict, slowest_ms = grade.verdict, _slowest_ms(grade.verdict)
    again = subject.repeated
    later_ms = again.slowest_ms if again is not None else None
    return ReferenceResult(
        correct=grade.correct,
        judged=(verdict is not None) + (again.times if again is not None else 0),
        disagreeing=again.disagreeing if again is not None else 0,
        changes=again.changes if again is not None else (),
        lints=len(verdict.lints) if verdict is not None else 0,
        share_of_time_limit=slowest_ms / 1000 / case.timeout_secs if slowest_ms is not None else None,
        share_on_busy_machine=later_ms / 1000 / case.timeout_secs if later_ms is not None else None,
    )


def _slowest_ms(verdict: Verdict | None) -> float | None:
    return max((test.cpu_ms for test in verdict.tests), default=None) if verdict is not None else None
