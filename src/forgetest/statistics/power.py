"""The change in a paired comparison, the drop that it could detect, and the data that would settle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from forgetest.statistics.intervals import Estimate, Interval, t90, t95

POWER = 0.8
"""The probability of finding a drop from which on it is called detectable."""

_MOST_CASES, _MOST_ATTEMPTS = 1_000_000, 10_000


class Pair(NamedTuple):
    """One case in both reports: judged attempts, and how many of them are correct."""

    old_trials: int
    old: int
    new_trials: int
    new: int

    @property
    def change(self) -> float:
        """The rise of the share of correct attempts."""
        return self.new / self.new_trials - self.old / self.old_trials

    @property
    def coarseness(self) -> float:
        """1 for one attempt per side; the more attempts, the less a single one moves the case."""
        return (1 / self.old_trials + 1 / self.new_trials) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The quantities that determine the power of a comparison."""

    cases: int
    variance: float
    """The variance of a case's change."""
    within: float | None
    """The part of it that more attempts per case would reduce; None if every case has just one."""
    coarseness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedChange:
    """The mean change over cases, with its interval."""

    estimate: Estimate
    at_least: float
    """The lower bound of a one-sided 95% interval."""
    spread: Spread


def paired_change(pairs: Sequence[Pair]) -> PairedChange:
    """Return the change of the pass rate, with equal weight for every case."""
    # Agresti and Min's interval for matched pairs, which adds half a pair of each kind: a change of zero is not
    # claimed to be certain. With several attempts per case the added change is smaller by the same factor.
    changes = [pair.change for pair in pairs]
    coarseness = fsum(pair.coarseness for pair in pairs) / len(pairs)
    total, count = fsum(changes), len(pairs) + 2
    centre = total / count
    variance = (fsum(change * change for change in changes) + coarseness) / count - centre * centre
    error = sqrt(variance / count)
    value = total / len(pairs)
    freedom = max(1, len(pairs) - 1)
    reach, lower = t95(freedom) * error, t90(freedom) * error
    return PairedChange(
        estimate=Estimate(
            value=value,
            interval=Interval(max(-1.0, min(value, centre - reach)), min(1.0, max(value, centre + reach))),
        ),
        at_least=max(-1.0, min(value, centre - lower)),
        spread=Spread(cases=len(pairs), variance=variance, within=_attempt_variance(pairs), coarseness=coarseness),
    )


def _attempt_variance(pairs: Sequence[Pair]) -> float | None:
    """Return the variance of a single attempt about its case's rate."""
    sides = [(pair.old_trials, pair.old) for pair in pairs] + [(pair.new_trials, pair.new) for pair in pairs]
    variances = [c * (n - c) / (n * (n - 1)) for n, c in sides if n > 1]
    return fsum(variances) / len(variances) if variances else None


def power(drop: float, spread: Spread, significance: float) -> float:
    """Return the probability that the paired test at this level finds a true drop of this size."""
    # a drop implies cases that differ: if few differ so far, more would
    variance = max(spread.variance, spread.coarseness * drop * (1 - drop))
    normal = NormalDist()
    count = spread.cases
    # under the null hypothesis the drop is part of the spread; the test's steps are coarse, hence the correction
    bar = normal.inv_cdf(1 - significance) * sqrt(count * (variance + drop * drop)) + spread.coarseness
    return normal.cdf((count * drop - bar) / sqrt(count * variance))


def minimum_detectable_effect(spread: Spread, significance: float) -> float | None:
    """Return the smallest drop that 80 of 100 such comparisons find; None if they would miss even the largest."""
    steps = 1000
    found = _smallest(lambda step: power(step / steps, spread, significance) >= POWER, steps - 1)
    return None if found is None else found / steps


def cases_to_settle(drop: float, spread: Spread, significance: float) -> int | None:
    """Return the number of such cases with which 80 of 100 comparisons find a drop of this size."""
    if drop <= 0:
        return None
    return _smallest(lambda cases: power(drop, replace(spread, cases=cases), significance) >= POWER, _MOST_CASES)


def attempts_to_settle(drop: float, spread: Spread, significance: float) -> int | None:
    """Return the same as a number of attempts at each of these cases, in both reports; None if none suffices."""
    if drop <= 0 or spread.within is None:
        return None
    between = max(0.0, spread.variance - 2 * spread.within * spread.coarseness)

    def enough(attempts: int) -> bool:
        assert spread.within is not None
        variance = between + 2 * spread.within / attempts
        larger = replace(spread, variance=variance, coarseness=1 / attempts)
        return power(drop, larger, significance) >= POWER

    return _smallest(enough, _MOST_ATTEMPTS)


def _smallest(enough: Callable[[int], bool], most: int) -> int | None:
    """Return the smallest number from 1 to `most` that is enough, by bisection; None if there is none."""
    if not enough(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
