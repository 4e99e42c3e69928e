"""Statistics of agreement between scores and known outcomes, each with a 95% interval.

Intervals are percentile bootstraps over runs with a fixed seed, so the same input always gives the same figures. They
are honest only for runs that are independent of each other: several runs of one task are not quite that.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

RESAMPLES = 2_000
_LEAST = 5
"""Fewer runs have no interval worth printing."""

Pair = tuple[float, float]
"""A score, and the truth: 1.0 or 0.0 for an outcome, or another's score."""
Statistic = Callable[[Sequence[Pair]], float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A statistic with its interval; None where it is not defined or not known."""

    value: float | None
    low: float | None = None
    high: float | None = None


def agreement(statistic: Statistic, pairs: Sequence[Pair], resamples: int = RESAMPLES) -> Agreement:
    """Return the statistic of these pairs, with its 95% interval."""
    value = statistic(pairs)
    if value is None or len(pairs) < _LEAST:
        return Agreement(value=value)
    generator = random.Random(0)  # noqa: S311  (repeatable on purpose)
    found = []
    for _ in range(resamples):
        drawn = statistic(generator.choices(pairs, k=len(pairs)))
        if drawn is not None:
            found.append(drawn)
    if len(found) < resamples // 2:
        return Agreement(value=value)
    found.sort()
    if found[0] == found[-1]:  # an interval without width would claim a certainty that no sample gives
        return Agreement(value=value)
    return Agreement(value=value, low=_quantile(found, 0.025), high=_quantile(found, 0.975))


def auc(pairs: Sequence[Pair]) -> float | None:
    """Return the chance that a good run has a higher score than a bad one; ties count half.

    0.5 is a coin. None where all runs have the same outcome.
    """
    good = sum(1 for _, truth in pairs if truth)
    bad = len(pairs) - good
    if not good or not bad:
        return None
    ranks = average_ranks([score for score, _ in pairs])
    sum_of_good = sum(rank for rank, (_, truth) in zip(ranks, pairs, strict=True) if truth)
    return (sum_of_good - good * (good + 1) / 2) / (good * bad)


def rank_correlation(pairs: Sequence[Pair]) -> float | None:
    """Return Spearman's rank correlation; None where one side is constant."""
    if len(pairs) < 2:
        return None
    ours, theirs = (average_ranks(side) for side in zip(*pairs, strict=True))
    return _correlation(ours, theirs)


def weighted_kappa(pairs: Sequence[Pair]) -> float | None:
    """Return Cohen's kappa of scores rounded to whole numbers, with quadratic weights; None where both are constant."""
    if not pairs:
        return None
    ours, theirs = ([math.floor(score + 0.5) for score in side] for side in zip(*pairs, strict=True))
    observed = fmean((one - other) ** 2 for one, other in zip(ours, theirs, strict=True))
    # the mean of (one - other)² over all combinations, without going through them
    squares = sum(one * one for one in ours) + sum(other * other for other in theirs)
    expected = squares / len(pairs) - 2 * fmean(ours) * fmean(theirs)
    return 1 - observed / expected if len({*ours, *theirs}) > 1 else None


def mean_error(pairs: Sequence[Pair]) -> float | None:
    """Return how much higher our scores are, on average."""
    return fmean(score - truth for score, truth in pairs) if pairs else None


def mean_absolute_error(pairs: Sequence[Pair]) -> float | None:
    """Return how far our scores are off, on average."""
    return fmean(abs(score - truth) for score, truth in pairs) if pairs else None


def average_ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value, from 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for index in order[start : end + 1]:
            ranks[index] = (start + end) / 2 + 1
        start = end + 1
    return ranks


def _correlation(ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    our_mean, their_mean = fmean(ours), fmean(theirs)
    product = sum((one - our_mean) * (other - their_mean) for one, other in zip(ours, theirs, strict=True))
    our_spread = sum((one - our_mean) ** 2 for one in ours)
    their_spread = sum((other - their_mean) ** 2 for other in theirs)
    return product / (our_spread * their_spread) ** 0.5 if our_spread and their_spread else None


def _quantile(ordered: Sequence[float], share: float) -> float:
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])
