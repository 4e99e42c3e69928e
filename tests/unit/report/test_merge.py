"""Merging the reports of shards."""

import io
from dataclasses import replace
from datetime import timedelta

import pytest

from forgetest.errors import UserError
from forgetest.renderers import json as json_renderer
from forgetest.report.merge import Shard, merge
from specimens import a_case, a_report, a_sample, a_verdict, an_eval_set, an_unjudged_sample

CASES = (a_case("a", tags=["easy"]), a_case("b"), a_case("c"))
SAMPLES = [
    a_sample("a", 1),
    a_sample("a", 2, verdict=a_verdict(failed=1)),
    a_sample("b", 1),
    a_sample("b", 2),
    an_unjudged_sample("c", 1),
    a_sample("c", 1, model="zeta/large"),
]


def a_shard(samples, *cases, name="x.json", **further):
    report = a_report(samples, [an_eval_set(*(cases or CASES))], pass_k=(1, 2), **further)
    return Shard(name=name, report=replace(report, id=name))


def text_of(report):
    stream = io.StringIO()
    json_renderer.write(report, stream)
    return stream.getvalue()


def test_shards_of_different_cases_merge_into_the_report_of_all():
    whole = a_report(SAMPLES, [an_eval_set(*CASES)], pass_k=(1, 2))
    found = merge([a_shard(SAMPLES[:2], CASES[0], name="1"), a_shard(SAMPLES[2:], *CASES[1:], name="2")])
    assert found.aggregate == whole.aggregate
    assert list(found.results) == list(whole.results)
    assert found.eval_sets == whole.eval_sets
    assert found.models_evaluated == ("acme/small", "zeta/large")
    assert found.duration_ms == 2 * whole.duration_ms


def test_the_order_of_shards_does_not_matter():
    shards = [a_shard(SAMPLES[:2], name="1"), a_shard(SAMPLES[2:4], name="2"), a_shard(SAMPLES[4:], name="3")]
    assert text_of(merge(shards)) == text_of(merge(shards[::-1]))


def test_merged_cases_keep_the_order_of_the_eval_set_whichever_shard_is_older():
    """Shards created in the same second are ordered by their random ids, which must not decide the order of cases."""
    last, middle, first = CASES[2], CASES[1], CASES[0]
    in_file = (last, middle, first)
    for names in (("1", "2"), ("2", "1")):
        found = merge(
            [a_shard(SAMPLES[4:], last, middle, name=names[0]), a_shard(SAMPLES[:4], middle, first, name=names[1])]
        )
        assert [case.id for case in found.eval_sets[0].cases] == [case.id for case in in_file]
    apart = merge([a_shard(SAMPLES[2:], *CASES[1:], name="1"), a_shard(SAMPLES[:2], CASES[0], name="2")])
    assert [case.id for case in apart.eval_sets[0].cases] == ["a", "b", "c"]


def test_cases_in_contradicting_orders_are_an_error():
    with pytest.raises(UserError, match="the cases of basics are in different orders"):
        merge([a_shard(SAMPLES[:4], CASES[0], CASES[1], name="1"), a_shard(SAMPLES[:4], CASES[1], CASES[0], name="2")])


def test_further_attempts_and_other_models_are_shards_too():
    found = merge([a_shard([SAMPLES[0], SAMPLES[2]], name="1"), a_shard([SAMPLES[1], SAMPLES[5]], name="2")])
    assert [sample.attempt for sample in found.results] == [SAMPLES[place].attempt for place in (0, 1, 2, 5)]


def test_a_result_that_two_shards_share_counts_once():
    slower = replace(SAMPLES[0], total_ms=5000.0)
    found = merge([a_shard([SAMPLES[0]], name="1"), a_shard([slower, SAMPLES[1]], name="2")])
    assert found.aggregate.per_model["acme/small"].asked == 2


def test_a_judged_result_wins_over_an_unjudged_one():
    found = merge([a_shard([an_unjudged_sample("b", 1)], name="1"), a_shard([SAMPLES[2]], name="2")])
    assert [sample.outcome for sample in found.results] == ["judged"]


@pytest.mark.parametrize(
    "other", [a_sample("a", 1, code="fn other() {}"), a_sample("a", 1, verdict=a_verdict(failed=1))]
)
def test_different_results_of_one_attempt_are_an_error_that_names_both(other):
    with pytest.raises(UserError, match=r"basics/a acme/small, attempt 1, is in one\.json and in two\.json"):
        merge([a_shard([SAMPLES[0]], name="one.json"), a_shard([other], name="two.json")])


def test_all_differing_conditions_are_reported():
    first = a_shard([SAMPLES[0]], name="one.json", seed=1, further={"sandbox": "bwrap", "sandbox_version": "0.8"})
    second = a_shard([SAMPLES[1]], name="two.json", seed=2, further={"sandbox": "none", "sandbox_version": "0.9"})
    report = second.report
    changed = replace(report, eval_sets=tuple(replace(each, hash="other") for each in report.eval_sets))
    with pytest.raises(UserError) as raised:
        merge([first, replace(second, report=changed)])
    assert str(raised.value) == (
        "these are not shards of one run:\n"
        "  hash of eval set basics: hash-of-basics in one.json, other in two.json\n"
        "  seed: 1 in one.json, 2 in two.json\n"
        "  sandbox: bwrap in one.json, none in two.json"
    )


def test_shards_may_hold_different_eval_sets():
    other = a_report([a_sample("z", eval_set="more")], [an_eval_set(a_case("z"), name="more")], pass_k=(1, 2))
    later = replace(other, created_at=other.created_at + timedelta(hours=1))
    found = merge([Shard(name="2", report=later), a_shard(SAMPLES[:1], name="1")])
    assert [each.id for each in found.eval_sets] == ["basics", "more"]
    assert found.created_at == other.created_at
