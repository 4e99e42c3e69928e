"""What the data of two reports can bear: regressed, clean, or inconclusive, and what would settle it.

Decided by the pass rate over the cases that both reports hold, every case counting the same. The whole ruling calls
noise a regression in at most 5 of 100 comparisons: see `_levels` for how the 5% are shared out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, lcm, sqrt
from typing import Literal

from forgetest.statistics.intervals import Estimate, Interval, t95
from forgetest.statistics.paired_tests import OneSided, best_possible, fisher, holm, sign_flip
from forgetest.statistics.power import (
    Pair,
    attempts_to_settle,
    cases_to_settle,
    minimum_detectable_effect,
    paired_change,
    power,
)

ERROR = 0.05
"""How often noise may be called a regression."""

ERROR_OF_CASES = 0.01
"""The part of it that single cases get, where they have attempts enough to be told apart at all."""

_TOLERANCE = 1e-9

_FINEST = 10**12
"""Shares are counted in parts of their common denominator, where it is not beyond this."""

Ruling = Literal["regressed", "clean", "inconclusive"]
Test = Literal["mcnemar", "permutation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseEvidence:
    """One case of one model, tested by itself."""

    p_worse: float
    p_adjusted: float
    """The same, corrected by Holm for how many cases are tested."""
    regressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """How the mean score changed, every case counting the same. For information: the pass rate decides."""

    estimate: Estimate
    p: OneSided


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the data tell of one model."""

    ruling: Ruling
    test: Test
    change: Estimate
    """Of the pass rate."""
    at_least: float
    """In 95 of 100 such comparisons the true change is no lower than this."""
    p: OneSided
    p_adjusted: float
    """That of getting worse, corrected by Holm for how many models are tested."""
    level: float
    """What it must not exceed for a regression."""
    score: ScoreChange
    power: float
    """How often a true drop of the threshold would be found by such a comparison."""
    minimum_detectable_effect: float | None
    """The drop that is found in 80 of 100 such comparisons; None where no drop is."""
    cases_to_settle: int | None
    """Where it is inconclusive: so many such cases would find a drop of the threshold, in 80 of 100 comparisons."""
    attempts_to_settle: int | None
    """The same with more attempts at these cases; None where no number would do, or it cannot be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCase:
    """One case as both reports have it."""

    pair: Pair
    score_change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """All that is tested."""

    ruling: Ruling
    models: Mapping[str, Evidence]
    cases: Mapping[tuple[str, str], CaseEvidence]
    """By model and case; without those that have too few attempts."""


def weigh(models: Mapping[str, Mapping[str, ComparedCase]], threshold: float) -> Significance:
    """Test what changed, by model and case; a drop of more than the threshold must be ruled out to be clean."""
    tested = {
        (model, name): fisher((pair.old_trials, pair.old), (pair.new_trials, pair.new)).worse
        for model, compared in models.items()
        for name, case in compared.items()
        if (pair := case.pair).old_trials + pair.new_trials > 2
    }
    level, level_of_cases = _levels([case.pair for compared in models.values() for case in compared.values()])
    cases = {
        key: CaseEvidence(p_worse=p, p_adjusted=adjusted, regressed=adjusted <= level_of_cases)
        for (key, p), adjusted in zip(tested.items(), holm(list(tested.values())), strict=True)
    }
    flips = {model: _flip([case.pair for case in compared.values()]) for model, compared in models.items()}
    adjusted_p = dict(zip(flips, holm([each.worse for each in flips.values()]), strict=True))
    found = {
        model: _evidence(
            list(compared.values()),
            flips[model],
            adjusted_p[model],
            level,
            # Holm's first step, the strictest: what is said of the power holds whatever the other models do
            level / len(models),
            threshold,
            any(cases[model, name].regressed for name in compared if (model, name) in cases),
        )
        for model, compared in models.items()
    }
    return Significance(ruling=_together([each.ruling for each in found.values()]), models=found, cases=cases)


def _levels(pairs: Sequence[Pair]) -> tuple[float, float]:
    """What models and single cases may err, together no more than 5%."""
    # single cases get a share only where one of them could be found at all, which their attempts alone decide
    tested = [pair for pair in pairs if pair.old_trials + pair.new_trials > 2]
    best = min((best_possible(pair.old_trials, pair.new_trials) for pair in tested), default=1.0)
    if best > ERROR_OF_CASES / max(1, len(tested)):
        return ERROR, 0.0
    return ERROR - ERROR_OF_CASES, ERROR_OF_CASES


def _flip(pairs: Sequence[Pair]) -> OneSided:
    whole = lcm(*{trials for pair in pairs for trials in (pair.old_trials, pair.new_trials)})
    if whole > _FINEST:
        return sign_flip([round(pair.change * _FINEST) for pair in pairs])
    return sign_flip([pair.new * (whole // pair.new_trials) - pair.old * (whole // pair.old_trials) for pair in pairs])


def _evidence(
    cases: Sequence[ComparedCase],
    p: OneSided,
    p_adjusted: float,
    level: float,
    strictest: float,
    threshold: float,
    a_case_regressed: bool,
) -> Evidence:
    pairs = [case.pair for case in cases]
    found = paired_change(pairs)
    ruling: Ruling = "inconclusive"
    if p_adjusted <= level or a_case_regressed:
        ruling = "regressed"
    elif found.at_least >= -threshold - _TOLERANCE or all(abs(pair.change) < _TOLERANCE for pair in pairs):
        ruling = "clean"
    open_ = ruling == "inconclusive"
    return Evidence(
        ruling=ruling,
        test="mcnemar" if all(pair.old_trials == pair.new_trials == 1 for pair in pairs) else "permutation",
        change=found.estimate,
        at_least=found.at_least,
        p=p,
        p_adjusted=p_adjusted,
        level=level,
        score=_score_change([case.score_change for case in cases]),
        power=power(threshold, found.spread, strictest),
        minimum_detectable_effect=minimum_detectable_effect(found.spread, strictest),
        cases_to_settle=cases_to_settle(threshold, found.spread, strictest) if open_ else None,
        attempts_to_settle=attempts_to_settle(threshold, found.spread, strictest) if open_ else None,
    )


def _score_change(changes: Sequence[float]) -> ScoreChange:
    value = fsum(changes) / len(changes)
    # in whole numbers: scores are written with twelve decimals, of which the last are floating-point dust
    p = sign_flip([round(each * 1e9) for each in changes])
    if len(changes) < 2:
        return ScoreChange(estimate=Estimate(value=value, interval=None), p=p)
    error = sqrt(fsum((each - value) ** 2 for each in changes) / (len(changes) - 1) / len(changes))
    reach = t95(len(changes) - 1) * error
    return ScoreChange(
        estimate=Estimate(value=value, interval=Interval(max(-1.0, value - reach), min(1.0, value + reach))), p=p
    )


def _together(rulings: Sequence[Ruling]) -> Ruling:
    """One model that regressed decides; all must be clean for the whole to be."""
    if "regressed" in rulings:
        return "regressed"
    return "clean" if rulings and all(ruling == "clean" for ruling in rulings) else "inconclusive"
