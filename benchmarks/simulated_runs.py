"""Simulated runs with a known truth: how often do the intervals contain it, and how often does noise trip the gate?

    python benchmarks/simulated_runs.py [RUNS]

A world has cases whose pass rates follow a Beta distribution, and a number of attempts at each. A report is a sample of
cases and of attempts at them; the truth is the world's mean over all cases that could be drawn. Worlds vary a little
from run to run: counts are whole numbers, so that coverage at a single pass rate oscillates around its mean.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma, sqrt

from forgetest.statistics.intervals import (
    Cluster,
    Estimate,
    bounded_mean,
    mean_pass_at_k,
    pass_at_k_of_case,
    unbounded_mean,
)
from forgetest.statistics.power import Pair, paired_change
from forgetest.statistics.significance import ComparedCase, weigh

RUNS = 2000
SEED = 20260101
NOMINAL, NOISE, DROP = 0.95, 0.05, 0.10


@dataclass(frozen=True)
class World:
    """Cases whose pass rates follow Beta(a, b)."""

    cases: int
    attempts: int
    a: float
    b: float

    @property
    def mean(self) -> float:
        """The true pass rate."""
        return self.a / (self.a + self.b)

    def pass_at(self, k: int) -> float:
        """The true Pass@k: the mean of 1 - (1 - p)^k."""
        a, b = self.a, self.b
        return 1 - exp(lgamma(b + k) + lgamma(a + b) - lgamma(b) - lgamma(a + b + k))

    def varied(self, chance: random.Random) -> World:
        """Return a similar world with another mean pass rate."""
        return replace(self, a=self.a * chance.uniform(0.75, 1.3))

    def rates(self, chance: random.Random) -> list[float]:
        """Draw the pass rates of a report's cases."""
        return [chance.betavariate(self.a, self.b) for _ in range(self.cases)]

    def __str__(self) -> str:
        return f"{self.cases} cases, {self.attempts} attempts, pass rate {self.mean:.0%} (Beta {self.a:g}, {self.b:g})"


WORLDS = (
    World(50, 1, 0.5, 0.3),
    World(164, 1, 0.6, 0.4),
    World(20, 5, 0.5, 0.3),
    World(50, 5, 0.3, 0.3),
    World(30, 10, 3.0, 0.5),
    World(100, 5, 1.0, 1.0),
    World(50, 20, 2.0, 0.2),
)
"""From models that solve a case always or never, to models that are undecided about every case."""


@dataclass(frozen=True)
class Counted:
    """The observed frequency of an event, and the expected one."""

    subject: str
    world: str
    share: float
    expected: float
    runs: int

    @property
    def error(self) -> float:
        """The simulation's own standard error."""
        return sqrt(max(self.expected * (1 - self.expected), 1e-4) / self.runs)

    def __str__(self) -> str:
        return f"{self.subject:22} {100 * self.share:5.1f}%  ±{100 * self.error:.1f}  {self.world}"


def drawn(chance: random.Random, attempts: int, rate: float) -> int:
    """Draw the number of correct attempts."""
    return sum(chance.random() < rate for _ in range(attempts))


def coverage(runs: int, chance: random.Random, worlds: Sequence[World] = WORLDS) -> Iterator[Counted]:
    """Return the coverage of each kind of interval, which should be 95%."""
    for like in worlds:
        held = dict.fromkeys(("Pass@1", f"Pass@{min(5, like.attempts)}", f"Pass@{max(1, like.attempts // 2)}"), 0)
        held |= dict.fromkeys(("some unjudged", "mean score", "change by 0 points", "change by -10 points"), 0)
        for _ in range(runs):
            world = like.varied(chance)
            found = [drawn(chance, world.attempts, rate) for rate in world.rates(chance)]
            for kind in held:
                if kind.startswith("Pass@"):
                    k = int(kind.removeprefix("Pass@"))
                    passing = mean_pass_at_k([(world.attempts, c) for c in found], k).estimate
                    held[kind] += _holds(passing, world.pass_at(k))
            held["some unjudged"] += _holds(bounded_mean(_judged_in_part(world, chance)), world.mean)
            held["mean score"] += _holds(bounded_mean(_scores(world, chance)), _true_score(world))
            for kind, drop in {"change by 0 points": 0.0, "change by -10 points": DROP}.items():
                held[kind] += _holds(paired_change(pairs(world, drop, chance)).estimate, -drop)
        for kind, count in held.items():
            yield Counted(kind, str(like), count / runs, NOMINAL, runs)
    yield _one_case(runs, chance)
    yield _latency(runs, chance)


def _judged_in_part(world: World, chance: random.Random) -> list[Cluster]:
    """Draw the correct ones among judged attempts, nine of ten, so that cases have different numbers of them."""
    judged = [(drawn(chance, world.attempts, 0.9), rate) for rate in world.rates(chance)]
    return [Cluster(drawn(chance, size, rate), size) for size, rate in judged]


