"""Summaries per model, per case and per tag."""

from dataclasses import replace

import pytest

from forgetest.report import asked_cases
from forgetest.report.aggregate import CaseId, aggregate
from forgetest.sample import Usage
from forgetest.statistics.intervals import wilson
from specimens import (
    ReiterableSamples,
    a_case,
    a_refusal,
    a_report,
    a_sample,
    a_verdict,
    an_eval_set,
    an_unjudged_sample,
)

BROKEN = a_verdict(compiled=False)
HALF = a_verdict(passed=2, failed=2)


def asked_of(eval_sets):
    return asked_cases(a_report([], eval_sets).eval_sets)


def of_model(samples, *eval_sets, model="acme/small", pass_k=(1,)):
    return aggregate(samples, asked_of(eval_sets), pass_k).per_model[model]


def test_the_compilation_rate_is_the_share_of_judged_samples():
    found = of_model([a_sample("a"), a_sample("b", verdict=BROKEN), a_refusal("c"), an_unjudged_sample("d")])
    assert found.compilation_rate.value == pytest.approx(1 / 3)
    assert found.compilation_rate.interval == wilson(1, 3)


def test_the_test_pass_rate_is_averaged_over_cases_and_counts_what_does_not_compile_as_0():
    found = of_model([a_sample("a", 1), a_sample("a", 2, verdict=BROKEN), a_sample("b", 1, verdict=HALF)])
    assert found.mean_test_pass_rate.value == pytest.approx((0.5 + 0.5) / 2)


def test_the_test_pass_rate_leaves_out_cases_that_ask_for_no_tests():
    asked = an_eval_set(a_case("a"), a_case("b", should_pass_tests=False), a_case("c", should_compile=False))
    samples = [
        a_sample("a", verdict=HALF),
        a_sample("b", verdict=a_verdict(passed=0)),
        a_sample("c", verdict=BROKEN),
    ]
    assert of_model(samples, asked).mean_test_pass_rate.value == 0.5


def test_the_mean_score_is_over_judged_samples():
    found = of_model([a_sample("a", 1), a_sample("a", 2), a_sample("b", verdict=BROKEN), an_unjudged_sample("c")])
    assert found.mean_score.value == pytest.approx(2 / 3)


def test_unjudged_samples_are_counted_and_excluded_from_every_rate():
    found = of_model([an_unjudged_sample("a", 1), an_unjudged_sample("a", 2)], pass_k=(1,))
    assert (found.asked, found.judged, found.unjudged) == (2, 0, 2)
    assert found.mean_score is found.compilation_rate is found.mean_test_pass_rate is None
    assert found.pass_at_k[1].estimate is None


def test_pass_at_k_is_over_the_cases_with_enough_judged_samples():
    samples = [
        a_sample("a", 1),
        a_sample("a", 2, verdict=BROKEN),
        a_sample("b", 1),
        an_unjudged_sample("b", 2),
    ]
    found = of_model(samples, pass_k=(1, 2)).pass_at_k
    assert (found[1].estimate.value, found[1].known, found[1].total) == (0.75, 2, 2)
    assert (found[2].estimate.value, found[2].known, found[2].total) == (1.0, 1, 2)


def test_a_case_without_any_sample_still_counts_towards_the_total():
    found = of_model([a_sample("a")], an_eval_set(a_case("a"), a_case("never-tried")))
    assert (found.pass_at_k[1].known, found.pass_at_k[1].total) == (1, 2)


def test_a_cost_that_is_never_known_is_unknown_and_not_0():
    free = a_sample(usage=Usage())
    assert of_model([free]).cost_usd.value is None


def test_a_partly_known_cost_states_for_how_many_samples_it_is_known():
    samples = [a_sample("a", 1), a_sample("a", 2), a_sample("a", 3, usage=Usage(prompt_tokens=7))]
    found = of_model(samples)
    assert found.cost_usd.value == pytest.approx(0.002)
    assert (found.cost_usd.known, found.cost_usd.total) == (2, 3)
    assert (found.prompt_tokens.value, found.completion_tokens.value) == (207, 40)


def test_latency_is_the_mean_over_timed_requests():
    samples = [a_sample("a", latency_ms=100.0), a_sample("b", latency_ms=300.0), an_unjudged_sample("c")]
    assert of_model(samples).mean_latency_ms.value == 200.0


def test_models_are_summarised_separately():
    found = aggregate([a_sample("a", model="acme/small"), a_refusal("a", model="zeta/large")], {}, (1,))
    assert {model: each.mean_score.value for model, each in found.per_model.items()} == {
        "acme/small": 1.0,
        "zeta/large": 0.0,
    }


def test_cases_of_the_same_name_in_two_eval_sets_are_two_cases():
    found = aggregate([a_sample("a", eval_set="one"), a_refusal("a", eval_set="two")], {}, (1,))
    assert found.per_case[CaseId("one", "a")]["acme/small"].mean_score.value == 1.0
    assert found.per_case[CaseId("two", "a")]["acme/small"].mean_score.value == 0.0
    assert found.per_model["acme/small"].pass_at_k[1].total == 2


def test_a_case_has_pass_at_k_and_the_mean_score_over_its_attempts():
    samples = [a_sample("a", 1), a_sample("a", 2, verdict=HALF), an_unjudged_sample("a", 3)]
    found = aggregate(samples, {}, (1, 2, 3)).per_case[CaseId("basics", "a")]["acme/small"]
    assert (found.asked, found.judged, found.correct) == (3, 2, 1)
    assert found.mean_score.value == pytest.approx(0.875)
    assert found.pass_at_k[1].value == pytest.approx(0.5)
    assert found.pass_at_k[2].value == 1.0
    assert found.pass_at_k[3] is None


def test_a_tag_is_summarised_like_a_model_over_its_cases():
    asked = an_eval_set(a_case("a", tags=["maths"]), a_case("b", tags=["maths", "text"]), a_case("c"))
    samples = [a_sample("a"), a_sample("b", verdict=BROKEN), a_sample("c")]
    found = aggregate(samples, asked_of([asked]), (1,)).per_tag
    assert list(found) == ["maths", "text"]
    assert found["maths"]["acme/small"].mean_score.value == 0.5
    assert found["text"]["acme/small"].pass_at_k[1].total == 1


def test_one_pass_over_the_samples_is_enough():
    samples = ReiterableSamples([a_sample("a"), a_sample("b")])
    aggregate(samples, {}, (1, 5))
    assert samples.passes == 1


@pytest.mark.parametrize("second", [a_sample("a"), a_sample("b")])
def test_unsorted_or_repeated_samples_are_a_bug(second):
    with pytest.raises(ValueError, match="not sorted, or there twice"):
        aggregate([a_sample("b"), second], {}, (1,))


def test_a_judged_sample_without_a_score_is_a_bug():
    with pytest.raises(ValueError, match="without a score"):
        aggregate([replace(a_sample(), score=None)], {}, (1,))
