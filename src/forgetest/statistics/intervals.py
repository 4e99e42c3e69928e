"""Pass@k, and how sure a rate or a mean is. Standard library only; importing it costs nothing."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import expm1, fsum, log1p, sqrt
from typing import NamedTuple

Z95 = 1.959963984540054
"""The normal distribution's quantile that leaves 2.5% above it."""

Z90 = 1.6448536269514722
"""The one that leaves 5% above it."""

_T_SMALL = {
    Z95: (12.706205, 4.302653, 3.182446, 2.776445),
    Z90: (6.313752, 2.919986, 2.353363, 2.131847),
}
"""Student's t, the same quantiles, for 1 to 4 degrees of freedom."""

_RARE = 3
"""With less than so many cases' worth of failures, or of successes, the spread between cases is hardly seen."""

_DUST = 1e-9
"""Less than this is floating point, not data."""


class Interval(NamedTuple):
    """The ends between which the truth lies in 95 of 100 such experiments."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A rate or a mean, and its interval where the data can tell one."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassAtK:
    """The mean of Pass@k over the cases where it is known."""

    estimate: Estimate | None
    known: int
    total: int


class Cluster(NamedTuple):
    """Values that belong together, as the attempts at one case do: their sum and their number."""

    total: float
    size: int


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The unbiased chance that one of k samples is correct, from n of which c are; None where n < k."""
    if k < 1:
        raise ValueError(f"k is {k}, but must be at least 1")
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} samples cannot be correct")
    if n < k:
        return None
    if c == 0:
        return 0.0
    if n - c < k:
        return 1.0
    # C(n-c, k) / C(n, k) is the same product taken over either; the shorter one is quicker
    few, many = min(c, k), max(c, k)
    return -expm1(fsum(log1p(-many / (n - i)) for i in range(few)))


@functools.lru_cache(maxsize=4096)  # cases are many, and have few counts between them
def pass_at_k_of_case(n: int, c: int, k: int) -> Estimate | None:
    """One case's Pass@k; its attempts are independent, so Wilson's interval carries over."""
    value = pass_at_k(n, c, k)
    if value is None:
        return None
    low, high = (1 - (1 - end) ** k for end in wilson(c, n))
    # with n = k the estimate is 0 or 1, which the interval would just miss
    return Estimate(value=value, interval=Interval(min(low, value), max(high, value)))


def mean_pass_at_k(cases: Sequence[tuple[int, int]], k: int) -> PassAtK:
    """Pass@k over cases, each given by n and c; a case that nobody tried is (0, 0)."""
    known = [value for n, c in cases if (value := pass_at_k(n, c, k)) is not None]
    estimate = bounded_mean(Cluster(value, 1) for value in known)
    return PassAtK(estimate=estimate, known=len(known), total=len(cases))


@functools.lru_cache(maxsize=4096)
def wilson(successes: float, trials: float, *, quantile: float = Z95) -> Interval:
    """Wilson's score interval for a share; `trials` may be an effective number."""
    if not 0 <= successes <= trials or trials <= 0:
        raise ValueError(f"{successes} of {trials} is no share")
    share = successes / trials
    square = quantile * quantile
    middle = share + square / (2 * trials)
    reach = quantile * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    shrink = 1 + square / trials
    # at 0 and 1 the formula's end is the share itself, but for floating-point dust
    low = 0.0 if share == 0 else max(0.0, (middle - reach) / shrink)
    high = 1.0 if share == 1 else min(1.0, (middle + reach) / shrink)
    return Interval(low, high)


def bounded_mean(clusters: Iterable[Cluster]) -> Estimate | None:
    """The mean of values in 0..1 over all that the clusters hold; None where they hold nothing.

    One yes or no a cluster gets Wilson's interval. Anything else gets Wilson's with the effective number
    of trials that the cluster-robust error implies.
    """
    # Why not a bootstrap: resampling cases is slow in Python, and where all cases agree it claims certainty,
    # as does the plain mean ± t·error. Near 0 and 1 both miss too often: in simulations of 10 cases with a
    # mean of 0.91, mean ± t·error held the truth 87% of the time, this form 97%.
    held = [cluster for cluster in clusters if cluster.size]
    if not held:
        return None
    if all(cluster.size == 1 and cluster.total in (0, 1) for cluster in held):
        successes = sum(cluster.total for cluster in held)
        return Estimate(value=successes / len(held), interval=wilson(successes, len(held)))
    value = min(1.0, _mean(held))
    error = _cluster_robust_error(held, value)
    if error is None or error < _DUST or not _DUST < value < 1 - _DUST:
        # no spread was seen, which is no proof that there is none: each case counts as one trial
        trials, quantile = float(len(held)), Z95
    else:
        implied = value * (1 - value) / error**2
        # what is rare shows in few cases or in none, and the error knows only of what was seen: in simulations of
        # Pass@10 near 1 the implied number alone held the truth 42% of the time, this blend 97%
        seen = min(1.0, len(held) * min(value, 1 - value) / _RARE)
        trials, quantile = len(held) + (implied - len(held)) * seen, t95(len(held) - 1)
    return Estimate(value=value, interval=wilson(value * trials, trials, quantile=quantile))


def unbounded_mean(clusters: Iterable[Cluster]) -> Estimate | None:
    """The mean of values from 0 to any size (milliseconds), with a cluster-robust t interval."""
    held = [cluster for cluster in clusters if cluster.size]
    if not held:
        return None
    value = _mean(held)
    error = _cluster_robust_error(held, value)
    if error is None:
        return Estimate(value=value, interval=None)
    reach = t95(len(held) - 1) * error
    return Estimate(value=value, interval=Interval(max(0.0, value - reach), value + reach))


def t95(freedom: int) -> float:
    """Student's t: the quantile that leaves 2.5% above it, to within 0.02%."""
    return _student(freedom, Z95)


def t90(freedom: int) -> float:
    """Student's t: the quantile that leaves 5% above it, to within 0.02%."""
    return _student(freedom, Z90)


def _student(freedom: int, z: float) -> float:
    """The quantile of Student's t that corresponds to one of the normal distribution."""
    if freedom < 1:
        raise ValueError(f"{freedom} degrees of freedom")
    small = _T_SMALL[z]
    if freedom <= len(small):
        return small[freedom - 1]
    # Cornish-Fisher expansion about the normal quantile (Abramowitz and Stegun 26.7.5)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / float(freedom) ** power for power, term in enumerate(terms, start=1))


def _mean(clusters: Sequence[Cluster]) -> float:
    return fsum(cluster.total for cluster in clusters) / sum(cluster.size for cluster in clusters)


def _cluster_robust_error(clusters: Sequence[Cluster], value: float) -> float | None:
    """The standard error of a mean whose values are alike within a cluster; None for a single cluster."""
    if len(clusters) < 2:
        return None
    squares = fsum((cluster.total - value * cluster.size) ** 2 for cluster in clusters)
    correction = len(clusters) / (len(clusters) - 1)
    return sqrt(correction * squares) / sum(cluster.size for cluster in clusters)
