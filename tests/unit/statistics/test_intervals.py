"""Pass@k against exact arithmetic, intervals against published values and by simulation."""

import json
import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from external_data import external, needs_external
from forgetest.statistics.intervals import (
    Cluster,
    bounded_mean,
    mean_pass_at_k,
    pass_at_k,
    pass_at_k_of_case,
    t95,
    unbounded_mean,
    wilson,
)

RECORDED = "humaneval_codegen16b/verdicts.jsonl"


@st.composite
def counts(draw: st.DrawFn, largest: int = 10_000) -> tuple[int, int, int]:
    """Realistic n, c and k, with edge cases favoured: few or nearly all correct, k near 1 or n."""
    n = draw(st.integers(1, largest))
    near_the_ends = st.integers(0, min(n, 3)) | st.integers(max(0, n - 3), n) | st.integers(0, n)
    return n, draw(near_the_ends), max(1, draw(near_the_ends))


@settings(max_examples=300, deadline=None)
@given(counts())
def test_pass_at_k_is_exact_to_twelve_digits(given_counts):
    n, c, k = given_counts
    exact = 1 - Fraction(comb(n - c, k), comb(n, k))
    value = pass_at_k(n, c, k)
    assert value is not None
    assert abs(Fraction(value) - exact) <= Fraction(1, 10**12)


@settings(deadline=None)
@given(counts(largest=500))
def test_pass_at_k_rises_with_the_correct_samples_and_with_k(given_counts):
    n, c, k = given_counts
    value = pass_at_k(n, c, k)
    assert 0 <= value <= 1
    if c < n:
        assert pass_at_k(n, c + 1, k) >= value - 1e-15
    if k < n:
        assert pass_at_k(n, c, k + 1) >= value - 1e-15


def test_pass_at_1_is_the_share_of_correct_samples():
    assert pass_at_k(8, 2, 1) == pytest.approx(0.25, abs=1e-15)


def test_pass_at_k_is_0_without_a_correct_sample_and_1_if_every_choice_has_one():
    assert str(pass_at_k(5, 0, 3)) == "0.0"
    assert pass_at_k(5, 3, 3) == 1.0


def test_pass_at_k_is_unknown_with_fewer_than_k_samples():
    assert pass_at_k(4, 4, 5) is None
    assert pass_at_k(0, 0, 1) is None


@pytest.mark.parametrize(("n", "c", "k"), [(5, 6, 1), (5, -1, 1), (5, 1, 0), (-1, 0, 1), (3, 4, 9)])
def test_impossible_counts_are_refused(n, c, k):
    with pytest.raises(ValueError, match=r"must be|cannot be"):
        pass_at_k(n, c, k)


@needs_external(RECORDED)
def test_recorded_humaneval_verdicts_give_the_known_pass_at_k():
    cases = [json.loads(line) for line in external(RECORDED).read_text().splitlines()]
    assert all(sum(case["passed"]) == case["c"] for case in cases)
    found = {k: mean_pass_at_k([(case["n"], case["c"]) for case in cases], k) for k in (1, 10, 100)}
    percent = {k: f"{100 * each.estimate.value:.2f}" for k, each in found.items()}
    assert percent == {1: "22.12", 10: "50.38", 100: "73.78"}


def test_mean_pass_at_k_is_over_the_cases_with_a_known_value():
    found = mean_pass_at_k([(5, 5), (5, 0), (2, 2), (0, 0)], 5)
    assert found.estimate.value == 0.5
    assert (found.known, found.total) == (2, 4)


def test_mean_pass_at_k_is_unknown_if_no_case_has_a_value():
    found = mean_pass_at_k([(1, 1), (0, 0)], 2)
    assert found.estimate is None
    assert (found.known, found.total) == (0, 2)


# Newcombe, Statistics in Medicine 17 (1998), table I, method 3
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(successes, trials, low, high):
    found = wilson(successes, trials)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_interval_contains_the_share_and_stays_within_0_and_1(drawn):
    successes, trials = drawn
    found = wilson(successes, trials)
    assert 0 <= found.low <= successes / trials <= found.high <= 1
    mirrored = wilson(trials - successes, trials)
    assert mirrored.low == pytest.approx(1 - found.high, abs=1e-12)


