"""Comparing two reports."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.comparison import ChangedCondition, Paired, compare
from forgetest.comparison.scores import CaseScores, ReportScores, ScoredCase
from forgetest.errors import UserError
from forgetest.report.aggregate import CaseId
from specimens import a_report, a_sample


def recorded(cases, *, path="a.json", pass_k=(1,), tags=None, **conditions):
    """A report of `{"case": scores}` or `{("set", "case", "model"): scores}`; a score of 1 is correct."""
    found = {}
    for name, scores in cases.items():
        key = ScoredCase("basics", name, "acme/small") if isinstance(name, str) else ScoredCase(*name)
        scores = (scores,) if isinstance(scores, float) else tuple(scores)
        found[key] = CaseScores(scores=scores, correct=scores.count(1.0))
    return ReportScores(
        path=path,
        id=path,
        created_at="2026-01-01",
        pass_k=pass_k,
        cases=found,
        conditions=conditions,
        tags={CaseId("basics", case): tuple(each) for case, each in (tags or {}).items()},
    )


def names(changes):
    return [change.case_id for change in changes]


def outcome(before, after, threshold=0.05):
    found = compare(recorded({"a": before}), recorded({"a": after}), threshold)
    return next(kind for kind in ("regressions", "improvements", "unchanged") if names(getattr(found, kind)) == ["a"])


def test_a_drop_of_more_than_the_threshold_is_a_regression():
    assert outcome(1.0, 0.94) == "regressions"


def test_a_rise_of_more_than_the_threshold_is_an_improvement():
    assert outcome(0.5, 0.75) == "improvements"


@pytest.mark.parametrize(
    ("before", "after"), [(1.0, 0.95), (0.9, 0.85), (0.65, 0.6), (0.55, 0.5), (0.15, 0.1), (0.45, 0.4)]
)
def test_a_drop_of_exactly_the_threshold_is_not_a_regression(before, after):
    assert outcome(before, after) == "unchanged"
    assert outcome(after, before) == "unchanged"


def test_a_drop_of_a_little_more_than_the_threshold_is_a_regression():
    assert outcome(1.0, 0.949999) == "regressions"


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000))
def test_the_outcome_agrees_with_exact_decimal_arithmetic(before, after, threshold):
    expected = "unchanged"
    if before - after > threshold:
        expected = "regressions"
    elif after - before > threshold:
        expected = "improvements"
    assert outcome(before / 1000, after / 1000, threshold / 1000) == expected


def test_the_means_over_judged_attempts_are_compared():
    found = compare(recorded({"a": [1.0, 1.0, 0.4]}), recorded({"a": [0.4]}), 0.05).regressions[0]
    assert found.baseline == pytest.approx(0.8)
    assert found.delta == pytest.approx(-0.4)
    assert (found.baseline_attempts, found.current_attempts) == (3, 1)


def test_the_worst_regression_and_the_best_improvement_come_first():
    found = compare(
        recorded({"a": 1.0, "b": 1.0, "c": 0.0, "d": 0.0}),
        recorded({"a": 0.9, "b": 0.5, "c": 0.2, "d": 0.9}),
        0.05,
    )
    assert names(found.regressions) == ["b", "a"]
    assert names(found.improvements) == ["d", "c"]


def test_new_missing_and_unjudged_cases_are_named_with_the_reason():
    found = compare(
        recorded({"same": 1.0, "gone": 1.0, "was-unjudged": [], "now-unjudged": 1.0, "never-judged": []}),
        recorded({"same": 1.0, "new": 1.0, "was-unjudged": 1.0, "now-unjudged": [], "never-judged": []}),
        0.05,
    )
    assert {each.case_id: each.reason for each in found.not_comparable} == {
        "gone": "gone",
        "never-judged": "unjudged in both",
        "new": "new",
        "now-unjudged": "unjudged in current",
        "was-unjudged": "unjudged in baseline",
    }
    assert names(found.missing) == ["gone", "never-judged", "now-unjudged", "was-unjudged"]


def test_cases_of_the_same_name_in_two_eval_sets_are_not_mixed():
    before = recorded({("one", "a", "m/x"): 1.0, ("two", "a", "m/x"): 0.0})
    after = recorded({("one", "a", "m/x"): 0.0, ("two", "a", "m/x"): 1.0})
    found = compare(before, after, 0.05)
    assert [each.eval_set_id for each in found.regressions] == ["one"]
    assert [each.eval_set_id for each in found.improvements] == ["two"]


def test_two_single_models_of_different_names_are_paired_and_reported_as_a_pair():
    found = compare(
        recorded({("basics", "a", "acme/small"): 1.0}), recorded({("basics", "a", "zeta/large"): 0.0}), 0.05
    )
    assert found.paired == Paired(baseline="acme/small", current="zeta/large")
    assert found.regressions[0].model == "acme/small → zeta/large"
    assert not found.not_comparable


def test_the_same_single_model_is_not_called_a_pair():
    assert compare(recorded({"a": 1.0}), recorded({"a": 1.0}), 0.05).paired is None


def test_several_models_are_never_paired_by_guessing():
    before = recorded({("basics", "a", "acme/small"): 1.0, ("basics", "a", "acme/tiny"): 1.0})
    after = recorded({("basics", "a", "acme/small"): 1.0, ("basics", "a", "zeta/large"): 0.0})
    found = compare(before, after, 0.05)
    assert found.paired is None
    assert [(each.model, each.reason) for each in found.not_comparable] == [
        ("acme/tiny", "gone"),
        ("zeta/large", "new"),
    ]


@pytest.mark.parametrize(
    ("before", "after", "reasons"),
    [
        ({"a": 1.0}, {"b": 1.0}, "1 gone, 1 new"),
        ({}, {}, "no results"),
    ],
)
def test_reports_without_a_common_case_compare_to_an_empty_result_with_a_warning(before, after, reasons):
    comparison = compare(recorded(before, path="old.json"), recorded(after, path="new.json"), 0.05)
    assert comparison.changes == ()
    assert comparison.ruling == "inconclusive"
    assert comparison.warning.startswith(f"nothing to compare ({reasons}): old.json holds")


def test_reports_with_a_common_case_compare_without_a_warning():
    assert compare(recorded({"a": 1.0}), recorded({"a": 1.0, "b": 1.0}), 0.05).warning is None


def test_common_cases_of_which_none_was_judged_are_an_error_and_not_a_clean_result():
    with pytest.raises(UserError, match=r"nothing to compare \(1 unjudged in current\): old\.json holds"):
        compare(recorded({"a": 1.0}, path="old.json"), recorded({"a": []}, path="new.json"), 0.05)


def test_reports_can_be_compared_without_a_file():
    report = a_report([a_sample("a"), a_sample("b")])
    assert [change.case_id for change in compare(report, report).unchanged] == ["a", "b"]


@pytest.mark.parametrize("threshold", [-0.1, 5, float("nan")])
def test_a_threshold_that_is_not_a_score_is_an_error(threshold):
    with pytest.raises(UserError, match=r"scores lie in 0\.\.1"):
        compare(recorded({"a": 1.0}), recorded({"a": 1.0}), threshold)


def test_changed_conditions_are_listed():
    before = recorded({"a": 1.0}, toolchain="rustc 1.94", sandbox="bwrap", **{"eval set basics": "h1"})
    after = recorded({"a": 1.0}, toolchain="rustc 1.95", sandbox="bwrap", **{"eval set basics": None})
    assert compare(before, after, 0.05).changed_conditions == (
        ChangedCondition(name="toolchain", baseline="rustc 1.94", current="rustc 1.95"),
        ChangedCondition(name="eval set basics", baseline="h1", current=None),
    )


def test_an_eval_set_in_only_one_report_is_not_a_changed_condition():
    before = recorded({"a": 1.0}, **{"eval set more": "h1"})
    assert compare(before, recorded({"a": 1.0}), 0.05).changed_conditions == ()


def test_the_summary_of_a_model_is_over_the_cases_that_are_compared():
    before = recorded({"a": [1.0, 0.4], "gone": [0.0, 0.0]}, pass_k=(1, 2))
    after = recorded({"a": [1.0, 1.0], "new": 0.0})
    (found,) = compare(before, after, 0.05).models
    assert (found.model, found.cases) == ("acme/small", 1)
    assert (found.baseline.mean_score.value, found.current.mean_score.value) == (pytest.approx(0.7), 1.0)
    assert found.baseline.pass_at_k[1].estimate.value == pytest.approx(0.5)
    assert found.current.pass_at_k[2].estimate.value == 1.0


def test_a_report_compared_with_itself_shows_no_change():
    same = recorded({"a": [1.0, 0.3], "b": 0.1, "c": []})
    found = compare(same, same, 0.0)
    assert names(found.unchanged) == ["a", "b"]
    assert not found.regressions
    assert not found.improvements
    assert found.ruling == "clean"


def test_the_summary_of_a_tag_is_over_its_cases_that_are_compared():
    tags = {"a": ["easy"], "b": ["easy", "hard"], "gone": ["hard"]}
    before = recorded({"a": 1.0, "b": 0.0, "gone": 1.0}, tags=tags)
    after = recorded({"a": 0.0, "b": 1.0}, tags=tags)
    found = {each.tag: each for each in compare(before, after, 0.05).tags}
    assert {tag: each.cases for tag, each in found.items()} == {"easy": 2, "hard": 1}
    assert (found["hard"].baseline.mean_score.value, found["hard"].current.mean_score.value) == (0.0, 1.0)


def test_tags_known_from_one_report_only_are_used_for_both():
    found = compare(recorded({"a": 1.0}), recorded({"a": 1.0}, tags={"a": ["easy"]}), 0.05)
    assert [each.tag for each in found.tags] == ["easy"]


def test_one_case_is_a_regression_by_threshold_but_may_be_noise_by_significance():
    before = recorded({f"c{number}": 1.0 for number in range(20)})
    after = recorded({f"c{number}": 0.0 if number == 0 else 1.0 for number in range(20)})
    assert compare(before, after, 0.05).regressed
    assert not compare(before, after, 0.05, "significant").regressed
    assert compare(before, after, 0.05, "significant").ruling == "inconclusive"


def test_many_dropping_cases_are_a_regression_by_significance():
    before = recorded({f"c{number}": 1.0 for number in range(20)})
    after = recorded({f"c{number}": 0.0 if number < 6 else 1.0 for number in range(20)})
    assert compare(before, after, 0.05, "significant").regressed
