"""Reports read back: ours, those of the Rust tool, and what is none."""

import io
import json

import pytest

from forgetest.comparison.recorded import CaseKey, read_report
from forgetest.errors import UserError
from forgetest.renderers import json as json_renderer
from specimens import a_refusal, a_report, a_sample, a_verdict, an_unjudged_sample

FIB = CaseKey("basics", "fibonacci", "acme/small")


def written(path, report):
    stream = io.StringIO()
    json_renderer.write(report, stream)
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def changed(path, **fields):
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
    return path


def test_a_report_that_was_written_is_read_back(tmp_path):
    samples = [
        a_sample(attempt=1),
        a_sample(attempt=2, verdict=a_verdict(passed=1, failed=1)),
        a_refusal(attempt=3),
        an_unjudged_sample(attempt=4),
    ]
    found = read_report(written(tmp_path / "report.json", a_report(samples, pass_k=(1, 3))))
    assert (found.id, found.created_at, found.pass_k) == ("report-1", "2026-01-02T03:04:05Z", (1, 3))
    assert found.cases[FIB].scores == (1.0, 0.75, 0.0)
    assert found.cases[FIB].correct == 1
    assert found.models == ["acme/small"]


def test_the_conditions_are_what_the_scores_depend_on(tmp_path):
    report = a_report([a_sample()], prompt_template_hash="p1")
    assert read_report(written(tmp_path / "r.json", report)).conditions == {
        "eval set basics": "hash-of-basics",
        "weights of basics": "compilation 0.4, tests 0.5, clippy 0.1",
        "toolchain": "rustc 1.95.0",
        "sandbox": "bwrap",
        "prompt template": "p1",
        "temperature": "0.8",
        "max tokens": "1024",
    }


def test_a_case_without_a_judged_attempt_has_no_mean_score(tmp_path):
    found = read_report(written(tmp_path / "r.json", a_report([an_unjudged_sample()])))
    assert found.cases[FIB].mean_score is None


def test_the_folder_of_a_run_stands_for_its_report(tmp_path):
    written(tmp_path / "report.json", a_report([a_sample()]))
    assert read_report(tmp_path).cases[FIB].mean_score == 1.0


def test_a_folder_without_a_report_is_an_error(tmp_path):
    with pytest.raises(UserError, match=r"no report\.json in this folder"):
        read_report(tmp_path)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        read_report(tmp_path / "gone.json")


@pytest.mark.parametrize("content", [b"", b"{", b'{"id": "x"', b"\xff\xfe", b"not json"])
def test_broken_json_is_an_error(tmp_path, content):
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(UserError, match=r"r\.json: not JSON, or cut off"):
        read_report(tmp_path / "r.json")


@pytest.mark.parametrize("content", ["[]", "3", '"report"'])
def test_json_that_is_no_object_is_no_report(tmp_path, content):
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(UserError, match="no report that can be read"):
        read_report(tmp_path / "r.json")


def test_some_other_json_is_no_report(tmp_path):
    (tmp_path / "r.json").write_text('{"name": "package"}')
    with pytest.raises(UserError, match="neither format_version nor eval_set"):
        read_report(tmp_path / "r.json")


@pytest.mark.parametrize("version", [2, 0, "1", [1]])
def test_another_format_version_is_an_error_that_names_both(tmp_path, version):
    path = changed(written(tmp_path / "r.json", a_report([a_sample()])), format_version=version)
    with pytest.raises(UserError, match=r"format_version is .*, and this forgetest reads 1"):
        read_report(path)


def test_a_field_of_the_wrong_kind_is_named_by_its_place(tmp_path):
    path = changed(written(tmp_path / "r.json", a_report([a_sample()])), results=[{"case_id": 3}])
    with pytest.raises(UserError, match=r"\$\.results\[0\]"):
        read_report(path)


def test_a_score_beyond_1_is_an_error(tmp_path):
    path = written(tmp_path / "r.json", a_report([a_sample()]))
    path.write_text(path.read_text().replace('"overall": 1.0', '"overall": 1.5'))
    with pytest.raises(UserError, match=r"overall"):
        read_report(path)


def test_a_judged_result_without_a_score_is_an_error(tmp_path):
    path = written(tmp_path / "r.json", a_report([a_sample()]))
    results = [{**result, "score": None} for result in json.loads(path.read_text())["results"]]
    with pytest.raises(UserError, match="basics/fibonacci/acme/small is judged, but has no score"):
        read_report(changed(path, results=results))


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
    return read_report(path)


@pytest.mark.parametrize(
    ("result", "score", "correct"),
    [
        (rust_result(), 1.0, 1),
        (rust_result(passed=1, failed=1, warnings=2), 0.73, 0),
        (rust_result(passed=3, warnings=25), 0.9, 1),
        (rust_result(success=False, test_execution=None, clippy=None), 0.0, 0),
        (rust_result(test_execution=None), 0.5, 0),
        (rust_result(clippy=None), 1.0, 1),
    ],
)
def test_a_report_of_the_rust_tool_is_scored_by_the_formula(tmp_path, result, score, correct):
    found = rust_report(tmp_path / "r.json", result).cases[FIB]
    assert found.scores == (score,)
    assert found.correct == correct


def test_a_score_that_the_rust_tool_computed_by_its_own_formula_is_not_taken(tmp_path):
    own = {"compilation": 1.0, "tests": 0.5, "clippy": 1.0, "structure": 0.0, "overall": 0.625}
    found = rust_report(tmp_path / "r.json", rust_result(passed=1, failed=1, score=own, status="completed"))
    assert found.cases[FIB].scores == (0.75,)


def test_what_the_rust_tool_could_not_run_is_unjudged(tmp_path):
    failure = rust_result(success=False, status="provider_error", error="overloaded")
    assert rust_report(tmp_path / "r.json", failure).cases[FIB].mean_score is None


def test_what_the_rust_tool_does_not_record_is_not_known(tmp_path):
    conditions = rust_report(tmp_path / "r.json", rust_result()).conditions
    assert {name for name, value in conditions.items() if value is not None} == {"weights of basics"}
