"""Rulings by significance: regressed, clean or inconclusive."""

import pytest

from forgetest.statistics.power import Pair
from forgetest.statistics.significance import ComparedCase, weigh


def compared(*pairs):
    return {f"case-{number}": ComparedCase(pair=pair, score_change=pair.change) for number, pair in enumerate(pairs)}


def single(better, worse, same):
    return compared(*[Pair(1, 0, 1, 1)] * better, *[Pair(1, 1, 1, 0)] * worse, *[Pair(1, 1, 1, 1)] * same)


def of_one(cases, threshold=0.05):
    found = weigh({"acme/small": cases}, threshold)
    assert found.ruling == found.models["acme/small"].ruling
    return found.models["acme/small"]


def test_a_drop_that_noise_rarely_makes_is_a_regression():
    found = of_one(single(1, 9, 40))
    assert found.ruling == "regressed"
    assert found.test == "mcnemar"
    assert found.p.worse == pytest.approx(11 / 1024)
    assert found.change.value == pytest.approx(-8 / 50)


def test_a_rise_is_not_a_regression():
    found = of_one(single(9, 1, 40))
    assert found.ruling == "clean"
    assert found.p.better == pytest.approx(11 / 1024)


def test_a_few_cases_are_inconclusive_and_say_what_would_settle_it():
    found = of_one(single(2, 3, 10))
    assert found.ruling == "inconclusive"
    assert found.power < 0.1
    assert found.minimum_detectable_effect > 0.2
    assert found.cases_to_settle > 100


def test_many_cases_of_which_few_change_are_clean():
    found = of_one(single(10, 10, 480))
    assert found.ruling == "clean"
    assert found.at_least > -0.05
    assert found.cases_to_settle is None


@pytest.mark.parametrize("cases", [1, 3, 50])
def test_the_ruling_is_clean_if_no_case_differs(cases):
    assert of_one(single(0, 0, cases), threshold=0.0).ruling == "clean"


def test_with_several_attempts_the_means_of_cases_are_tested():
    found = of_one(compared(*[Pair(5, 5, 5, 3)] * 10, *[Pair(5, 2, 5, 2)] * 10))
    assert found.test == "permutation"
    assert found.p.worse == pytest.approx(2**-10)
    assert found.ruling == "regressed"


def test_one_case_that_breaks_down_is_a_regression_among_any_number_of_others():
    cases = compared(Pair(10, 10, 10, 0), *[Pair(10, 9, 10, 9)] * 99)
    found = weigh({"acme/small": cases}, 0.05)
    assert found.ruling == "regressed"
    assert found.cases["acme/small", "case-0"].regressed
    assert not found.cases["acme/small", "case-1"].regressed
    assert found.models["acme/small"].p.worse > 0.05


def test_single_cases_get_a_share_of_alpha_only_if_they_could_be_significant():
    assert of_one(compared(*[Pair(3, 3, 3, 2)] * 4)).level == pytest.approx(0.05)
    assert of_one(compared(*[Pair(9, 9, 9, 8)] * 4)).level == pytest.approx(0.04)


def test_many_models_need_stronger_evidence():
    worse = single(1, 7, 40)
    alone = weigh({"a": worse}, 0.05)
    among = weigh({"a": worse, **{f"m{number}": single(0, 0, 48) for number in range(9)}}, 0.05)
    assert alone.models["a"].ruling == "regressed"
    assert among.models["a"].ruling != "regressed"
    assert among.models["a"].p_adjusted == pytest.approx(10 * alone.models["a"].p_adjusted)
    assert among.models["a"].power < alone.models["a"].power


def test_the_overall_ruling_is_clean_only_if_every_model_is():
    assert weigh({"a": single(0, 0, 9), "b": single(2, 3, 10)}, 0.05).ruling == "inconclusive"
    assert weigh({"a": single(0, 0, 9), "b": single(0, 0, 9)}, 0.05).ruling == "clean"


def test_cases_with_very_different_numbers_of_attempts_can_be_tested():
    found = of_one(compared(*[Pair(n, n // 2, n + 1, n // 3) for n in range(2, 200)]))
    assert found.ruling == "regressed"


def test_the_mean_score_is_reported_beside_the_pass_rate():
    cases = {f"c{n}": ComparedCase(pair=Pair(1, 0, 1, 0), score_change=-0.25 - n / 100) for n in range(8)}
    found = of_one(cases).score
    assert found.estimate.value == pytest.approx(-0.285)
    assert found.p.worse == pytest.approx(2**-8)
    assert found.estimate.interval.low < -0.285 < found.estimate.interval.high
