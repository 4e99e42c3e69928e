"""How much a paired comparison changed, how small a drop it would find, and what would settle it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from forgetest.statistics.intervals import Estimate, Interval, t90, t95

POWER = 0.8
"""How often a drop must be found to be called detectable."""

_MOST_CASES, _MOST_ATTEMPTS = 1_000_000, 10_000


class Pair(NamedTuple):
    """One case in both reports: attempts that were judged, and how many of them are correct."""

    old_trials: int
    old: int
    new_trials: int
    new: int

    @property
    def change(self) -> float:
        """How much the share of correct attempts rose."""
        return self.new / self.new_trials - self.old / self.old_trials

    @property
    def coarseness(self) -> float:
        """1 for one attempt a side; the more attempts, the less a single one moves the case."""
        return (1 / self.old_trials + 1 / self.new_trials) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """What the power of a comparison depends on."""

    cases: int
    variance: float
    """Of a case's change."""
    within: float | None
    """The part of it that more attempts a case would make smaller; None where every case has just one."""
    coarseness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedChange:
    """The mean change over cases, and how sure it is."""

    estimate: Estimate
    at_least: float
    """It is no lower than this, in 95 of 100 such comparisons."""
    spread: Spread


def paired_change(pairs: Sequence[Pair]) -> PairedChange:
    """The change of the pass rate, every case counting the same."""
    # Agresti and Min's interval for matched pairs, which adds half a pair of each kind: one that was seen to change
    # by nothing is not claimed to be certain. With several attempts a case the added change is smaller by as much.
    changes = [pair.change for pair in pairs]
    coarseness = fsum(pair.coarseness for pair in pairs) / len(pairs)
    total, count = fsum(changes), len(pairs) + 2
    centre = total / count
    variance = (fsum(each * each for each in changes) + coarseness) / count - centre * centre
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
        spread=Spread(cases=len(pairs), variance=variance, within=_within(pairs), coarseness=coarseness),
    )


def _within(pairs: Sequence[Pair]) -> float | None:
    """The variance of a single attempt about its case's rate."""
    sides = [(pair.old_trials, pair.old) for pair in pairs] + [(pair.new_trials, pair.new) for pair in pairs]
    found = [c * (n - c) / (n * (n - 1)) for n, c in sides if n > 1]
    return fsum(found) / len(found) if found else None


def power(drop: float, spread: Spread, significance: float) -> float:
    """How often a true drop of this size is found by the paired test at this level."""
    # a drop cannot come without cases that differ: where few do so far, more would
    variance = max(spread.variance, spread.coarseness * drop * (1 - drop))
    normal = NormalDist()
    count = spread.cases
    # under the null hypothesis the drop is part of the spread; the test's steps are coarse, hence the correction
    bar = normal.inv_cdf(1 - significance) * sqrt(count * (variance + drop * drop)) + spread.coarseness
    return normal.cdf((count * drop - bar) / sqrt(count * variance))


def minimum_detectable_effect(spread: Spread, significance: float) -> float | None:
    """The smallest drop that is found in 80 of 100 such comparisons; None where not even a drop to nothing is."""
    steps = 1000
    found = _smallest(lambda step: power(step / steps, spread, significance) >= POWER, steps - 1)
    return None if found is None else found / steps


def cases_to_settle(drop: float, spread: Spread, significance: float) -> int | None:
    """With how many such cases a drop of this size is found in 80 of 100 comparisons."""
    if drop <= 0:
        return None
    return _smallest(lambda cases: power(drop, replace(spread, cases=cases), significance) >= POWER, _MOST_CASES)


def attempts_to_settle(drop: float, spread: Spread, significance: float) -> int | None:
    """With how many attempts at each of these cases, in both reports; None where no number would do."""
    if drop <= 0 or spread.within is None:
        return None
    between = max(0.0, spread.variance - 2 * spread.within * spread.coarseness)

    def enough(attempts: int) -> bool:
        assert spread.within is not None
        variance = between + 2 * spread.within / attempts
        asked = replace(spread, variance=variance, coarseness=1 / attempts)
        return power(drop, asked, significance) >= POWER

    return _smallest(enough, _MOST_ATTEMPTS)


def _smallest(enough: Callable[[int], bool], most: int) -> int | None:
    """The smallest number from 1 up that is enough; more always is, too."""
    if not enough(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
