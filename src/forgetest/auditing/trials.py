"""Trials: what mutants do with other tests than those of their case. They are screened, and judged where in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from forgetest.auditing.inputs import passing
from forgetest.auditing.journal import Journal
from forgetest.auditing.rounds import Samples
from forgetest.evalset import Case
from forgetest.grade import Grade
from forgetest.grading import Grader
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import ScreenedMutants

_QUICK_S = 1.0
"""The CPU time that a test may take in a trial whose reference solution was not judged before."""
_SLOW_S = 3.0
"""The CPU time that a test of the reference solution may take; a call that takes longer makes no good test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Mutants of a case's reference solution, and the case with the tests that they are tried with."""

    case: Case
    mutants: Sequence[Mutation]
    screens_with_reference: bool = False
    """See `toolchains.auditing.Auditing`: the reference solution then needs no judgement of its own."""


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
    """Screen the mutants of each trial whose reference solution passes. `grade` judges samples.

    The reference solution is judged first, unless screening alone shows that it passes.
    """
    quick = [_limited(trial, _QUICK_S) for trial in trials]
    found = iter(_screened([trial for trial in quick if _needs_no_judgement(trial)], grader, journal))
    screened = [next(found) if _needs_no_judgement(trial) else () for trial in quick]
    # a mutant is found to be invalid before any test is run
    passes = [any(each and each.status != "invalid" for each in of_trial) for of_trial in screened]
    fast = [(trial, of_trial) for trial, of_trial, shown in zip(quick, screened, passes, strict=True) if shown]
    slow = [_limited(trial, _SLOW_S) for trial, shown in zip(trials, passes, strict=True) if not shown]
    of_fast, of_slow = iter(_results(fast, grade)), iter(_run_judged(slow, grader, journal, grade))
    return [next(of_fast if shown else of_slow) for shown in passes]


def _needs_no_judgement(trial: Trial) -> bool:
    return trial.screens_with_reference and bool(trial.mutants)


def _run_judged(
    trials: Sequence[Trial], grader: Grader, journal: Journal, grade: Callable[[Samples], list[Grade]]
) -> list[TrialResult]:
    """Judge the reference solution of each trial, and screen its mutants if that passes."""
    references = grade([(trial.case.reference_solution or "", trial.case) for trial in trials]) if trials else []
    sound = [
        _limited(trial, _mutants_limit_s(reference))
        for trial, reference in zip(trials, references, strict=True)
        if passing(reference)
    ]
    results = iter(_results(list(zip(sound, _screened(sound, grader, journal), strict=True)), grade))
    return [
        next(results)
        if passing(reference)
        else TrialResult(reference_passes=False, failures=(None,) * len(trial.mutants))
        for trial, reference in zip(trials, references, strict=True)
    ]


def _results(
    screened: Sequence[tuple[Trial, ScreenedMutants]], grade: Callable[[Samples], list[Grade]]
) -> list[TrialResult]:
    """Judge the mutants that are in doubt, and sum up."""
    doubtful = [
        (mutant.code, trial.case)
        for trial, found in screened
        for mutant, each in zip(trial.mutants, found, strict=True)
        if each is None
    ]
    grades = iter(grade(doubtful) if doubtful else [])
    return [
        TrialResult(
            reference_passes=True,
            failures=tuple(
                _failure(next(grades)) if each is None else each.message if each.status == "killed" else None
                for each in found
            ),
        )
        for _, found in screened
    ]


def _limited(trial: Trial, limit_s: float) -> Trial:
    return replace(trial, case=replace(trial.case, timeout_secs=min(trial.case.timeout_secs, limit_s)))


def _mutants_limit_s(reference: Grade) -> float:
    """Return the CPU time of a mutant's test; a probing test runs the reference solution, too."""
    tests = reference.verdict.tests if reference.verdict is not None else ()
    slowest_s = max((test.cpu_ms for test in tests), default=0.0) / 1000
    return max(0.1, min(20 * slowest_s, 2 * slowest_s + 0.5))


def _screened(trials: Sequence[Trial], grader: Grader, journal: Journal) -> list[ScreenedMutants]:
    known = [journal.screened(trial.case, trial.mutants) for trial in trials]
    waiting = [index for index, found in enumerate(known) if found is None]
    for place, found in grader.screen([(trials[index].case, trials[index].mutants) for index in waiting]):
        index = waiting[place]
        known[index] = found
        journal.add_screened(trials[index].case, trials[index].mutants, found)
    return [found or () for found in known]


def _failure(grade: Grade) -> str | None:
    if grade.verdict is None or not grade.verdict.compiled or passing(grade):
        return None
    return next((test.message for test in grade.verdict.tests if test.status == "failed"), "")
