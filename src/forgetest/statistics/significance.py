"""Significance of the change between two reports: regressed, clean or inconclusive, and what would settle it.

The pass rate over the common cases decides, with equal weight for every case. Noise is called a regression in at
most 5 of 100 comparisons; `_levels` divides the 5% between models and single cases.
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
"""The probability with which noise may be called a regression."""

ERROR_OF_CASES = 0.01
"""The part of it that single cases get, if they have enough attempts for a test to find anything."""

_TOLERANCE = 1e-9

_FINEST = 10**12
"""Rates are counted in units of their common denominator, up to this one."""

Ruling = Literal["regressed", "clean", "inconclusive"]
Test = Literal["mcnemar", "permutation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseEvidence:
    """The test of one case of one model."""

    p_worse: float
    p_adjusted: float
    """The same after Holm's correction for the number of cases."""
    regressed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreChange:
    """The change of the mean score, with equal weight for every case. For information: the pass rate decides."""

    estimate: Estimate
    p: OneSided


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSignificance:
    """The significance of one model's change."""

    ruling: Ruling
    test: Test
    change: Estimate
    """The change of the pass rate."""
    at_least: float
    """The lower bound of a one-sided 95% interval of the change."""
    p: OneSided
    p_adjusted: float
    """The p-value of a drop, after Holm's correction for the number of models."""
    level: float
    """The largest `p_adjusted` that is a regression."""
    score: ScoreChange
    power: float
    """The probability that such a comparison finds a true drop of the threshold."""
    minimum_detectable_effect: float | None
    """The drop that 80 of 100 such comparisons find; None if they find none."""
    cases_to_settle: int | None
    """If inconclusive: the number of such cases with which 80 of 100 comparisons find a drop of the threshold."""
    attempts_to_settle: int | None
    """The same as a number of attempts at these cases; None if none suffices, or it is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCase:
    """One case in both reports."""

    pair: Pair
    score_change: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """The results of all tests."""

    ruling: Ruling
    models: Mapping[str, ModelSignificance]
    cases: Mapping[tuple[str, str], CaseEvidence]
    """By model and case, without cases that have too few attempts."""


def weigh(models: Mapping[str, Mapping[str, ComparedCase]], threshold: float) -> Significance:
    """Test every model and case; a model is clean if a drop of more than the threshold is ruled out."""
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
    flips = {model: _permutation_test([case.pair for case in compared.values()]) for model, compared in models.items()}
    adjusted_p = dict(zip(flips, holm([p.worse for p in flips.values()]), strict=True))
    found = {
        model: _model_significance(
            list(compared.values()),
            flips[model],
            adjusted_p[model],
            level,
            # Holm's first, strictest step: the stated power holds whatever the other models do
            level / len(models),
            threshold,
            any(cases[model, name].regressed for name in compared if (model, name) in cases),
        )
        for model, compared in models.items()
    }
    return Significance(
        ruling=_overall_ruling([evidence.ruling for evidence in found.values()]), models=found, cases=cases
    )


def _levels(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Return the error levels of models and of single cases, together at most 5%."""
    # single cases get a share only if a test could find anything, which depends on their attempts alone
    tested = [pair for pair in pairs if pair.old_trials + pair.new_trials > 2]
    best = min((best_possible(pair.old_trials, pair.new_trials) for pair in tested), default=1.0)
    if best > ERROR_OF_CASES / max(1, len(tested)):
        return ERROR, 0.0
    return ERROR - ERROR_OF_CASES, ERROR_OF_CASES


def _permutation_test(pairs: Sequence[Pair]) -> OneSided:
    whole = lcm(*{trials for pair in pairs for trials in (pair.old_trials, pair.new_trials)})
    if whole > _FINEST:
        return sign_flip([round(pair.change * _FINEST) for pair in pairs])
    return sign_flip([pair.new * (whole // pair.new_trials) - pair.old * (whole // pair.old_trials) for pair in pairs])


def _model_significance(
    cases: Sequence[ComparedCase],
    p: OneSided,
    p_adjusted: float,
    level: float,
    strictest: float,
    threshold: float,
    a_case_regressed: bool,
) -> ModelSignificance:
    pairs = [case.pair for case in cases]
    found = paired_change(pairs)
    ruling: Ruling = "inconclusive"
    if p_adjusted <= level or a_case_regressed:
        ruling = "regressed"
    elif found.at_least >= -threshold - _TOLERANCE or all(abs(pair.change) < _TOLERANCE for pair in pairs):
        ruling = "clean"
    open_ = ruling == "inconclusive"
    return ModelSignificance(
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
    # in whole numbers: scores have twelve decimals, of which the last are floating-point noise
    p = sign_flip([round(change * 1e9) for change in changes])
    if len(changes) < 2:
        return ScoreChange(estimate=Estimate(value=value, interval=None), p=p)
    error = sqrt(fsum((change - value) ** 2 for change in changes) / (len(changes) - 1) / len(changes))
    reach = t95(len(changes) - 1) * error
    return ScoreChange(
        estimate=Estimate(value=value, interval=Interval(max(-1.0, value - reach), min(1.0, value + reach))), p=p
    )


def _overall_ruling(rulings: Sequence[Ruling]) -> Ruling:
    """Return the ruling over all models: one that regressed decides, and all must be clean."""
    if "regressed" in rulings:
        return "regressed"
    return "clean" if rulings and all(ruling == "clean" for ruling in rulings) else "inconclusive"
