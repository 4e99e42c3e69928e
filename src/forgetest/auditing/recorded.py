"""Recorded answers: cases that all or none of them pass, and pairs that tests do not tell apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from forgetest.auditing.inputs import first_difference, is_plain_call_case, passing
from forgetest.auditing.results import AuditOptions, CaseAudit, DifferingPair, RecordedResult
from forgetest.auditing.rounds import Script
from forgetest.auditing.subjects import RecordedAnswer, Subject
from forgetest.datasets import recorded
from forgetest.engine.judging.answer_code import code_of
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.grade import Grade
from forgetest.sample import Attempt, Completion
from forgetest.toolchains.probing import Difference

Answers = Mapping[Attempt, Completion]
"""Recorded answers of models."""

_MOST_PAIRS = 5
"""Pairs that are reported of a case; more would say the same."""


def read(path: str | Path, eval_sets: Sequence[EvalSet], chosen: Sequence[EvalSet] | None = None) -> Answers:
    """Read a file of samples, as `run --samples-from` does. Those of cases that are not `chosen` are left out."""
    recording = recorded.read(path, eval_sets)
    wanted = {(each.id, case.id) for each in chosen or eval_sets for case in each.cases}
    attempts = [each for each in recording.attempts if (each.eval_set_id, each.case_id) in wanted]
    if not attempts:
        raise UserError("--samples-from: no sample is for a case that is to be examined")
    return {attempt: recording.completion(attempt) for attempt in attempts}


def with_answers(subjects: Sequence[Subject], eval_set_id: str, answers: Answers) -> list[Subject]:
    """Add recorded answers to the cases that they are for. An answer without code counts as an empty program."""
    of_case: dict[str, list[RecordedAnswer]] = {}
    languages = {subject.case.id: subject.case.language for subject in subjects}
    for attempt, completion in sorted(answers.items(), key=lambda item: item[0]):
        if attempt.eval_set_id == eval_set_id and attempt.case_id in languages:
            code, _ = code_of(completion, languages[attempt.case_id])
            name = f"{attempt.model_name} #{attempt.attempt}"
            of_case.setdefault(attempt.case_id, []).append(RecordedAnswer(name=name, code=code or ""))
    return [replace(subject, answers=tuple(of_case.get(subject.case.id, ()))) for subject in subjects]


def recorded_result(answers: Sequence[RecordedAnswer], grades: Sequence[Grade]) -> RecordedResult | None:
    """Count the answers that pass; None where there is none."""
    if not answers:
        return None
    judged = [(answer, grade) for answer, grade in zip(answers, grades, strict=True) if grade.verdict is not None]
    return RecordedResult(
        answers=len(answers),
        passing=tuple(answer.name for answer, grade in judged if passing(grade)),
        unjudged=len(answers) - len(judged),
    )


def pairs_script(subject: Subject, audit: CaseAudit, options: AuditOptions) -> Script[RecordedResult | None]:
    """Search inputs for which answers that pass every test return different results.

    All are compared with the reference solution, or else with the first of them.
    """
    found, case, language = audit.recorded, subject.case, subject.language
    if found is None or language is None or not is_plain_call_case(case):
        return found
    codes: dict[str, str] = {}
    for answer in subject.answers:
        if answer.name in found.passing:
            codes.setdefault(answer.code, answer.name)
    if len(codes) < 2:
        return found
    standard = case if subject.is_worth_mutating else replace(case, reference_solution=next(iter(codes)))
    calls = language.probes(standard, options.inputs, options.seed)
    if not calls:
        return found
    probe = language.probe_case(standard, calls)
    reference, *grades = yield [(code, probe) for code in (standard.reference_solution or "", *codes)]
    if not passing(reference):
        return found
    differences = {name: first_difference(grade) for name, grade in zip(codes.values(), grades, strict=True)}
    return replace(found, inputs=len(calls), pairs=tuple(_pairs(differences, calls))[:_MOST_PAIRS])


def _pairs(differences: Mapping[str, Difference | None], calls: Sequence[str]) -> Iterator[DifferingPair]:
    """Yield a pair for each result that differs from the standard's, with an answer that has another one."""
    seen: set[tuple[int, str]] = set()
    for name, found in differences.items():
        if found is None or (found.call, found.actual) in seen:
            continue
        for other, its in differences.items():
            agrees = its is None or its.call > found.call
            if agrees or (its is not None and its.call == found.call and its.actual != found.actual):
                seen.add((found.call, found.actual))
                yield DifferingPair(
                    call=calls[found.call],
                    first=other,
                    first_result=found.expected if agrees or its is None else its.actual,
                    second=name,
                    second_result=found.actual,
                )
                break
