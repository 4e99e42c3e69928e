"""The gap between visible and hidden tests, from verdicts to reports."""

import json
from dataclasses import replace
from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from forgetest.renderers import json as json_report
from forgetest.renderers import markdown, model_table, terminal
from forgetest.report import visible_gap
from forgetest.report.read import read_report
from forgetest.verdict import TestOutcome
from specimens import a_report, a_sample, a_verdict


def io_verdict(visible: str, hidden: str):
    """A verdict whose tests passed (+) or failed (-)."""
    tests = [
        TestOutcome(name=f"{kind}{number}", status="passed" if mark == "+" else "failed", visible=kind == "visible")
        for kind, marks in (("visible", visible), ("hidden", hidden))
        for number, mark in enumerate(marks)
    ]
    return replace(a_verdict(), tests=tuple(tests))


SAMPLES = [
    a_sample(attempt=1, verdict=io_verdict("++", "++")),
    a_sample(attempt=2, verdict=io_verdict("++", "+-")),
    a_sample(attempt=3, verdict=io_verdict("+-", "--")),
    a_sample(attempt=4, verdict=io_verdict("++", "--")),
]


def as_json(report) -> dict:
    stream = StringIO()
    json_report.write(report, stream)
    return json.loads(stream.getvalue())


def test_the_gap_counts_samples_that_pass_what_is_visible_and_fail_what_is_hidden():
    gap = a_report(SAMPLES).aggregate.per_model["acme/small"].visible_gap
    assert (gap.samples, gap.pass_visible, gap.pass_all, gap.gap) == (4, 3, 1, 0.5)
    assert (gap.visible_test_rate, gap.hidden_test_rate) == (0.875, 0.375)


@given(st.lists(st.tuples(st.text("+-", min_size=1, max_size=4), st.text("+-", min_size=1, max_size=4)), min_size=1))
def test_the_gap_lies_between_none_and_all_and_does_not_depend_on_how_samples_are_grouped(pairs):
    gaps = [visible_gap.of_verdict(io_verdict(*pair)) for pair in pairs]
    whole = visible_gap.total(gaps)
    assert 0 <= whole.gap <= 1
    half = len(gaps) // 2
    regrouped = visible_gap.total([visible_gap.total(gaps[:half]), visible_gap.total(gaps[half:])])
    assert (regrouped.samples, regrouped.gap) == (whole.samples, whole.gap)
    assert abs(regrouped.hidden_test_rate - whole.hidden_test_rate) < 1e-12


def test_a_sample_without_both_kinds_of_tests_has_no_gap():
    assert visible_gap.of_verdict(io_verdict("++", "")) is None
    assert visible_gap.of_verdict(io_verdict("", "+")) is None
    assert visible_gap.of_verdict(a_verdict()) is None
    assert visible_gap.of_verdict(None) is None
    assert visible_gap.total([None]) is None


def test_reports_say_how_wide_the_gap_is():
    report = a_report(SAMPLES)
    sentence = (
        "acme/small: all visible tests passed and a hidden one failed in 2 of 4 samples; "
        "87.5% of visible and 37.5% of hidden tests pass"
    )
    assert list(model_table.visible_gap(report)) == [sentence]
    assert sentence in terminal.summary(report)
    stream = StringIO()
    markdown.write(report, stream)
    assert "- **Hidden tests**: `acme/small`: all visible tests passed" in stream.getvalue()
    assert as_json(report)["aggregate"]["per_model"]["acme/small"]["visible_gap"] == {
        "samples": 4,
        "pass_visible": 3,
        "pass_all": 1,
        "gap": 0.5,
        "visible_test_rate": 0.875,
        "hidden_test_rate": 0.375,
    }


def test_a_report_that_was_read_back_is_the_same(tmp_path):
    written = as_json(a_report(SAMPLES))
    assert written["results"][1]["test_execution"]["visible"] == {"passed": 2, "failed": 0}
    assert [failure["visible"] for failure in written["results"][2]["test_execution"]["failures"]] == [
        True,
        False,
        False,
    ]
    (tmp_path / "report.json").write_text(json.dumps(written))
    assert as_json(read_report(tmp_path / "report.json")) == written


def test_a_report_without_such_tests_has_nothing_of_it():
    text = json.dumps(as_json(a_report([a_sample()])))
    assert "visible" not in text
