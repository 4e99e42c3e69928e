"""Examine eval sets: judge reference solutions, mutants and impostors, and sum up what their verdicts show."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import repeat

from forgetest.auditing import findings, outcomes
from forgetest.auditing.coverage import coverage_script
from forgetest.auditing.journal import Journal
from forgetest.auditing.progress import Progress, show_nothing
from forgetest.auditing.recorded import Answers, pairs_script, recorded_result, with_answers
from forgetest.auditing.results import (
    Audit,
    AuditOptions,
    CaseAudit,
    MutantResult,
    SetAudit,
)
from forgetest.auditing.rounds import Result, Samples, Script, run_together
from forgetest.auditing.subjects import (
    Subject,
    grade_references,
    reference_result,
    screen_mutants,
    subjects,
    with_samples,
)
from forgetest.auditing.suggest import NO_SUGGESTIONS, Suggestions, suggestion_script
from forgetest.auditing.trials import run_trials
from forgetest.evalset import EvalSet
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.version import __version__


def examine(
    eval_sets: Sequence[EvalSet],
    grader: Grader,
    options: AuditOptions,
    progress: Progress = show_nothing,
    answers: Answers | None = None,
    journal: Journal | None = None,
) -> Audit:
    """Examine every case that has a reference solution or recorded answers."""
    kept = journal or Journal()
    found = [with_answers(subjects(eval_set), eval_set.id, answers or {}) for eval_set in eval_sets]
    every = [subject for of_set in found for subject in of_set]
    graded = [with_samples(each, options) for each in grade_references(every, grader, options, progress, kept)]
    screened = screen_mutants(graded, grader, progress, kept)
    audits = iter(_judge(screened, grader, options, progress, kept))
    return Audit(
        eval_sets=tuple(
            SetAudit(
                id=eval_set.id,
                name=eval_set.name,
                path=eval_set.path,
                hash=eval_set.hash,
                cases=tuple(next(audits) for _ in of_set),
            )
            for eval_set, of_set in zip(eval_sets, found, strict=True)
        ),
        options=options,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
    )


def _judge(
    every: Sequence[Subject], grader: Grader, options: AuditOptions, progress: Progress, journal: Journal
) -> Iterator[CaseAudit]:
    def together(scripts: Sequence[Script[Result]], what: str) -> list[Result]:
        return run_together(scripts, _grading(what, grader, progress, journal))

    audits = together([_samples_script(subject) for subject in every], "mutants and impostors")
    same = _same_as_reference(list(zip(every, (audit.mutants for audit in audits), strict=True)), grader)
    pairs = [(subject, _with_equivalents(audit, same)) for subject, audit in zip(every, audits, strict=True)]
    covered = together([coverage_script(subject, audit.mutants) for subject, audit in pairs], "regions without a kill")
    compared = together([pairs_script(*pair, options) for pair in pairs], "recorded answers that pass")
    suggested = [NO_SUGGESTIONS] * len(every)
    if options.suggest:
        suggested = _suggestions(pairs, grader, options, progress, journal)
    for (subject, audit), reached, answers, tests in zip(pairs, covered, compared, suggested, strict=True):
        complete = replace(
            audit,
            coverage=reached,
            recorded=answers,
            suggestions=tests.tests,
            suggested_test_file=tests.test_file,
            inputs_tried=tests.inputs,
        )
        yield replace(complete, findings=tuple(findings.of_case(subject, complete)))


def _suggestions(
    pairs: Sequence[tuple[Subject, CaseAudit]],
    grader: Grader,
    options: AuditOptions,
    progress: Progress,
    journal: Journal,
) -> list[Suggestions]:
    """Search tests that are missing, a round for all cases at a time."""
    grade = _grading("tests for survivors", grader, progress, journal)
    scripts = [suggestion_script(subject, audit, options) for subject, audit in pairs]
    return run_together(scripts, lambda trials: run_trials(trials, grader, journal, grade))


def _grading(what: str, grader: Grader, progress: Progress, journal: Journal) -> Callable[[Samples], list[Grade]]:
    """Return a function that judges samples, tells how far it is, and keeps in the journal what the cache does not."""

    def judge(samples: Samples, keep: Callable[[int, Grade], None]) -> list[Grade]:
        return grader.grade_many(samples, as_code=True, progress=lambda *done: progress(what, *done), on_grade=keep)

    return lambda samples: journal.grade(samples, judge)


def _samples_script(subject: Subject) -> Script[CaseAudit]:
    """Judge mutants, impostors and recorded answers."""
    case, limited = subject.case, subject.limited_case
    pairs = list(zip(subject.mutations, subject.screened or repeat(None), strict=False))
    made = [*(mutant.code for mutant, found in pairs if found is None), *(each.code for each in subject.impostors)]
    grades = iter((yield [*((code, limited) for code in made), *((each.code, case) for each in subject.answers)]))
    mutants = tuple(
        outcomes.mutant_result(case, mutant, next(grades))
        if found is None
        else outcomes.screened_result(case, mutant, found)
        for mutant, found in pairs
    )
    impostors = outcomes.forgeries_by_merit(
        [outcomes.impostor_result(each, next(grades)) for each in subject.impostors]
    )
    verdict = subject.grade.verdict if subject.grade is not None else None
    return CaseAudit(
        id=case.id,
        language=case.language,
        file=subject.lines.file,
        line=subject.lines.case,
        code=case.reference_solution,
        reference=reference_result(subject),
        possible_mutants=subject.possible,
        mutants=mutants,
        impostors=tuple(impostors),
        recorded=recorded_result(subject.answers, list(grades)),
        tests=tuple(outcomes.test_results(verdict, mutants)) if verdict is not None and mutants else (),
    )


def _same_as_reference(judged: Sequence[tuple[Subject, Sequence[MutantResult]]], grader: Grader) -> set[int]:
    """Return the ids of survivors that the compiler makes the same of as of their reference solution."""
    survivors = [(subject, mutant) for subject, mutants in judged for mutant in mutants if mutant.status == "survived"]
    references = list({id(subject): subject for subject, _ in survivors}.values())
    samples = [(subject.case.reference_solution or "", subject.case) for subject in references]
    samples += [(mutant.mutation.code, subject.case) for subject, mutant in survivors]
    found = grader.fingerprints(samples)
    of_reference = dict(zip(map(id, references), found, strict=False))
    of_mutants = zip(survivors, found[len(references) :], strict=True)
    return {id(mutant) for (subject, mutant), prints in of_mutants if prints & of_reference[id(subject)]}


def _with_equivalents(audit: CaseAudit, same: Collection[int]) -> CaseAudit:
    mutants = (replace(each, status="equivalent") if id(each) in same else each for each in audit.mutants)
    return replace(audit, mutants=tuple(mutants))