def test_an_impossible_share_is_refused():
    with pytest.raises(ValueError, match="not a proportion"):
        wilson(0, 0)
    with pytest.raises(ValueError, match="not a proportion"):
        wilson(3, 2)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706205), (2, 4.302653), (5, 2.570582), (10, 2.228139), (30, 2.042272), (100, 1.983972)],
)
def test_students_t_gives_the_published_quantiles(freedom, quantile):
    assert t95(freedom) == pytest.approx(quantile, rel=2e-4)


def test_students_t_needs_a_degree_of_freedom():
    with pytest.raises(ValueError, match="0 degrees"):
        t95(0)


def test_one_attempt_per_case_gets_the_wilson_interval():
    found = bounded_mean([Cluster(1, 1)] * 15 + [Cluster(0, 1)] * 5)
    assert found.value == 0.75
    assert found.interval == wilson(15, 20)


def test_attempts_that_always_agree_add_no_information():
    once = bounded_mean([Cluster(1, 1)] * 15 + [Cluster(0, 1)] * 5).interval
    tenfold = bounded_mean([Cluster(10, 10)] * 15 + [Cluster(0, 10)] * 5).interval
    assert tenfold.high - tenfold.low >= once.high - once.low


def test_attempts_that_differ_within_a_case_narrow_the_interval():
    once = bounded_mean([Cluster(1, 1)] * 10 + [Cluster(0, 1)] * 10).interval
    spread = bounded_mean([Cluster(6, 10), Cluster(4, 10)] * 10).interval
    assert spread.high - spread.low < (once.high - once.low) / 2


@pytest.mark.parametrize("score", [0.0, 0.9, 1.0])
def test_cases_that_all_agree_still_have_an_interval(score):
    found = bounded_mean([Cluster(3 * score, 3)] * 12)
    assert found.value == pytest.approx(score)
    assert found.interval.high - found.interval.low > 0.1


def test_the_mean_of_nothing_is_unknown():
    assert bounded_mean([]) is None
    assert bounded_mean([Cluster(0, 0)]) is None
    assert unbounded_mean([Cluster(0, 0)]) is None


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 20)), min_size=1, max_size=30))
def test_a_bounded_mean_and_its_interval_stay_within_0_and_1(drawn):
    found = bounded_mean([Cluster(share * size, size) for share, size in drawn])
    assert 0 <= found.interval.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.interval.high <= 1


@pytest.mark.parametrize(("alpha", "beta", "cases"), [(0.3, 0.3, 20), (3.0, 0.3, 30), (4.0, 2.0, 10)])
def test_the_interval_covers_the_truth_in_about_95_of_100_simulated_runs(alpha, beta, cases):
    chance = random.Random(20260101)

    def run() -> list[Cluster]:
        rates = [chance.betavariate(alpha, beta) for _ in range(cases)]
        return [Cluster(sum(chance.random() < rate for _ in range(5)), 5) for rate in rates]

    truth = alpha / (alpha + beta)
    found = [bounded_mean(run()).interval for _ in range(800)]
    coverage = sum(interval.low <= truth <= interval.high for interval in found) / len(found)
    assert 0.92 <= coverage <= 0.99


def test_an_unbounded_mean_has_students_interval():
    # 1, 2, 3: mean 2, error 1/√3, t(2) = 4.3027
    found = unbounded_mean([Cluster(100, 100), Cluster(200, 100), Cluster(300, 100)])
    assert found.value == 2
    assert found.interval.high == pytest.approx(2 + 4.302653 / 3**0.5)
    assert found.interval.low == 0


def test_the_mean_of_one_case_has_no_interval():
    assert unbounded_mean([Cluster(300, 3)]).interval is None


def test_pass_at_1_of_one_case_has_the_wilson_interval():
    found = pass_at_k_of_case(20, 15, 1)
    assert found.value == pytest.approx(0.75)
    assert found.interval == pytest.approx(wilson(15, 20))


@settings(deadline=None)
@given(counts(largest=200))
def test_pass_at_k_of_one_case_lies_within_its_interval(given_counts):
    found = pass_at_k_of_case(*given_counts)
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1


def test_pass_at_k_of_one_case_is_unknown_with_fewer_than_k_samples():
    assert pass_at_k_of_case(2, 1, 3) is None
