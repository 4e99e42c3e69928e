"""SARIF for code scanning."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.renderers import sarif
from forgetest.renderers.sample_files import path_of
from forgetest.renderers.sarif.results import results_of
from forgetest.report import Report
from forgetest.sample import Sample
from forgetest.verdict import Condition, Diagnostic, Finding, Span
from published import sarif_schema
from specimens import a_refusal, a_report, a_sample, a_verdict, an_attempt, an_unjudged_sample

CODE = "fn a() {}\nfn b() -> u8 { 300 }\n"


def written(report: Report) -> Any:
    stream = io.StringIO()
    sarif.write(report, stream)
    return json.loads(stream.getvalue())


def results(*samples: Sample) -> list[Any]:
    return [result for run in written(a_report(samples))["runs"] for result in run["results"]]


def an_error(line: int = 2, last: int | None = None) -> Diagnostic:
    span = Span(line_start=line, line_end=last or line, column_start=16, column_end=19)
    return Diagnostic(level="error", code="E0308", message="mismatched types", spans=(span,))


def troubled() -> list[Sample]:
    finding = Finding(kind="unsafe", detail="unverified", forbids=False)
    condition = Condition(name="expected_functions", holds=False, detail="`f` is not defined")
    return [
        a_sample("a", 1),
        a_sample("a", 2, code=CODE, verdict=replace(a_verdict(compiled=False), errors=(an_error(),))),
        a_sample("a", 3, verdict=a_verdict(failed=2, lints=3)),
        a_sample("a", 4, verdict=a_verdict(integrity=(finding,), conditions=(condition,))),
        a_refusal("b", 1),
        an_unjudged_sample("b", 2),
        a_sample("b", 3, correct=False, reason="other than asked"),
    ]


def test_the_sarif_log_is_valid_by_the_published_schema():
    jsonschema.validate(written(a_report(troubled())), sarif_schema())
    jsonschema.validate(written(a_report([])), sarif_schema())


def test_every_kind_of_failure_has_a_rule():
    run = written(a_report(troubled()))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == [
        "compile-error",
        "test-failure",
        "clippy::needless_return",
        "condition/expected_functions",
        "integrity/unsafe",
        "no-code",
        "not-correct",
    ]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [result["ruleId"] for result in run["results"]]


def test_an_unjudged_sample_is_a_notification_about_the_tool():
    run = written(a_report([an_unjudged_sample("b", 2)]))["runs"][0]
    assert run["results"] == []
    [notification] = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"] == "basics/b, acme/small, attempt 2: not judged: the provider did not answer"


def test_every_location_is_in_a_written_sample_file(tmp_path: Path):
    report = a_report(troubled())
    for companion in sarif.companions(report):
        path = tmp_path / companion.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(companion.text, encoding="utf-8", newline="")
    for result in written(report)["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"]
        lines = (tmp_path / place["artifactLocation"]["uri"]).read_text(encoding="utf-8").split("\n")
        assert 1 <= place["region"]["startLine"] <= len(lines)


def test_a_compile_error_points_at_its_columns():
    verdict = replace(a_verdict(compiled=False), errors=(an_error(),))
    [result] = results(a_sample(code=CODE, verdict=verdict))
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 16, "endLine": 2, "endColumn": 19}


def test_an_error_past_the_end_points_at_the_last_line():
    verdict = replace(a_verdict(compiled=False), errors=(an_error(99),))
    [result] = results(a_sample(code=CODE, verdict=verdict))
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 3}


def test_a_sample_rejected_as_its_case_expects_is_not_a_result():
    assert results(a_sample(verdict=a_verdict(compiled=False), correct=True)) == []


def test_fingerprints_are_distinct_and_survive_lines_added_above():
    def marks(code: str, line: int) -> list[str]:
        verdict = replace(a_verdict(compiled=False), errors=(an_error(line), an_error(line)))
        return [
            result["partialFingerprints"]["primaryLocationLineHash"]
            for result in results(a_sample(code=code, verdict=verdict))
        ]

    before, after = marks(CODE, 2), marks("// a remark\n" + CODE, 3)
    assert before == after
    assert len(set(before)) == 2
    assert marks(CODE, 1) != before


def test_results_beyond_the_limit_of_a_run_are_split_into_runs_with_their_own_categories(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(sarif, "_RESULTS_A_RUN", 3)
    document = written(a_report([a_sample(verdict=a_verdict(lints=7))]))
    jsonschema.validate(document, sarif_schema())
    assert [len(run["results"]) for run in document["runs"]] == [3, 3, 1]
    assert len({run["automationDetails"]["id"] for run in document["runs"]}) == 3


def test_one_run_leaves_the_category_to_whoever_uploads_it():
    assert "automationDetails" not in written(a_report(troubled()))["runs"][0]


names = st.text(max_size=12)


@settings(max_examples=200)
@given(names, names, names, names)
def test_two_attempts_never_share_a_file_and_no_file_is_outside_the_folder(
    set_a: str, case_a: str, set_b: str, case_b: str
):
    one = path_of(an_attempt(case_a, eval_set=set_a), "rust")
    other = path_of(an_attempt(case_b, eval_set=set_b), "rust")
    assert (one.lower() == other.lower()) == ((set_a, case_a) == (set_b, case_b))
    parts = one.split("/")
    assert len(parts) == 5
    assert parts[0] == "samples"
    assert not {"", ".", ".."} & set(parts)
    assert one.isascii()


@given(st.integers(-2, 9), st.integers(-2, 9), st.integers(-1, 99), st.integers(-1, 99), st.text("a\n", max_size=6))
def test_a_region_is_valid_whatever_positions_the_compiler_reports(
    start: int, end: int, first: int, last: int, code: str
):
    span = Span(line_start=start, line_end=end, column_start=first, column_end=last)
    sample = a_sample(
        code=code, verdict=replace(a_verdict(compiled=False), errors=(replace(an_error(), spans=(span,)),))
    )
    [found] = results_of(sample, "x.rs", "rust")
    region = found.body["locations"][0]["physicalLocation"]["region"]
    assert 1 <= region["startLine"] <= len(code.split("\n"))
    assert region.get("endLine", region["startLine"]) >= region["startLine"]
    assert all(number >= 1 for number in region.values())


def test_no_text_of_a_sample_is_a_link():
    lure = "acme/[click](http://evil.example)"
    wrong, unjudged = a_sample("a", verdict=a_verdict(failed=1), model=lure), an_unjudged_sample("b", model=lure)
    run = written(a_report([wrong, unjudged]))
    texts = [result["message"]["text"] for result in run["runs"][0]["results"]]
    texts += [each["message"]["text"] for each in run["runs"][0]["invocations"][0]["toolExecutionNotifications"]]
    assert len(texts) == 2
    assert all(r"\[click](http://evil.example)" in text for text in texts)


def test_other_brackets_stay_as_they_are():
    verdict = replace(a_verdict(compiled=False), errors=(an_error(),))
    [result] = results(a_sample(code=CODE, verdict=verdict))
    assert result["message"]["text"].endswith("error[E0308]: mismatched types")