def _scores(world: World, chance: random.Random) -> list[Cluster]:
    """Draw scores: 0 if a sample does not compile, else 0.4 + 0.5 for the tests + 0.1 for lints."""

    def score(rate: float) -> float:
        if chance.random() < 0.3 * (1 - rate):
            return 0.0
        return 0.4 + 0.5 * (1.0 if chance.random() < rate else 0.25) + 0.1 * chance.choice((1.0, 1.0, 0.8))

    return [Cluster(sum(score(rate) for _ in range(world.attempts)), world.attempts) for rate in world.rates(chance)]


def _true_score(world: World) -> float:
    # the mean of (1 - 0.3(1 - p)) · (0.4 + 0.5(p + 0.25(1 - p)) + 0.1·2.8/3), by the moments of p
    constant, slope = 0.4 + 0.5 * 0.25 + 0.1 * 2.8 / 3, 0.5 * 0.75
    return 0.7 * constant + (0.7 * slope + 0.3 * constant) * world.mean + 0.3 * slope * _second_moment(world)


def _second_moment(world: World) -> float:
    a, b = world.a, world.b
    return a * (a + 1) / ((a + b) * (a + b + 1))


def _one_case(runs: int, chance: random.Random) -> Counted:
    """Return the coverage of the Pass@5 of a single case with 20 attempts, over uniform pass rates."""
    count = 0
    for _ in range(runs):
        rate = chance.random()
        correct = drawn(chance, 20, rate)
        count += _holds(pass_at_k_of_case(20, correct, 5), 1 - (1 - rate) ** 5)
    return Counted("Pass@5 of one case", "20 attempts, any pass rate", count / runs, NOMINAL, runs)


def _latency(runs: int, chance: random.Random) -> Counted:
    """Return the coverage of the mean latency; request times vary by case and, less, by attempt."""
    count, truth = 0, 1000.0
    for _ in range(runs):
        clusters = []
        for _ in range(40):
            typical = chance.gauss(truth, 200)
            clusters.append(Cluster(sum(chance.gauss(typical, 100) for _ in range(3)), 3))
        count += _holds(unbounded_mean(clusters), truth)
    return Counted("mean latency", "40 cases, 3 attempts", count / runs, NOMINAL, runs)


def _holds(found: Estimate | None, truth: float) -> bool:
    assert found is not None
    assert found.interval is not None
    return found.interval.low <= truth <= found.interval.high


def pairs(world: World, drop: float, chance: random.Random) -> list[Pair]:
    """Draw two reports on the same cases; the second one's mean pass rate is lower by `drop`."""
    left = 1 - drop / world.mean
    return [
        Pair(
            world.attempts,
            drawn(chance, world.attempts, rate),
            world.attempts,
            drawn(chance, world.attempts, left * rate),
        )
        for rate in world.rates(chance)
    ]


@dataclass(frozen=True)
class Gated:
    """The gate's decisions in one world: the rate of `regressed`, and the power it stated."""

    world: str
    regressed: float
    stated: float
    runs: int

    @property
    def error(self) -> float:
        """The simulation's own standard error."""
        return sqrt(max(self.regressed * (1 - self.regressed), 1e-4) / self.runs)


def gate(
    runs: int, chance: random.Random, drop: float, models: int = 1, worlds: Sequence[World] = WORLDS
) -> Iterator[Gated]:
    """Return how often the gate says `regressed` if one model drops by this much, or none does for 0."""
    for like in worlds:
        count, stated = 0, 0.0
        for _ in range(runs):
            compared = {
                f"m{number}": {
                    str(place): ComparedCase(pair=pair, score_change=pair.change)
                    for place, pair in enumerate(pairs(like.varied(chance), drop if number == 0 else 0.0, chance))
                }
                for number in range(models)
            }
            found = weigh(compared, DROP)
            count += found.ruling == "regressed"
            stated += found.models["m0"].power
        yield Gated(str(like), count / runs, stated / runs, runs)


def main() -> None:
    """Print everything; exit with 1 if a promise is broken."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    chance = random.Random(SEED)
    started = time.perf_counter()
    failures = []
    print(f"Intervals: how often they contain the truth, in {runs} runs each; promised: 95%\n")
    for each in coverage(runs, chance):
        print(f"  {each}")
        if each.share < NOMINAL - 3 * each.error:
            failures.append(str(each))
    for models in (1, 3):
        print(f"\nNoise, {models} model(s): how often the gate says regressed; promised: at most 5%\n")
        for found in gate(runs, chance, 0.0, models):
            print(f"  {100 * found.regressed:5.1f}%  ±{100 * found.error:.1f}  {found.world}")
            if found.regressed > NOISE + 3 * found.error:
                failures.append(f"noise: {found}")
    print("\nA true drop of 10 points: how often the gate says regressed, and the power that it states\n")
    for found in gate(runs, chance, DROP):
        row = f"{100 * found.regressed:5.1f}%  ±{100 * found.error:.1f}  stated {100 * found.stated:5.1f}%"
        print(f"  {row}  {found.world}")
        if abs(found.regressed - found.stated) > 0.07 + 3 * found.error:
            failures.append(f"power: {found}")
    print(f"\n{'FAIL: ' + '; '.join(failures) if failures else 'PASS'} ({time.perf_counter() - started:.0f} s)")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
