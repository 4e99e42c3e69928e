"""The CSV report: one row per sample."""

import csv
import io

import pytest

from forgetest.renderers import csv as renderer
from forgetest.report.encode import encode_sample
from forgetest.sample import Recheck
from forgetest.verdict import Controls
from specimens import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample

JSON_PATHS = {
    **{name: (name,) for name in ("eval_set_id", "case_id", "provider", "model", "attempt", "run_id")},
    **{name: (name,) for name in ("outcome", "correct", "reason")},
    "rechecked": ("recheck", "times"),
    "disagreeing": ("recheck", "disagreeing"),
    "score": ("score", "overall"),
    "score_compilation": ("score", "compilation"),
    "score_tests": ("score", "tests"),
    "score_clippy": ("score", "clippy"),
    "compiled": ("compilation", "success"),
    "tests_passed": ("test_execution", "passed"),
    "tests_failed": ("test_execution", "failed"),
    "tests_ignored": ("test_execution", "ignored"),
    "clippy_warnings": ("clippy", "warning_count"),
    "prompt_tokens": ("token_usage", "prompt_tokens"),
    "completion_tokens": ("token_usage", "completion_tokens"),
    "cost_usd": ("token_usage", "estimated_cost_usd"),
    "llm_request_ms": ("timing", "llm_request_ms"),
    "compilation_ms": ("timing", "compilation_ms"),
    "test_execution_ms": ("timing", "test_execution_ms"),
    "total_ms": ("timing", "total_ms"),
    "controls_asked": ("controls", "asked"),
    "controls_passed": ("controls", "passed"),
}
"""Each column, and where the JSON form of a result has its value."""


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


def test_a_row_has_the_values_of_the_json_form():
    verdict = a_verdict(passed=2, failed=1, ignored=1, lints=3, controls=Controls(asked=2, passed=0))
    judged = a_sample("a", verdict=verdict, latency_ms=0.1 + 0.2, recheck=Recheck(times=3, disagreeing=1))
    broken = a_sample("b", verdict=a_verdict(compiled=False))
    samples = (judged, broken, a_refusal("c"), an_unjudged_sample("d"))
    for row, sample in zip(rows(*samples), samples, strict=True):
        encoded = encode_sample(sample)
        for column, (name, *inner) in JSON_PATHS.items():
            value = encoded.get(name)
            for key in inner if value is not None else ():
                value = value[key]
            text = str(value).lower() if isinstance(value, bool) else str(value)
            assert row[column] == ("" if value is None else text)
        del row["format_version"]
        assert set(row) == set(JSON_PATHS)
