"""The CSV report: one row per sample."""

import csv
import io

import pytest

from forgetest.renderers import csv as renderer
from forgetest.verdict import Controls
from specimens import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample


def rows(*samples):
    stream = io.StringIO(newline="")
    renderer.write(a_report(samples), stream)
    stream.seek(0)
    return list(csv.DictReader(stream))


def test_every_sample_is_one_row():
    found = rows(a_sample("a", 1), a_sample("a", 2), an_unjudged_sample("b"))
    assert [(row["case_id"], row["attempt"]) for row in found] == [("a", "1"), ("a", "2"), ("b", "1")]


def test_a_row_has_the_results_of_its_sample():
    (row,) = rows(a_sample(verdict=a_verdict(passed=3, failed=1, ignored=2, lints=1)))
    assert row["correct"] == "false"
    assert (row["score"], row["score_tests"], row["score_clippy"]) == ("0.865", "0.75", "0.9")
    assert (row["tests_passed"], row["tests_failed"], row["tests_ignored"]) == ("3", "1", "2")
    assert (row["clippy_warnings"], row["compiled"], row["cost_usd"]) == ("1", "true", "0.001")


def test_controls_have_columns_where_there_are_any():
    asked, before = rows(a_sample("a", verdict=a_verdict(controls=Controls(asked=3, passed=1))), a_sample("b"))
    assert (asked["controls_asked"], asked["controls_passed"]) == ("3", "1")
    assert before["controls_asked"] == ""
    assert "controls_asked" not in rows(a_sample())[0]


def test_an_unknown_value_is_empty_and_not_0():
    (row,) = rows(an_unjudged_sample())
    assert row["outcome"] == "unjudged"
    assert row["score"] == row["correct"] == row["cost_usd"] == row["compiled"] == row["llm_request_ms"] == ""


def test_a_refusal_scores_0_and_was_not_compiled():
    (row,) = rows(a_refusal())
    assert (row["score"], row["correct"], row["compiled"]) == ("0.0", "false", "")


def test_a_reason_with_commas_quotes_and_lines_stays_one_cell():
    reason = 'expected `,`, found "x"\n--> line 2'
    (row,) = rows(a_sample(correct=False, reason=reason))
    assert row["reason"] == reason


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0d"])
def test_text_that_a_spreadsheet_takes_for_a_formula_becomes_text(start: str):
    formula = f"{start}cmd|'calc'!A0"
    (row,) = rows(a_sample(formula, model=f"{formula}/{formula}", correct=False, reason=formula))
    assert {row[name] for name in ("case_id", "provider", "model", "reason")} == {f"'{formula}"}


def test_other_text_and_negative_numbers_stay_as_they_are():
    (row,) = rows(a_sample("a=b", model="acme/a-b", correct=False, reason="1 = 2", latency_ms=-0.5))
    assert (row["case_id"], row["model"], row["reason"]) == ("a=b", "a-b", "1 = 2")
    assert row["llm_request_ms"] == "-0.5"
