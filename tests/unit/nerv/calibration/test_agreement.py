from __future__ import annotations

from itertools import product
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.calibration.agreement import (
    agreement,
    auc,
    average_ranks,
    mean_absolute_error,
    mean_error,
    rank_correlation,
    weighted_kappa,
)

SCORES = st.integers(10, 100).map(lambda tenths: tenths / 10)
OUTCOMES = st.lists(st.tuples(SCORES, st.sampled_from([0.0, 1.0])), min_size=2, max_size=30)


@given(OUTCOMES)
def test_auc_is_the_share_of_pairs_in_the_right_order(pairs: list[tuple[float, float]]) -> None:
    good = [score for score, truth in pairs if truth]
    bad = [score for score, truth in pairs if not truth]
    if not good or not bad:
        assert auc(pairs) is None
        return
    won = sum((one > other) + (one == other) / 2 for one, other in product(good, bad))
    found = auc(pairs)
    assert found is not None
    assert isclose(found, won / len(good) / len(bad))


def test_a_score_that_says_nothing_is_a_coin() -> None:
    assert auc([(5.0, 1.0), (5.0, 0.0), (5.0, 1.0)]) == 0.5


def test_equal_values_share_their_ranks() -> None:
    assert average_ranks([3.0, 1.0, 3.0, 2.0]) == [3.5, 1.0, 3.5, 2.0]


@given(st.lists(SCORES, min_size=3, max_size=20, unique=True))
def test_the_same_order_has_rank_correlation_one(scores: list[float]) -> None:
    found = rank_correlation([(score, score**3) for score in scores])
    assert found is not None
    assert isclose(found, 1.0)
    reverse = rank_correlation([(score, -score) for score in scores])
    assert reverse is not None
    assert isclose(reverse, -1.0)


def test_a_constant_score_has_no_rank_correlation() -> None:
    assert rank_correlation([(5.0, 1.0), (5.0, 2.0)]) is None


def test_weighted_kappa_of_a_published_example() -> None:
    """Two raters, ratings 1 to 3: by hand, observed 6/10 and expected 1.2, so kappa is 1 - 0.6 / 1.2."""
    pairs = [(1, 1), (1, 1), (1, 2), (2, 2), (2, 2), (2, 3), (3, 3), (3, 3), (3, 1), (1, 1)]
    ours, theirs = zip(*pairs, strict=True)
    observed = sum((a - b) ** 2 for a, b in pairs) / 10
    expected = sum((a - b) ** 2 for a in ours for b in theirs) / 100
    assert weighted_kappa([(float(a), float(b)) for a, b in pairs]) == pytest.approx(1 - observed / expected)
    assert observed == pytest.approx(0.6)


def test_perfect_agreement_has_kappa_one_and_no_error() -> None:
    pairs = [(2.0, 2.0), (9.0, 9.0)]
    assert weighted_kappa(pairs) == 1
    assert (mean_error(pairs), mean_absolute_error(pairs)) == (0, 0)


def test_errors_have_a_sign_and_a_size() -> None:
    pairs = [(8.0, 6.0), (5.0, 6.0)]
    assert mean_error(pairs) == 0.5
    assert mean_absolute_error(pairs) == 1.5


@given(OUTCOMES)
def test_intervals_hold_their_value_and_are_repeatable(pairs: list[tuple[float, float]]) -> None:
    found = agreement(mean_error, pairs, resamples=50)
    assert found == agreement(mean_error, pairs, resamples=50)
    if found.low is not None and found.high is not None:
        assert found.low <= found.high


def test_a_handful_of_runs_has_no_interval() -> None:
    assert agreement(auc, [(8.0, 1.0), (2.0, 0.0)]).low is None


@pytest.mark.parametrize("score", [9.0, 5.0])
def test_an_interval_without_width_is_none(score: float) -> None:
    """Six runs in the right order, or six equal scores, do not make any figure certain."""
    found = agreement(auc, [(score, 1.0)] * 3 + [(5.0, 0.0)] * 3)
    assert (found.low, found.high) == (None, None)


def test_half_a_point_is_rounded_up_for_kappa() -> None:
    assert weighted_kappa([(2.5, 3.0), (8.5, 9.0), (4.5, 5.0)]) == 1.0


def test_more_runs_have_a_narrower_interval() -> None:
    few = [(7.0, 1.0), (6.0, 0.0), (5.0, 1.0), (4.0, 0.0), (8.0, 1.0), (3.0, 0.0)]
    narrow, wide = agreement(auc, few * 10), agreement(auc, few)
    assert narrow.low is not None
    assert wide.low is not None
    assert narrow.low > wide.low
