"""Scorecards: exact arithmetic, exact layout, and the written report."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import pytest

from nerv.cli.score import exit_code
from nerv.location import Location
from nerv.renderers.text import card_text
from nerv.rubric import WEIGHTS
from nerv.scorecard import CATEGORIES, CategoryScore, Criterion, Observation, Scorecard, score_report
from nerv.scorecard.score_report import Opinion, ScoreReport
from nerv.verification.result import Verification


def category(key, score, **more):
    status = "scored" if score is not None else "not_recorded"
    return CategoryScore(
        key=key, criteria=(Criterion(key="only", share=100, status=status, score=score, reason="r", **more),)
    )


def card(*scores, threshold="7"):
    categories = tuple(category(key, score) for key, score in zip(CATEGORIES, scores, strict=True))
    return Scorecard(categories=categories, weights=WEIGHTS, threshold=Fraction(threshold))


def report(the_card, **more):
    return ScoreReport(card=the_card, benchmark_dir="d", created_at="2026-01-01T00:00:00Z", mode="rules", **more)


EXACT = """\
============================================================
  NERV Benchmark Scores
============================================================

  Implementation Quality   8/10  (30%)
  Workflow Quality         8/10  (20%)
  Efficiency               7/10  (20%)
  User Experience          9/10  (30%)
  Overall Score            ████████░░ 8.1/10

------------------------------------------------------------
  Pass threshold: 7/10
  Result: PASS
============================================================
"""


VERIFIED = Verification(accepted=True)


def test_the_layout_is_exact_to_the_byte():
    assert card_text(report(card(8, 8, 7, 9), verification=VERIFIED)).encode() == EXACT.encode()


@pytest.mark.parametrize("verification", [None, Verification(skipped="there is no repository")])
def test_a_pass_without_a_test_run_of_our_own_says_so_and_changes_nothing_else(verification):
    expected = EXACT.replace("Result: PASS", "Result: PASS (unverified)")
    assert card_text(report(card(8, 8, 7, 9), verification=verification)) == expected


def test_mock_scores_are_not_called_unverified():
    mock = replace(report(card(8, 8, 7, 9)), mode="mock")
    assert card_text(mock) == EXACT


def test_the_layout_with_tens_and_a_fail_is_exact():
    expected = """\
============================================================
  NERV Benchmark Scores
============================================================

  Implementation Quality   10/10 (30%)
  Workflow Quality         10/10 (20%)
  Efficiency               1/10  (20%)
  User Experience          3/10  (30%)
  Overall Score            ██████░░░░ 6.1/10

------------------------------------------------------------
  Pass threshold: 7.5/10
  Result: FAIL
