"""Trials: what mutants do with other tests than those of their case. They are screened, and judged where in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from forgetest.auditing.inputs import passing
from forgetest.auditing.journal import Journal
from forgetest.auditing.rounds import Samples
from forgetest.auditing.subjects import mutants_limit_s
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Mutants of a case's reference solution, and the case with the tests that they are tried with."""

    case: Case
    mutants: Sequence[Mutation]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialResult:
    """How a trial went."""

    reference_passes: bool
    """If it does not, nothing else counts."""
    failures: tuple[str | None, ...]
    """Of each mutant: None where it passes or was not judged, or the message of the first test that fails."""


def run_trials(
    trials: Sequence[Trial], grader: Grader, journal: Journal, grade: Callable[[Samples], list[Grade]]
) -> list[TrialResult]:
    """Judge the reference solution of each trial, and screen its mutants if that passes. `grade` judges samples."""
    references = grade([(trial.case.reference_solution or "", trial.case) for trial in trials])
    sound = [
        replace(trial, case=_limited(trial.case, reference))
        for trial, reference in zip(trials, references, strict=True)
        if passing(reference)
    ]
    screened = _screened(sound, grader, journal)
    doubtful = [
        (mutant.code, trial.case)
        for trial, found in zip(sound, screened, strict=True)
        for mutant, each in zip(trial.mutants, found, strict=True)
        if each is None
    ]
    grades = iter(grade(doubtful) if doubtful else [])
    results = iter(
        [
            TrialResult(
                reference_passes=True,
                failures=tuple(
                    _failure(next(grades)) if each is None else each.message if each.status == "killed" else None
                    for each in found
                ),
            )
            for found in screened
        ]
    )
    return [
        next(results)
        if passing(reference)
        else TrialResult(reference_passes=False, failures=(None,) * len(trial.mutants))
        for trial, reference in zip(trials, references, strict=True)
    ]


def _limited(case: Case, reference: Grade) -> Case:
    tests = reference.verdict.tests if reference.verdict is not None else ()
    limit_s = mutants_limit_s(max((test.cpu_ms for test in tests), default=0.0))
    return replace(case, timeout_secs=min(case.timeout_secs, limit_s))


def _screened(trials: Sequence[Trial], grader: Grader, journal: Journal) -> list[ScreenedMutants]:
    known = [journal.screened(trial.case, trial.mutants) for trial in trials]
    waiting = [trial for trial, found in zip(trials, known, strict=True) if found is None]
    fresh = []
    for trial, found in zip(waiting, grader.screen([(each.case, each.mutants) for each in waiting]), strict=True):
        journal.add_screened(trial.case, trial.mutants, found)
        fresh.append(found)
    new = iter(fresh)
    return [found if found is not None else next(new) for found in known]


def _failure(grade: Grade) -> str | None:
    if grade.verdict is None or not grade.verdict.compiled or passing(grade):
        return None
    return next((test.message for test in grade.verdict.tests if test.status == "failed"), "")
