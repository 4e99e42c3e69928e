"""Pass@k, and confidence intervals of rates and means. Standard library only, so that importing it is fast."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import expm1, fsum, log1p, sqrt
from typing import NamedTuple

Z95 = 1.959963984540054
"""The 97.5% quantile of the normal distribution."""

Z90 = 1.6448536269514722
"""The 95% quantile of the normal distribution."""

_T_SMALL = {
    Z95: (12.706205, 4.302653, 3.182446, 2.776445),
    Z90: (6.313752, 2.919986, 2.353363, 2.131847),
}
"""Student's t, the same quantiles, for 1 to 4 degrees of freedom."""

_RARE = 3
"""With fewer failures (or successes) than this many cases' worth, the data hardly show the spread between cases."""

_DUST = 1e-9
"""Smaller values are floating-point noise."""


class Interval(NamedTuple):
    """A 95% confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A rate or a mean, and its interval if the data allow one."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassAtK:
    """The mean Pass@k over the cases for which it is known."""

    estimate: Estimate | None
    known: int
    total: int


class Cluster(NamedTuple):
    """The sum and the number of values that belong together, such as the attempts at one case."""

    total: float
    size: int


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return the unbiased estimate that one of k samples is correct, given n of which c are; None if n < k."""
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


@functools.lru_cache(maxsize=4096)  # many cases share few combinations of counts
def pass_at_k_of_case(n: int, c: int, k: int) -> Estimate | None:
    """Return one case's Pass@k; its attempts are independent, so Wilson's interval carries over."""
    value = pass_at_k(n, c, k)
    if value is None:
        return None
    low, high = (1 - (1 - end) ** k for end in wilson(c, n))
    # with n = k the estimate is 0 or 1, which the interval would just miss
    return Estimate(value=value, interval=Interval(min(low, value), max(high, value)))


def mean_pass_at_k(cases: Sequence[tuple[int, int]], k: int) -> PassAtK:
    """Return the mean Pass@k over cases, each given by n and c; a case without attempts is (0, 0)."""
    known = [value for n, c in cases if (value := pass_at_k(n, c, k)) is not None]
    estimate = bounded_mean(Cluster(value, 1) for value in known)
    return PassAtK(estimate=estimate, known=len(known), total=len(cases))


@functools.lru_cache(maxsize=4096)
def wilson(successes: float, trials: float, *, quantile: float = Z95) -> Interval:
    """Return Wilson's score interval of a proportion; `trials` may be an effective number."""
    if not 0 <= successes <= trials or trials <= 0:
        raise ValueError(f"{successes} of {trials} is not a proportion")
    share = successes / trials
    square = quantile * quantile
    middle = share + square / (2 * trials)
    reach = quantile * sqrt(share * (1 - share) / trials + square / (4 * trials * trials))
    shrink = 1 + square / trials
    # at 0 and 1 the formula's end is the share itself, except for floating-point noise
    low = 0.0 if share == 0 else max(0.0, (middle - reach) / shrink)
    high = 1.0 if share == 1 else min(1.0, (middle + reach) / shrink)
    return Interval(low, high)


def bounded_mean(clusters: Iterable[Cluster]) -> Estimate | None:
    """Return the mean of values in 0..1 over all clusters; None if they are empty.

    With one yes or no per cluster, the interval is Wilson's. Otherwise it is Wilson's with the
    effective number of trials that the cluster-robust error implies.
    """
    # Why not a bootstrap: resampling cases is slow in Python, and where all cases agree it claims certainty,
    # as does the plain mean ± t·error. Near 0 and 1 both miss too often: in simulations of 10 cases with a
    # mean of 0.91, mean ± t·error held the truth 87% of the time, this form 97%.
    clusters = [cluster for cluster in clusters if cluster.size]
    if not clusters:
        return None
    if all(cluster.size == 1 and cluster.total in (0, 1) for cluster in clusters):
        successes = sum(cluster.total for cluster in clusters)
        return Estimate(value=successes / len(clusters), interval=wilson(successes, len(clusters)))
    value = min(1.0, _mean(clusters))
    error = _cluster_robust_error(clusters, value)
    if error is None or error < _DUST or not _DUST < value < 1 - _DUST:
        # that no spread was observed does not prove that there is none: each case counts as one trial
        trials, quantile = float(len(clusters)), Z95
    else:
        implied = value * (1 - value) / error**2
        # what is rare shows in few cases or none, and the error reflects only what was observed: in simulations of
        # Pass@10 near 1 the implied number alone held the truth 42% of the time, this blend 97%
        seen = min(1.0, len(clusters) * min(value, 1 - value) / _RARE)
        trials, quantile = len(clusters) + (implied - len(clusters)) * seen, t95(len(clusters) - 1)
    return Estimate(value=value, interval=wilson(value * trials, trials, quantile=quantile))


def unbounded_mean(clusters: Iterable[Cluster]) -> Estimate | None:
    """Return the mean of non-negative values (milliseconds), with a cluster-robust t interval."""
    clusters = [cluster for cluster in clusters if cluster.size]
    if not clusters:
        return None
    value = _mean(clusters)
    error = _cluster_robust_error(clusters, value)
    if error is None:
        return Estimate(value=value, interval=None)
    reach = t95(len(clusters) - 1) * error
    return Estimate(value=value, interval=Interval(max(0.0, value - reach), value + reach))


def t95(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t, to within 0.02%."""
    return _student(freedom, Z95)


def t90(freedom: int) -> float:
    """Return the 95% quantile of Student's t, to within 0.02%."""
    return _student(freedom, Z90)


def _student(freedom: int, z: float) -> float:
    """Return the quantile of Student's t that corresponds to the normal quantile z."""
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
    """Return the standard error of a mean of clustered values; None for a single cluster."""
    if len(clusters) < 2:
        return None
    squares = fsum((cluster.total - value * cluster.size) ** 2 for cluster in clusters)
    correction = len(clusters) / (len(clusters) - 1)
    return sqrt(correction * squares) / sum(cluster.size for cluster in clusters)