============================================================
"""
    assert card_text(report(card(10, 10, 1, 3, threshold="7.5"))).encode() == expected.encode()


@pytest.mark.parametrize(
    ("scores", "bar", "overall"),
    [
        ((10, 10, 10, 10), "██████████", "10.0"),
        ((1, 1, 1, 1), "█░░░░░░░░░", "1.0"),
        ((5, 7, 6, 8), "███████░░░", "6.5"),  # half a cell is a cell
        ((5, 6, 6, 8), "██████░░░░", "6.3"),
    ],
)
def test_the_bar_is_the_score_rounded_half_up(scores, bar, overall):
    assert f"{bar} {overall}/10" in card_text(report(card(*scores)))


def test_exit_code_and_overall_agree_with_whole_numbers_for_all_10000_combinations():
    for a, b, c, d in itertools.product(range(1, 11), repeat=4):
        tenths = 3 * a + 2 * b + 2 * c + 3 * d
        the_card = card(a, b, c, d)
        assert exit_code(the_card) == (0 if tenths >= 70 else 1)
        assert the_card.overall == tenths / 10


def test_a_threshold_is_taken_exactly():
    assert card(7, 8, 8, 7, threshold="7.4").passed
    assert not card(7, 8, 8, 7, threshold="7.41").passed


def test_a_category_is_rounded_half_up_in_whole_numbers():
    def mean_of(*pairs):
        criteria = tuple(
            Criterion(key=f"c{number}", share=share, status="scored", score=score, reason="")
            for number, (share, score) in enumerate(pairs)
        )
        return CategoryScore(key="efficiency", criteria=criteria).score

    assert mean_of((50, 7), (50, 8)) == 8
    assert mean_of((35, 7), (25, 7), (25, 7), (15, 8)) == 7
    assert mean_of((30, 1), (30, 2), (20, 1), (20, 1)) == 1


def test_an_unrecorded_category_has_no_score_and_is_named_in_the_first_line():
    the_card = card(8, None, 8, 8)
    text = card_text(report(the_card))
    assert text.splitlines()[0] == (
        "Partly scored: nothing is recorded of Workflow Quality (20%); the overall score is the mean of the others."
    )
    assert "  Workflow Quality         n/a   (20%)\n" in text
    assert (the_card.overall, the_card.passed) == (8.0, True)


def test_a_score_that_only_rounding_lifts_to_the_threshold_says_why_it_fails():
    text = card_text(report(card(7, None, 5, 9, threshold="7.3")))
    assert "7.3/10\n" in text
    assert "Result: FAIL (7.25 before rounding)\n" in text


def test_with_less_than_half_of_the_weight_recorded_there_is_no_pass():
    assert card(10, None, 10, None).passed
    less = card(10, None, None, None)
    assert not less.passed
    assert exit_code(less) == 1
    assert "Result: not enough recorded (" in card_text(report(less))
    nothing = card(None, None, None, None)
    assert (nothing.overall, nothing.passed) == (None, False)
    assert "n/a" in card_text(report(nothing))


def test_a_verified_run_needs_only_a_third_of_the_weight():
    less = card(10, None, None, None)
    assert replace(less, least_recorded=Fraction(3, 10)).passed
    text = card_text(report(replace(card(None, None, 10, None), least_recorded=Fraction(1, 3))))
    assert "Result: not enough recorded (20% of the weight, and a third is needed)" in text


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({"failure_is_shown": False}, "not enough recorded (30% of the weight, and half is needed)"),
        ({"failure_is_shown": True}, "FAIL"),
        ({"failure_is_shown": False, "vetoes": ("It broke a test.",)}, "FAIL"),
        ({"failure_is_shown": False, "least_recorded": Fraction(3, 10)}, "FAIL"),
    ],
)
def test_a_low_score_over_a_small_record_is_a_fail_only_if_something_shows_it(changes, result):
    low = replace(card(3, None, None, None), **changes)
    assert exit_code(low) == 1
    assert f"  Result: {result}\n" in card_text(report(low))


def test_criteria_that_are_not_recorded_count_as_weight_that_is_missing():
    def half_known(key):
        known = Criterion(key="known", share=40, status="scored", score=10, reason="")
        unknown = Criterion(key="unknown", share=60, status="not_recorded", score=None, reason="")
        return CategoryScore(key=key, criteria=(known, unknown))

    the_card = Scorecard(categories=tuple(half_known(key) for key in CATEGORIES), weights=WEIGHTS)
    assert the_card.recorded == Fraction(2, 5)
    assert not the_card.passed


def test_a_criterion_that_does_not_apply_does_not_count_as_unrecorded():
    def half_applies(key):
        counts = Criterion(key="counts", share=40, status="scored", score=8, reason="")
        idle = Criterion(key="idle", share=60, status="not_applicable", score=None, reason="")
        return CategoryScore(key=key, criteria=(counts, idle))

    the_card = Scorecard(categories=tuple(half_applies(key) for key in CATEGORIES), weights=WEIGHTS)
    assert the_card.recorded == 1
    assert the_card.passed


def test_the_json_report_has_the_documented_fields():
    location = Location(file="event-log.jsonl", line=7)
    shown = category(
        "efficiency", 4, observations=(Observation(text="a compaction", location=location),), advice="do less"
    )
    categories = tuple(shown if key == "efficiency" else category(key, 8) for key in CATEGORIES)
    made = report(Scorecard(categories=categories, weights=WEIGHTS), inputs={"spec.md": "0" * 64}, warnings=("w",))
    found = json.loads(score_report.encode(made))
    assert {"format_version", "benchmark_dir", "created_at", "mode", "inputs", "warnings", "versions"} <= set(found)
    assert found["scores"] == {
        "implementation_quality": 8,
        "workflow_quality": 8,
        "efficiency": 4,
        "user_experience": 8,
    }
    assert (found["overall"], found["threshold"], found["passed"]) == (7.2, 7, True)
    assert found["weights"] == {
        "implementation_quality": 0.3,
        "workflow_quality": 0.2,
        "efficiency": 0.2,
        "user_experience": 0.3,
    }
    efficiency = found["categories"]["efficiency"]
    assert (efficiency["score"], efficiency["mean"]) == (4, 4.0)
    assert efficiency["weaknesses"] == ["only: r"]
    assert efficiency["evidence"] == "a compaction (event-log.jsonl:7)"
    (criterion,) = efficiency["criteria"]
    assert {key: criterion[key] for key in ("key", "score", "share", "applies", "reason", "evidence")} == {
        "key": "only",
        "score": 4,
        "share": 100,
        "applies": True,
        "reason": "r",
        "evidence": [{"text": "a compaction", "file": "event-log.jsonl", "line": 7}],
    }


def test_an_explanation_names_evidence_location_and_advice():
    shown = category(
        "efficiency",
        4,
        observations=(Observation(text="9 compactions", location=Location(file="event-log.jsonl", line=7)),),
        advice="smaller tasks",
    )
    categories = tuple(shown if key == "efficiency" else category(key, 8) for key in CATEGORIES)
    text = card_text(report(Scorecard(categories=categories, weights=WEIGHTS)), explain=True)
    assert "Weak:   only" in text
    assert "- 9 compactions (event-log.jsonl:7)" in text
    assert "To raise it: smaller tasks" in text
    assert "What would raise the score most:\n    1. only: smaller tasks" in text


def test_text_from_a_log_cannot_move_the_cursor():
    shown = category("efficiency", 4, observations=(Observation(text="\x1b[2J\x07 boo"),))
    categories = tuple(shown if key == "efficiency" else category(key, 8) for key in CATEGORIES)
    text = card_text(report(Scorecard(categories=categories, weights=WEIGHTS)), explain=True)
    assert "\x1b" not in text
    assert "\x07" not in text


def test_the_results_of_judge_and_rules_are_both_shown():
    judged = report(
        card(9, 8, 8, 8),
        opinions={
            "implementation_quality": Opinion(strengths=("clear names",), weaknesses=("no tests",), evidence="a.py")
        },
        rules=card(4, 8, 8, 8),
    )
    text = card_text(judged, explain=True)
    assert "+ clear names" in text
    assert "- no tests" in text
    assert "The rules say 4/10, the judge 5 more; such a large difference" in text
    assert json.loads(score_report.encode(judged))["rules"]["scores"]["implementation_quality"] == 4
