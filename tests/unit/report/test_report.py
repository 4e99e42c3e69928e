"""The report and its JSON form."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from forgetest.evalset import Weights
from forgetest.report import FORMAT_VERSION, RunSettings, summarise
from forgetest.report.encode import encode_aggregate, encode_header, encode_sample
from forgetest.sample import Usage
from forgetest.verdict import Condition, Finding
from specimens import a_diagnostic, a_refusal, a_report, a_sample, a_verdict, an_eval_set, an_unjudged_sample


def test_a_report_names_its_sets_and_models():
    report = a_report([a_sample("a"), a_sample("b"), a_sample("a", model="zeta/large", eval_set="more")])
    assert [(each.id, each.case_count) for each in report.eval_sets] == [("basics", 2), ("more", 1)]
    assert report.models_evaluated == ("acme/small", "zeta/large")


def test_results_that_can_be_read_only_once_are_refused():
    with pytest.raises(ValueError, match="only once"):
        summarise(
            iter([a_sample()]),
            [an_eval_set()],
            RunSettings(),
            report_id="r",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
            duration_ms=0,
        )


def test_the_header_has_the_fields_that_others_rely_on():
    header = encode_header(a_report([a_sample()], pass_k=(1, 5), prompt_template_hash="p1", seed=7))
    assert header == {
        "format_version": FORMAT_VERSION,
        "id": "report-1",
        "created_at": "2026-01-02T03:04:05Z",
        "duration_ms": 1234.5,
        "eval_sets": [
            {
                "id": "basics",
                "name": "Basics",
                "case_count": 1,
                "hash": "hash-of-basics",
                "weights": {"compilation": 0.4, "tests": 0.5, "clippy": 0.1},
                "cases": [
                    {
                        "id": "fibonacci",
                        "name": "fibonacci",
                        "language": "rust",
                        "tags": [],
                        "prompt": "Write it.",
                        "asks_for_tests": True,
                    }
                ],
            }
        ],
        "settings": {
            "pass_k": [1, 5],
            "samples": 5,
            "temperature": 0.8,
            "max_tokens": 1024,
            "seed": 7,
            "weights": {"compilation": 0.4, "tests": 0.5, "clippy": 0.1},
            "prompt_template_hash": "p1",
        },
        "models_evaluated": ["acme/small"],
    }


def test_the_time_is_written_in_utc_wherever_the_run_was():
    report = a_report([])
    elsewhere = report.created_at.astimezone(timezone(timedelta(hours=9)))
    assert encode_header(replace(report, created_at=elsewhere)) == encode_header(report)


def test_settings_may_include_additional_entries():
    header = encode_header(a_report([], further={"parallelism": 8, "limits": {"cpu_s": 60}}))
    assert header["settings"]["parallelism"] == 8
    assert header["settings"]["limits"] == {"cpu_s": 60}


def test_weights_that_differ_between_sets_are_stated_per_set_only():
    other = Weights(compilation=0.2, tests=0.8, lint=0.0)
    header = encode_header(a_report([], [an_eval_set(), an_eval_set(name="tests-only", weights=other)]))
    assert header["settings"]["weights"] is None
    assert [each["weights"]["tests"] for each in header["eval_sets"]] == [0.5, 0.8]


def test_a_result_has_the_fields_that_others_rely_on():
    verdict = a_verdict(
        passed=3,
        failed=1,
        ignored=1,
        lints=1,
        warnings=(a_diagnostic("unused variable", "warning", "unused_variables"),),
        conditions=(Condition(name="fn f", holds=True),),
        integrity=(Finding(kind="unsafe", detail="line 3", forbids=False),),
    )
    encoded = json.loads(json.dumps(encode_sample(a_sample("a", 2, verdict=verdict))))
    assert list(encoded) == [
        *("eval_set_id", "case_id", "provider", "model", "attempt", "run_id", "generated_code", "outcome"),
        *("reason", "compilation", "test_execution", "clippy", "score", "correct", "recheck", "verified"),
        *("conditions", "integrity", "provenance", "timing", "token_usage"),
    ]
    span = {"line_start": 2, "line_end": 2, "column_start": 5, "column_end": 9}
    assert encoded["compilation"] == {
        "success": True,
        "errors": [],
        "warnings": [{"level": "warning", "code": "unused_variables", "message": "unused variable", "spans": [span]}],
        "duration_ms": 75.25,
    }
    assert encoded["test_execution"] == {
        "passed": 3,
        "failed": 1,
        "ignored": 1,
        "duration_ms": 6.5,
        "failures": [{"name": "t3", "message": "left: 1, right: 2", "stdout": "", "timed_out": None}],
    }
    assert encoded["clippy"]["warning_count"] == len(encoded["clippy"]["warnings"]) == 1
    assert encoded["score"] == {"compilation": 1.0, "tests": 0.75, "clippy": 0.9, "overall": 0.865}
    assert encoded["correct"] is False
    assert encoded["integrity"] == [{"kind": "unsafe", "detail": "line 3", "forbids": False}]
    assert list(encoded["provenance"]) == [
        *("source", "tests", "dependencies", "toolchain", "flags", "binary", "sandbox")
    ]
    assert encoded["timing"] == {
        "llm_request_ms": 500.0,
        "compilation_ms": 75.25,
        "test_execution_ms": 6.5,
        "total_ms": 590.0,
    }
    assert encoded["token_usage"] == {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "estimated_cost_usd": 0.001,
    }


def test_code_that_does_not_compile_was_neither_tested_nor_linted():
    encoded = encode_sample(a_sample(verdict=a_verdict(compiled=False)))
    assert encoded["compilation"]["errors"][0]["code"] == "E0308"
    assert encoded["test_execution"] is encoded["clippy"] is None


def test_a_refusal_is_judged_and_has_a_score_without_a_verdict():
    encoded = encode_sample(a_refusal())
    assert (encoded["outcome"], encoded["reason"], encoded["correct"]) == ("judged", "the model refused", False)
    assert encoded["compilation"] is encoded["generated_code"] is None
    assert encoded["score"]["overall"] == 0.0


def test_an_unjudged_sample_has_neither_score_nor_correctness():
    encoded = encode_sample(an_unjudged_sample())
    assert (encoded["outcome"], encoded["reason"]) == ("unjudged", "the provider did not answer")
    assert encoded["score"] is encoded["correct"] is None
    assert set(encoded["provenance"].values()) == {None}


def test_total_tokens_are_known_only_if_both_parts_are():
    encoded = encode_sample(a_sample(usage=Usage(prompt_tokens=5)))
    assert encoded["token_usage"]["total_tokens"] is None
    assert encoded["token_usage"]["estimated_cost_usd"] is None


def test_numbers_are_rounded_so_that_floating_point_noise_makes_no_difference():
    encoded = encode_sample(a_sample(verdict=a_verdict(passed=1, failed=2), latency_ms=0.1 + 0.2))
    assert encoded["score"]["tests"] == 0.333333333333
    assert encoded["timing"]["llm_request_ms"] == 0.3


def test_pass_at_k_in_the_aggregate_is_keyed_by_k_and_null_if_unknown():
    report = a_report([a_sample("a", 1), a_sample("b", 1), an_unjudged_sample("b", 2)], pass_k=(1, 2))
    found = encode_aggregate(report.aggregate)["per_model"]["acme/small"]
    assert found["pass_at_k"] == {"1": 1.0, "2": None}
    assert found["pass_at_k_cases"] == {"1": {"known": 2, "total": 2}, "2": {"known": 0, "total": 2}}
    assert found["intervals"]["pass_at_k"]["1"][1] == 1.0
    assert found["intervals"]["pass_at_k"]["2"] is None


def test_the_aggregate_of_a_model_has_every_specified_field():
    found = encode_aggregate(a_report([a_sample("a"), a_sample("b")]).aggregate)["per_model"]["acme/small"]
    assert found["samples"] == {"asked": 2, "judged": 2, "unjudged": 0}
    assert found["compilation_rate"] == found["mean_test_pass_rate"] == found["mean_score"] == 1.0
    assert found["mean_latency_ms"] == 500.0
    assert found["total_cost_usd"] == 0.002
    assert (found["prompt_tokens"], found["completion_tokens"]) == (200, 40)
    assert found["samples_known"] == {"cost": 2, "prompt_tokens": 2, "completion_tokens": 2}
    assert set(found["intervals"]) == {
        *("pass_at_k", "compilation_rate", "mean_test_pass_rate", "mean_score", "mean_latency_ms")
    }


def test_an_unknown_cost_is_null():
    report = a_report([a_sample(usage=Usage())])
    assert encode_aggregate(report.aggregate)["per_model"]["acme/small"]["total_cost_usd"] is None


def test_the_aggregate_keeps_cases_of_the_same_name_apart():
    report = a_report([a_sample("a", eval_set="one"), a_refusal("a", eval_set="two")])
    found = encode_aggregate(report.aggregate)["per_case"]
    assert found["one"]["a"]["per_model"]["acme/small"]["mean_score"] == 1.0
    assert found["two"]["a"]["per_model"]["acme/small"]["mean_score"] == 0.0
