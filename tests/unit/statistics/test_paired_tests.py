"""Paired tests against SciPy, statsmodels and plain enumeration.

SciPy and statsmodels are imported by the tests that use them: every process that collects tests would need seconds.
"""

from itertools import product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.statistics import paired_tests
from forgetest.statistics.paired_tests import best_possible, binomial_tail, fisher, holm, sign_flip

differences = st.lists(st.integers(-12, 12), min_size=1, max_size=12)


def enumerated(values):
    """The permutation test by its definition: every choice of signs."""
    sums = [sum(sign * abs(each) for sign, each in zip(signs, values, strict=True)) for signs in signs_of(values)]
    reached = sum(values)
    return sum(each <= reached for each in sums) / len(sums), sum(each >= reached for each in sums) / len(sums)


def signs_of(values):
    return product((-1, 1), repeat=len(values))


@settings(deadline=None)
@given(differences)
def test_the_permutation_test_agrees_with_enumerating_every_choice_of_signs(values):
    assert sign_flip(values) == pytest.approx(enumerated(values), abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=12))
def test_differences_of_many_sizes_agree_with_enumerating_every_choice_of_signs(values):
    assert sign_flip(values) == pytest.approx(enumerated(values), abs=1e-12)


def test_the_permutation_test_agrees_with_scipy():
    import numpy as np
    from scipy import stats

    values = [3, -1, 4, -5, 0, -2, -6, 5, -3, -5]
    for alternative, found in zip(("less", "greater"), sign_flip(values), strict=True):
        theirs = stats.permutation_test(
            (np.array(values, float),), np.sum, permutation_type="samples", alternative=alternative, n_resamples=5000
        )
        assert found == pytest.approx(theirs.pvalue, abs=1e-12)


def test_with_one_attempt_per_case_it_is_a_binomial_test_of_the_cases_that_differ():
    from scipy import stats

    found = sign_flip([1] * 5 + [-1] * 14 + [0] * 40)
    assert 2 * min(found) == pytest.approx(stats.binomtest(5, 5 + 14).pvalue, abs=1e-12)


@pytest.mark.slow
def test_with_one_attempt_per_case_it_is_mcnemars_exact_test():
    from statsmodels.stats.contingency_tables import mcnemar

    better, worse, same = 5, 14, 40
    found = sign_flip([1] * better + [-1] * worse + [0] * same)
    theirs = mcnemar([[20, worse], [better, 20]], exact=True).pvalue
    assert 2 * min(found) == pytest.approx(theirs, abs=1e-12)


@settings(deadline=None)
@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_binomial_tail_agrees_with_scipy(drawn):
    from scipy import stats

    trials, reached = drawn
    assert binomial_tail(trials, reached) == pytest.approx(
        stats.binom.sf(reached - 1, trials, 0.5), rel=1e-9, abs=1e-12
    )


def test_the_normal_approximation_beyond_exact_counting_is_accurate(monkeypatch):
    sizes = [each for each in range(1, 60) for _ in range(3)]
    values = [each if place % 7 in (0, 2, 4) else -each for place, each in enumerate(sizes)]
    exact = sign_flip(values)
    monkeypatch.setattr(paired_tests, "_EXACT_BITS", 0)
    assert sign_flip(values) == pytest.approx(exact, abs=1e-3)
    assert 0.01 < exact.worse < 0.1
    monkeypatch.setattr(paired_tests, "_EXACT_BINOMIAL", 0)
    assert binomial_tail(1000, 530) == pytest.approx(sum(comb(1000, k) for k in range(530, 1001)) / 2**1000, rel=0.01)


def test_without_differences_the_p_values_are_1():
    assert sign_flip([0, 0, 0]) == (1.0, 1.0)
    assert sign_flip([]) == (1.0, 1.0)


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 12)] * 4))
def test_fishers_test_agrees_with_scipy(table):
    from scipy import stats

    old, old_wrong, new, new_wrong = table
    if old + old_wrong and new + new_wrong:
        found = fisher((old + old_wrong, old), (new + new_wrong, new))
        for alternative, mine in (("less", found.worse), ("greater", found.better)):
            theirs = stats.fisher_exact([[new, new_wrong], [old, old_wrong]], alternative=alternative).pvalue
            assert mine == pytest.approx(theirs, abs=1e-12)


def test_the_smallest_possible_p_value_is_that_of_all_against_none():
    assert best_possible(5, 4) == fisher((5, 5), (4, 0)).worse


def rejected_by_holm(p_values, level):
    """The procedure by its definition: the smallest p-values, until one is too large for its place."""
    rejected = set()
    for place, number in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[number] > level / (len(p_values) - place):
            break
        rejected.add(number)
    return rejected


@settings(deadline=None)
@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=20))
def test_a_corrected_p_value_is_the_smallest_level_at_which_holms_procedure_rejects(p_values):
    for number, corrected in enumerate(holm(p_values)):
        assert number in rejected_by_holm(p_values, corrected * (1 + 1e-9)) or corrected == 1
        assert number not in rejected_by_holm(p_values, corrected * (1 - 1e-9))


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holms_correction_agrees_with_statsmodels(p_values):
    from statsmodels.stats.multitest import multipletests

    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]), abs=1e-12)


def test_holms_correction_of_no_p_values_is_empty():
    assert holm([]) == []
