"""Examine eval sets: judge reference solutions, mutants and impostors, and sum up what their verdicts show."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from forgetest import mutation, plugins
from forgetest.auditing import findings
from forgetest.auditing.passing import passes
from forgetest.auditing.results import (
    Audit,
    AuditOptions,
    CaseAudit,
    ImpostorResult,
    MutantResult,
    ReferenceResult,
    SetAudit,
    TestResult,
    changed_lines,
)
from forgetest.auditing.source_lines import CaseLines, case_lines
from forgetest.auditing.suggest import Suggestions, suggest
from forgetest.evalset import Case, EvalSet
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Auditing, Impostor, auditing
from forgetest.verdict import Verdict
from forgetest.version import __version__

_LEAST_LIMIT_S = 1.0
_TIMES_REFERENCE = 20
"""A mutant may take this much longer than the reference solution before it counts as killed: waiting for the whole time
limit of a case, for each endless loop, would take most of an audit."""

Progress = Callable[[str, int, int], None]
"""Called with what is judged now, the number of finished samples, and their total."""


def _no_progress(_what: str, _done: int, _total: int) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subject:
    """A case under examination."""

    case: Case
    lines: CaseLines
    language: Auditing | None
    grade: Grade | None = None
    """Of the reference solution; None where there is none."""
    possible: int = 0
    mutations: tuple[Mutation, ...] = ()
    impostors: tuple[Impostor, ...] = ()

    @property
    def limited_case(self) -> Case:
        """The case with a time limit that follows from the reference solution's own time."""
        verdict = self.grade.verdict if self.grade is not None else None
        slowest_s = max((test.cpu_ms for test in verdict.tests), default=0.0) / 1000 if verdict is not None else 0.0
        limit = max(_LEAST_LIMIT_S, _TIMES_REFERENCE * slowest_s)
        return replace(self.case, timeout_secs=min(self.case.timeout_secs, limit))


def examine(
    eval_sets: Sequence[EvalSet], grader: Grader, options: AuditOptions, progress: Progress = _no_progress
) -> Audit:
    """Examine every case that has a reference solution."""
    subjects = [_subjects(eval_set) for eval_set in eval_sets]
    every = [subject for of_set in subjects for subject in of_set]
    graded = iter(_grade_references(every, grader, options, progress))
    subjects = [[_with_samples(next(graded), options) for _ in of_set] for of_set in subjects]
    audits = iter(_judge([subject for of_set in subjects for subject in of_set], grader, options, progress))
    return Audit(
        eval_sets=tuple(
            SetAudit(
                id=eval_set.id,
                name=eval_set.name,
                path=eval_set.path,
                hash=eval_set.hash,
                cases=tuple(next(audits) for _ in of_set),
            )
            for eval_set, of_set in zip(eval_sets, subjects, strict=True)
        ),
        options=options,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
    )


def _subjects(eval_set: EvalSet) -> list[_Subject]:
    lines = case_lines(eval_set)
    return [
        _Subject(case=case, lines=lines[case.id], language=auditing(plugins.find("toolchains", case.language)))
        for case in eval_set.cases
    ]


def _grade_references(
    subjects: Sequence[_Subject], grader: Grader, options: AuditOptions, progress: Progress
) -> Iterator[_Subject]:
    solved = [subject for subject in subjects if subject.case.reference_solution is not None]
    grades = grader.grade_many(
        [(subject.case.reference_solution or "", subject.case) for subject in solved],
        as_code=True,
        recheck=options.repeat - 1,
        progress=lambda done, total: progress("reference solutions", done, total),
    )
    by_subject = dict(zip(map(id, solved), grades, strict=True))
    yield from (replace(subject, grade=by_subject.get(id(subject))) for subject in subjects)


def _with_samples(subject: _Subject, options: AuditOptions) -> _Subject:
    """Add mutants and impostors, which mean something only where the reference solution passes tests."""
    if subject.language is None or subject.grade is None or not is_worth_mutating(subject.case, subject.grade):
        return subject
    found = subject.language.mutations(subject.case.reference_solution or "")
    return replace(
        subject,
        possible=len(found),
        mutations=tuple(mutation.select(found, options.mutants, options.seed)),
        impostors=tuple(subject.language.impostors(subject.case)),
    )


def is_worth_mutating(case: Case, grade: Grade) -> bool:
    """Return whether tests ran, and the reference solution passed all of them."""
    asks_for_tests = case.expectations.should_compile and case.expectations.should_pass_tests
    return asks_for_tests and grade.verdict is not None and passes(grade.verdict) and bool(grade.verdict.tests)


def _judge(
    subjects: Sequence[_Subject], grader: Grader, options: AuditOptions, progress: Progress
) -> Iterator[CaseAudit]:
    samples: list[tuple[str, Case]] = []
    for subject in subjects:
        case = subject.limited_case
        samples += [(mutant.code, case) for mutant in subject.mutations]
        samples += [(impostor.code, case) for impostor in subject.impostors]
    grades = iter(
        grader.grade_many(
            samples, as_code=True, progress=lambda done, total: progress("mutants and impostors", done, total)
        )
    )
    judged = [
        (
            subject,
            [_mutant_result(subject.case, each, next(grades)) for each in subject.mutations],
            _forgeries_by_merit([_impostor_result(each, next(grades)) for each in subject.impostors]),
        )
        for subject in subjects
    ]
    same = _same_as_reference([(subject, mutants) for subject, mutants, _ in judged], grader)
    for subject, mutants, impostors in judged:
        results = tuple(replace(each, status="equivalent") if id(each) in same else each for each in mutants)
        suggestions = Suggestions()
        if options.suggest and subject.language is not None:
            survivors = [each.mutation for each in results if each.status == "survived"]
            if survivors:
                progress(f"tests for {subject.case.id}", 0, len(survivors))
            suggestions = suggest(
                subject.case, survivors, subject.language, grader, inputs=options.inputs, seed=options.seed
            )
        yield _case_audit(subject, results, tuple(impostors), suggestions)


