"""Power and detectable drops, against SciPy and their definitions; test_simulations.py checks them by simulation."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.statistics.intervals import t90, t95
from forgetest.statistics.power import (
    Pair,
    Spread,
    attempts_to_settle,
    cases_to_settle,
    minimum_detectable_effect,
    paired_change,
    power,
)

pairs = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
        lambda n: st.builds(Pair, st.just(n[0]), st.integers(0, n[0]), st.just(n[1]), st.integers(0, n[1]))
    ),
    min_size=1,
    max_size=30,
)


def single(better, worse, same):
    """One attempt per case."""
    return [Pair(1, 0, 1, 1)] * better + [Pair(1, 1, 1, 0)] * worse + [Pair(1, 1, 1, 1)] * same


@settings(deadline=None)
@given(pairs)
def test_the_change_lies_within_its_interval(found):
    change = paired_change(found)
    low, high = change.estimate.interval
    assert -1 <= low <= change.at_least <= change.estimate.value + 1e-12
    assert change.estimate.value - 1e-12 <= high <= 1


def test_the_interval_is_that_of_agresti_and_min_with_students_quantile():
    # b = 10, c = 4, n = 60: half a pair is added to each of the four cells
    change = paired_change(single(10, 4, 46))
    n, b, c = 62, 10.5, 4.5
    error = ((b + c) - (b - c) ** 2 / n) ** 0.5 / n
    assert change.estimate.value == pytest.approx(6 / 60)
    assert change.estimate.interval == pytest.approx(((b - c) / n - t95(59) * error, (b - c) / n + t95(59) * error))
    assert change.at_least == pytest.approx((b - c) / n - t90(59) * error)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 8, 20, 100, 5000])
def test_students_quantiles_agree_with_scipy(freedom):
    from scipy import stats

    assert t95(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=3e-4)
    assert t90(freedom) == pytest.approx(stats.t.ppf(0.95, freedom), rel=3e-4)


@pytest.mark.parametrize(("cases", "drop", "discordant"), [(100, 0.1, 0.25), (200, 0.1, 0.3), (400, 0.05, 0.2)])
def test_the_power_with_one_attempt_per_case_is_that_of_mcnemars_test(cases, drop, discordant):
    """Against the exact sum over all tables, with SciPy."""
    import numpy as np
    from scipy import stats

    level, exact = 0.05, 0.0
    for differing in range(1, cases + 1):
        of_these = stats.binom.pmf(differing, cases, discordant)
        reached = np.arange(differing + 1)
        rejected = stats.binom.sf(reached - 1, differing, 0.5) <= level
        worse = stats.binom.pmf(reached, differing, (discordant + drop) / 2 / discordant)
        exact += of_these * worse[rejected].sum()
    spread = Spread(cases=cases, variance=discordant - drop**2, within=None, coarseness=1.0)
    assert power(drop, spread, level) == pytest.approx(exact, abs=0.03)


spreads = st.builds(
    Spread,
    cases=st.integers(2, 400),
    variance=st.floats(0.001, 0.5),
    within=st.floats(0, 0.25),
    coarseness=st.floats(0.05, 1),
)


@settings(deadline=None)
@given(spreads, st.floats(0.01, 0.5))
def test_more_cases_and_larger_drops_are_found_more_often(spread, drop):
    found = power(drop, spread, 0.05)
    assert 0 <= found <= 1
    assert power(drop, replace(spread, cases=2 * spread.cases), 0.05) >= found - 1e-9
    assert power(drop, spread, 0.01) <= found + 1e-9


@settings(deadline=None)
@given(spreads)
def test_the_detectable_drop_is_the_smallest_found_in_80_of_100_comparisons(spread):
    found = minimum_detectable_effect(spread, 0.05)
    if found is None:
        assert power(0.999, spread, 0.05) < 0.8  # the largest drop that is looked at
    else:
        assert power(found, spread, 0.05) >= 0.8
        assert found < 0.0015 or power(found - 0.001, spread, 0.05) < 0.8


@settings(deadline=None)
@given(spreads, st.floats(0.02, 0.3))
def test_the_number_of_cases_needed_is_the_smallest_with_enough_power(spread, drop):
    cases = cases_to_settle(drop, spread, 0.05)
    assert power(drop, replace(spread, cases=cases), 0.05) >= 0.8
    assert cases == 1 or power(drop, replace(spread, cases=cases - 1), 0.05) < 0.8


def test_more_attempts_help_only_against_variation_within_cases():
    flickering = Spread(cases=60, variance=0.1, within=0.25, coarseness=0.2)
    differing = replace(flickering, variance=0.3, within=0.0)
    assert attempts_to_settle(0.1, flickering, 0.05) is not None
    assert attempts_to_settle(0.1, differing, 0.05) is None
    assert attempts_to_settle(0.1, replace(flickering, within=None), 0.05) is None


def test_no_number_of_cases_or_attempts_settles_a_drop_of_0():
    spread = paired_change(single(3, 3, 30)).spread
    assert cases_to_settle(0.0, spread, 0.05) is None
    assert attempts_to_settle(0.0, spread, 0.05) is None


def test_variation_within_cases_is_unknown_with_one_attempt_per_case():
    assert paired_change(single(3, 3, 30)).spread.within is None
    # 2 of 4 correct: variance of one attempt 2·2 / (4·3)
    assert paired_change([Pair(4, 2, 4, 2)] * 5).spread.within == pytest.approx(1 / 3)
