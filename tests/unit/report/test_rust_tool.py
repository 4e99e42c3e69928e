"""Reports of the Rust tool of the same name, read and scored by our formula."""

import json

import pytest

from forgetest.comparison.scores import scores_of
from forgetest.report.read import read_content, read_report


def rust_result(case="fibonacci", *, success=True, passed=3, failed=0, warnings=0, **further):
    return {
        "case_id": case,
        "model": "small",
        "provider": "acme",
        "generated_code": "fn f() {}",
        "compilation": {"success": success, "errors": [], "warnings": [], "duration_ms": 690},
        "test_execution": {
            "passed": passed,
            "failed": failed,
            "ignored": 0,
            "duration_ms": 6979,
            "failures": [],
        },
        "clippy": {"warnings": [], "warning_count": warnings},
        "timing": {"llm_request_ms": 0, "compilation_ms": 690, "test_execution_ms": 6979, "total_ms": 9800},
        "token_usage": {
            "prompt_tokens": 14,
            "completion_tokens": 10,
            "total_tokens": 24,
            "estimated_cost_usd": 0.0,
        },
        "attempt": 1,
        "run_id": "00000000-0000-0000-0000-000000000000",
        **further,
    }


def rust_report(path, *results):
    report = {
        "id": "00000000-0000-0000-0000-000000000000",
        "created_at": "2026-01-01T00:00:00Z",
        "eval_set": {"id": "basics", "name": "Basics", "case_count": 1},
        "models_evaluated": ["small"],
        "results": results,
        "aggregate": {"per_model": {}, "per_case": {}},
        "duration_ms": 9803,
    }
    path.write_text(json.dumps(report))
    return read_content(path)


@pytest.mark.parametrize(
    ("result", "score", "correct"),
    [
        (rust_result(), 1.0, True),
        (rust_result(passed=1, failed=1, warnings=2), 0.73, False),
        (rust_result(passed=3, warnings=25), 0.9, True),
        (rust_result(success=False, test_execution=None, clippy=None), 0.0, False),
        (rust_result(test_execution=None), 0.5, False),
        (rust_result(clippy=None), 1.0, True),
    ],
)
def test_a_report_of_the_rust_tool_is_scored_by_the_formula(tmp_path, result, score, correct):
    [sample] = rust_report(tmp_path / "r.json", result).results
    assert (sample.score.overall, sample.correct) == (score, correct)


def test_a_score_computed_by_the_rust_tools_own_formula_is_ignored(tmp_path):
    own = {"compilation": 1.0, "tests": 0.5, "clippy": 1.0, "structure": 0.0, "overall": 0.625}
    report = rust_report(tmp_path / "r.json", rust_result(passed=1, failed=1, score=own, status="completed"))
    assert [sample.score.overall for sample in report.results] == [0.75]


def test_a_sample_that_the_rust_tool_could_not_run_is_unjudged(tmp_path):
    failure = rust_result(success=False, status="provider_error", error="overloaded")
    [sample] = rust_report(tmp_path / "r.json", failure).results
    assert (sample.outcome, sample.score, sample.correct) == ("unjudged", None, None)


def test_values_that_the_rust_tool_does_not_record_are_unknown(tmp_path):
    conditions = scores_of(rust_report(tmp_path / "r.json", rust_result())).conditions
    assert {name for name, value in conditions.items() if value is not None} == {"weights of basics"}


def test_results_in_any_order_are_sorted(tmp_path):
    report = rust_report(tmp_path / "r.json", rust_result("b"), rust_result("a", attempt=2), rust_result("a"))
    attempts = [(sample.attempt.case_id, sample.attempt.attempt) for sample in report.results]
    assert attempts == [("a", 1), ("a", 2), ("b", 1)]
    assert [case.id for case in report.eval_sets[0].cases] == ["a", "b"]


def test_a_report_of_the_rust_tool_becomes_a_whole_report(tmp_path):
    rust_report(tmp_path / "r.json", rust_result(), rust_result(attempt=2, passed=1, failed=1))
    summary = read_report(tmp_path / "r.json").aggregate.per_model["acme/small"]
    assert (summary.judged, summary.mean_score.value) == (2, 0.875)