def _mutant_result(case: Case, mutant: Mutation, grade: Grade) -> MutantResult:
    verdict = grade.verdict
    if verdict is None:
        return MutantResult(mutation=mutant, status="unjudged", reason=grade.reason or "")
    if not verdict.compiled:
        return MutantResult(mutation=mutant, status="invalid")
    if not passes(verdict):
        failed = [test for test in verdict.tests if test.status == "failed"]
        broken = [condition.name for condition in verdict.conditions if not condition.holds]
        return MutantResult(
            mutation=mutant,
            status="killed",
            killed_by=(*(test.name for test in failed), *broken),
            timed_out=any(test.timed_out for test in failed),
        )
    change = changed_lines(case.reference_solution or "", mutant.code)
    for accepted in case.accepted_mutants:
        if (accepted.line, accepted.becomes) == change:
            return MutantResult(mutation=mutant, status="accepted", reason=accepted.reason)
    return MutantResult(mutation=mutant, status="survived")


def _impostor_result(impostor: Impostor, grade: Grade) -> ImpostorResult:
    if grade.verdict is None:
        return ImpostorResult(impostor=impostor, status="unjudged")
    if not grade.verdict.compiled:
        return ImpostorResult(impostor=impostor, status="invalid")
    return ImpostorResult(
        impostor=impostor,
        status="believed" if grade.correct else "rejected",
        verified=grade.correct and grade.verified,
    )


def _forgeries_by_merit(results: Sequence[ImpostorResult]) -> list[ImpostorResult]:
    """Leave out forgeries that contain a lazy answer which passes by itself: they show nothing more."""
    passing = [each.impostor.code for each in results if each.impostor.kind == "lazy" and each.status == "believed"]
    return [
        each
        for each in results
        if each.impostor.kind == "lazy" or not any(code in each.impostor.code for code in passing)
    ]


def _same_as_reference(judged: Sequence[tuple[_Subject, Sequence[MutantResult]]], grader: Grader) -> set[int]:
    """Return the ids of survivors that the compiler makes the same of as of their reference solution."""
    survivors = [(subject, mutant) for subject, mutants in judged for mutant in mutants if mutant.status == "survived"]
    references = list({id(subject): subject for subject, _ in survivors}.values())
    samples = [(subject.case.reference_solution or "", subject.case) for subject in references]
    samples += [(mutant.mutation.code, subject.case) for subject, mutant in survivors]
    found = grader.fingerprints(samples)
    of_reference = dict(zip(map(id, references), found, strict=False))
    of_mutants = zip(survivors, found[len(references) :], strict=True)
    return {id(mutant) for (subject, mutant), prints in of_mutants if prints & of_reference[id(subject)]}


def _case_audit(
    subject: _Subject,
    mutants: tuple[MutantResult, ...],
    impostors: tuple[ImpostorResult, ...],
    suggestions: Suggestions,
) -> CaseAudit:
    verdict = subject.grade.verdict if subject.grade is not None else None
    audit = CaseAudit(
        id=subject.case.id,
        language=subject.case.language,
        file=subject.lines.file,
        line=subject.lines.case,
        code=subject.case.reference_solution,
        reference=_reference_result(subject.case, subject.grade) if subject.grade is not None else None,
        possible_mutants=subject.possible,
        mutants=mutants,
        impostors=impostors,
        tests=tuple(_test_results(verdict, mutants)) if verdict is not None and mutants else (),
        suggestions=suggestions.tests,
        suggested_test_file=suggestions.test_file,
        inputs_tried=suggestions.inputs,
    )
    found = findings.of_case(subject.case, subject.lines, subject.language, subject.grade, audit)
    return replace(audit, findings=tuple(found))


def _reference_result(case: Case, grade: Grade) -> ReferenceResult:
    verdict = grade.verdict
    slowest_ms = max((test.cpu_ms for test in verdict.tests), default=None) if verdict is not None else None
    recheck = grade.recheck
    return ReferenceResult(
        correct=grade.correct,
        judged=0 if verdict is None else 1 + (recheck.times if recheck is not None else 0),
        disagreeing=recheck.disagreeing if recheck is not None else 0,
        lints=len(verdict.lints) if verdict is not None else 0,
        share_of_time_limit=slowest_ms / 1000 / case.timeout_secs if slowest_ms is not None else None,
    )


def _test_results(verdict: Verdict, mutants: Sequence[MutantResult]) -> Iterator[TestResult]:
    killers = [set(mutant.killed_by) for mutant in mutants if mutant.status == "killed"]
    for test in verdict.tests:
        if test.status != "ignored":
            yield TestResult(
                name=test.name,
                kills=sum(test.name in names for names in killers),
                kills_alone=sum(names == {test.name} for names in killers),
                cpu_ms=test.cpu_ms,
            )
