"""Tests of two reports over the cases that both hold, and their correction where there are many.

Exact wherever that is affordable, so no seed decides; beyond, by the normal distribution, which there is as good.
Each p-value is one-sided: the chance of a change at least this far in that direction where nothing has changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import comb, erfc, fsum, gcd, sqrt
from typing import NamedTuple

_EXACT_BITS = 4_000_000_000
"""What counting all choices of signs by their sum may cost: about half a second."""

_LISTED = 32
"""Up to so many differences of many sizes all choices are listed, half by half."""

_BITS_A_CHOICE = 20_000
"""Listing a choice takes as long as counting so many bits."""

_EXACT_BINOMIAL = 20_000


class OneSided(NamedTuple):
    """How likely a change that far down, or that far up, is by chance alone."""

    worse: float
    better: float


def sign_flip(differences: Sequence[int]) -> OneSided:
    """The paired permutation test on the sum: where nothing has changed, every difference could bear either sign.

    With differences of one size it is McNemar's exact test.
    """
    sizes = [abs(each) for each in differences if each]
    if not sizes:
        return OneSided(1.0, 1.0)
    unit = gcd(*sizes)
    sizes = sorted(size // unit for size in sizes)
    up = sum(each for each in differences if each > 0) // unit
    down = sum(sizes) - up
    return OneSided(worse=_tail(sizes, down), better=_tail(sizes, up))


def _tail(sizes: Sequence[int], reached: int) -> float:
    """The chance that a random choice of the sizes sums up to at least `reached`."""
    count, total = len(sizes), sum(sizes)
    if sizes[-1] == 1:
        return binomial_tail(count, reached)
    counting = total * count * count
    # few differences of many sizes are quicker listed, many of few sizes counted
    if count <= _LISTED and counting > _BITS_A_CHOICE << (count // 2):
        return _listed(sizes, reached)
    if counting <= _EXACT_BITS:
        return _counted(sizes, reached)
    return _normal_tail((2 * reached - total - 1) / sqrt(fsum(size * size for size in sizes)))


def binomial_tail(trials: int, reached: int) -> float:
    """The chance of at least `reached` heads among fair coins."""
    if trials > _EXACT_BINOMIAL:
        return _normal_tail((2 * reached - trials - 1) / sqrt(trials))
    if reached <= trials // 2:
        return 1.0 - _ratio(_binomial_sum(trials, trials - reached + 1), trials)
    return _ratio(_binomial_sum(trials, reached), trials)


def _binomial_sum(trials: int, start: int) -> int:
    """Of all 2^trials outcomes, those with at least `start` heads."""
    if start > trials:
        return 0
    term = found = comb(trials, start)
    for heads in range(start + 1, trials + 1):
        term = term * (trials - heads + 1) // heads
        found += term
    return found


def _listed(sizes: Sequence[int], reached: int) -> float:
    middle = len(sizes) // 2
    left, right = _sums(sizes[:middle]), sorted(_sums(sizes[middle:]))
    found = sum(len(right) - bisect_left(right, reached - each) for each in left)
    return _ratio(found, len(sizes))


def _sums(sizes: Sequence[int]) -> list[int]:
    sums = [0]
    for size in sizes:
        sums += [each + size for each in sums]
    return sums


def _counted(sizes: Sequence[int], reached: int) -> float:
    # one large number holds, slot by slot, how many choices have which sum; adding a size is a shift and a sum
    width = len(sizes) + 1
    held = 1
    for size in sizes:
        held += held << (width * size)
    # every slot is 1 modulo 2^width - 1, so the remainder is the sum over the slots
    return _ratio((held >> (width * reached)) % ((1 << width) - 1), len(sizes))


def _ratio(found: int, doublings: int) -> float:
    """Found / 2^doublings, where both may be far beyond floating point."""
    return found / (1 << doublings)


def _normal_tail(z: float) -> float:
    return erfc(z / sqrt(2)) / 2


def fisher(baseline: tuple[int, int], current: tuple[int, int]) -> OneSided:
    """Fisher's exact test of two shares, each given by trials and successes."""
    (old_trials, old), (new_trials, new) = baseline, current
    successes, trials = old + new, old_trials + new_trials
    least, most = max(0, successes - old_trials), min(successes, new_trials)
    ways = [comb(new_trials, least) * comb(old_trials, successes - least)]
    for k in range(least, most):  # each from the one before: with thousands of trials these are long numbers
        step = (new_trials - k) * (successes - k)
        ways.append(ways[-1] * step // ((k + 1) * (old_trials - successes + k + 1)))
    place = new - least
    everything = comb(trials, successes)
    return OneSided(worse=sum(ways[: place + 1]) / everything, better=sum(ways[place:]) / everything)


def best_possible(old_trials: int, new_trials: int) -> float:
    """The smallest p-value that Fisher's test can give with so many trials."""
    return 1 / comb(old_trials + new_trials, new_trials)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: one below 5% is an error in at most 5% of all families."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    raised = accumulate(
        (min(1.0, (len(order) - rank) * p_values[place]) for rank, place in enumerate(order)),
        max,
    )
    return [p for _, p in sorted(zip(order, raised, strict=True))]
