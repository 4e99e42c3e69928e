"""Paired tests of two reports over their common cases, and the correction for multiple tests.

They are exact wherever that is affordable, so that no random seed decides; for larger data they use the normal
approximation, which is as good there. Each p-value is one-sided: the probability, if nothing has changed, of a
change at least this large in that direction.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from math import comb, erfc, fsum, gcd, sqrt
from typing import NamedTuple

_EXACT_BITS = 4_000_000_000
"""The most work that counting all choices of signs by their sum may take: about half a second."""

_MOST_ENUMERATED = 32
"""The most differences of many sizes for which all choices are enumerated, half by half."""

_BITS_PER_CHOICE = 20_000
"""Enumerating one choice takes as long as counting this many bits."""

_EXACT_BINOMIAL = 20_000


class OneSided(NamedTuple):
    """The probabilities of a drop and of a rise at least this large by chance alone."""

    worse: float
    better: float


def sign_flip(differences: Sequence[int]) -> OneSided:
    """Run the paired permutation test on the sum: if nothing has changed, each difference could have either sign.

    With differences of a single size it is McNemar's exact test.
    """
    sizes = [abs(difference) for difference in differences if difference]
    if not sizes:
        return OneSided(1.0, 1.0)
    unit = gcd(*sizes)
    sizes = sorted(size // unit for size in sizes)
    up = sum(difference for difference in differences if difference > 0) // unit
    down = sum(sizes) - up
    return OneSided(worse=_tail(sizes, down), better=_tail(sizes, up))


def _tail(sizes: Sequence[int], reached: int) -> float:
    """Return the probability that a random subset of the sizes sums to at least `reached`."""
    count, total = len(sizes), sum(sizes)
    if sizes[-1] == 1:
        return binomial_tail(count, reached)
    counting = total * count * count
    # enumerating is faster for few differences of many sizes, counting for many of few sizes
    if count <= _MOST_ENUMERATED and counting > _BITS_PER_CHOICE << (count // 2):
        return _tail_by_enumerating(sizes, reached)
    if counting <= _EXACT_BITS:
        return _tail_by_counting(sizes, reached)
    return _normal_tail((2 * reached - total - 1) / sqrt(fsum(size * size for size in sizes)))


def binomial_tail(trials: int, reached: int) -> float:
    """Return the probability of at least `reached` heads among fair coins."""
    if trials > _EXACT_BINOMIAL:
        return _normal_tail((2 * reached - trials - 1) / sqrt(trials))
    if reached <= trials // 2:
        return 1.0 - _ratio(_binomial_sum(trials, trials - reached + 1), trials)
    return _ratio(_binomial_sum(trials, reached), trials)


def _binomial_sum(trials: int, start: int) -> int:
    """Return how many of the 2^trials outcomes have at least `start` heads."""
    if start > trials:
        return 0
    term = found = comb(trials, start)
    for heads in range(start + 1, trials + 1):
        term = term * (trials - heads + 1) // heads
        found += term
    return found


def _tail_by_enumerating(sizes: Sequence[int], reached: int) -> float:
    middle = len(sizes) // 2
    left, right = _sums(sizes[:middle]), sorted(_sums(sizes[middle:]))
    found = sum(len(right) - bisect_left(right, reached - subset) for subset in left)
    return _ratio(found, len(sizes))


def _sums(sizes: Sequence[int]) -> list[int]:
    """Return the sums of all subsets."""
    sums = [0]
    for size in sizes:
        sums += [subset + size for subset in sums]
    return sums


def _tail_by_counting(sizes: Sequence[int], reached: int) -> float:
    """Count the subsets by their sum, all counts at once in one large integer.

    The integer is a row of slots of `width` bits: slot s holds how many subsets sum to s. There are 2^len(sizes)
    subsets, so len(sizes) + 1 bits never overflow. Including a size moves every sum up by it, which is a shift by that
    many slots; adding the shifted row to the row counts the subsets with and without the size.
    """
    width = len(sizes) + 1
    row = 1  # the empty subset, which sums to 0
    for size in sizes:
        row += row << (width * size)
    reaching = row >> (width * reached)
    # the sum of all slots: a slot's place is a power of 2^width, which is 1 modulo 2^width - 1
    return _ratio(reaching % ((1 << width) - 1), len(sizes))


def _ratio(count: int, exponent: int) -> float:
    """Return count / 2^exponent; both may be far beyond floating point."""
    return count / (1 << exponent)


def _normal_tail(z: float) -> float:
    return erfc(z / sqrt(2)) / 2


def fisher(baseline: tuple[int, int], current: tuple[int, int]) -> OneSided:
    """Run Fisher's exact test of two proportions, each given by trials and successes."""
    (old_trials, old), (new_trials, new) = baseline, current
    successes, trials = old + new, old_trials + new_trials
    least, most = max(0, successes - old_trials), min(successes, new_trials)
    ways = [comb(new_trials, least) * comb(old_trials, successes - least)]
    for k in range(least, most):  # each from the previous one: with thousands of trials these are long integers
        step = (new_trials - k) * (successes - k)
        ways.append(ways[-1] * step // ((k + 1) * (old_trials - successes + k + 1)))
    place = new - least
    everything = comb(trials, successes)
    return OneSided(worse=sum(ways[: place + 1]) / everything, better=sum(ways[place:]) / everything)


def best_possible(old_trials: int, new_trials: int) -> float:
    """Return the smallest p-value that Fisher's test can give with these numbers of trials."""
    return 1 / comb(old_trials + new_trials, new_trials)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values in the given order: rejecting below 5% errs in at most 5% of all families."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    raised = accumulate(
        (min(1.0, (len(order) - rank) * p_values[place]) for rank, place in enumerate(order)),
        max,
    )
    return [p for _, p in sorted(zip(order, raised, strict=True))]
