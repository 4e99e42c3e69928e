"""The JSON form of a report. Its names and its number formats are what readers of the file rely on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from msgspec import UnsetType, to_builtins

from forgetest.evalset import Weights
from forgetest.evalset.file_names import FILE_NAMES, to_file
from forgetest.report import FORMAT_VERSION, EvalSetSummary, Report
from forgetest.report.aggregate import Aggregate, CaseAggregate, ModelAggregate
from forgetest.report.visible_gap import VisibleGap
from forgetest.sample import Recheck, Sample, Score
from forgetest.statistics.intervals import Estimate, PassAtK
from forgetest.verdict import Provenance, TestOutcome, Verdict

Json = dict[str, Any]

_NO_PROVENANCE = {field.name: None for field in fields(Provenance)}
_SCORE_NAMES = [(field.name, FILE_NAMES.get(field.name, field.name)) for field in fields(Score)]
"""The components of a score: name in code, name in files."""


def encode_header(report: Report) -> Json:
    """Return everything that comes before the results."""
    settings = report.settings
    weights = {eval_set.weights for eval_set in report.eval_sets} or {Weights()}
    return {
        "format_version": FORMAT_VERSION,
        "id": report.id,
        "created_at": encode_time(report.created_at),
        "duration_ms": milliseconds(report.duration_ms),
        "eval_sets": [_encode_eval_set(summary) for summary in report.eval_sets],
        "settings": {
            "pass_k": list(settings.pass_k),
            "samples": settings.samples,
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
            "seed": settings.seed,
            # where the sets differ, each states its own under eval_sets
            "weights": to_file(to_builtins(weights.pop())) if len(weights) == 1 else None,
            "prompt_template_hash": settings.prompt_template_hash,
            **settings.further,
        },
        "models_evaluated": list(report.models_evaluated),
    }


def encode_time(time: datetime) -> str:
    """Return the time in UTC, as reports write it."""
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _encode_eval_set(summary: EvalSetSummary) -> Json:
    cases = [{**to_builtins(case), "tags": list(case.tags)} for case in summary.cases]
    return {**to_builtins(summary), "weights": to_file(to_builtins(summary.weights)), "cases": cases}


def encode_sample(sample: Sample) -> Json:
    """Return one of the results."""
    verdict = sample.verdict
    usage = sample.usage
    both = usage.prompt_tokens is not None and usage.completion_tokens is not None
    return {
        "eval_set_id": sample.attempt.eval_set_id,
        "case_id": sample.attempt.case_id,
        "provider": sample.attempt.provider,
        "model": sample.attempt.model,
        "attempt": sample.attempt.attempt,
        "run_id": sample.run_id,
        "generated_code": sample.code,
        "outcome": sample.outcome,
        "reason": sample.reason,
        "compilation": _encode_compilation(verdict) if verdict else None,
        "test_execution": _test_execution(verdict) if verdict and verdict.tests else None,
        "clippy": _lints(verdict) if verdict and verdict.compiled else None,
        "score": _encode_score(sample.score) if sample.score else None,
        "correct": sample.correct,
        "recheck": _recheck(sample.recheck) if sample.recheck else None,
        "verified": verdict.verified if verdict else None,
        **({"controls": to_builtins(verdict.controls)} if verdict and verdict.controls else {}),
        "conditions": _encode_list(verdict.conditions) if verdict else [],
        "integrity": _encode_list(verdict.integrity) if verdict else [],
        "provenance": to_builtins(verdict.provenance) if verdict else _NO_PROVENANCE,
        "timing": {
            "llm_request_ms": milliseconds(sample.latency_ms),
            "compilation_ms": milliseconds(verdict.compile_ms) if verdict else None,
            "test_execution_ms": milliseconds(verdict.test_ms) if verdict else None,
            "total_ms": milliseconds((sample.latency_ms or 0.0) + sample.total_ms),
        },
        "token_usage": {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "total_tokens": (usage.prompt_tokens or 0) + (usage.completion_tokens or 0) if both else None,
            "estimated_cost_usd": rounded(usage.cost_usd),
        },
    }


def _recheck(again: Recheck) -> Json:
    return {"times": again.times, "disagreeing": again.disagreeing, "changes": list(again.changes)}


def _encode_score(score: Score) -> Json:
    return {theirs: rounded(getattr(score, ours)) for ours, theirs in _SCORE_NAMES}


def _encode_list(values: Sequence[object]) -> list[Any]:
    return list(to_builtins(values)) if values else []  # most are empty


def _encode_compilation(verdict: Verdict) -> Json:
    return {
        "success": verdict.compiled,
        "errors": _encode_list(verdict.errors),
        "warnings": _encode_list(verdict.warnings),
        "duration_ms": milliseconds(verdict.compile_ms),
    }


def _test_execution(verdict: Verdict) -> Json:
    statuses = [test.status for test in verdict.tests]
    return {
        "passed": statuses.count("passed"),
        "failed": statuses.count("failed"),
        "ignored": statuses.count("ignored"),
        "duration_ms": milliseconds(verdict.test_ms),
        "failures": [_failure(test) for test in verdict.tests if test.status == "failed"],
        **_visibility(verdict),
    }


def _failure(test: TestOutcome) -> Json:
    failure = {"name": test.name, "message": test.message, "stdout": test.stdout, "timed_out": test.timed_out}
    return failure if isinstance(test.visible, UnsetType) else {**failure, "visible": test.visible}


def _visibility(verdict: Verdict) -> Json:
    """Return how visible tests went; empty where tests are not of that kind."""
    visible = [test.status for test in verdict.tests if test.visible is True]
    if not visible and all(isinstance(test.visible, UnsetType) for test in verdict.tests):
        return {}
    return {"visible": {"passed": visible.count("passed"), "failed": visible.count("failed")}}


def _lints(verdict: Verdict) -> Json:
    return {"warning_count": len(verdict.lints), "warnings": _encode_list(verdict.lints)}


def encode_aggregate(summed_up: Aggregate) -> Json:
    """Return everything that comes after the results: plain numbers, with their intervals beside them."""
    per_case: dict[str, Json] = {}
    for case, models in summed_up.per_case.items():
        per_case.setdefault(case.eval_set_id, {})[case.case_id] = encode_case(models)
    return {
        "per_model": _encode_models(summed_up.per_model),
        "per_case": per_case,
        "flaky": [attempt._asdict() for attempt in summed_up.flaky],
        "per_tag": {tag: _encode_models(models) for tag, models in summed_up.per_tag.items()},
    }


def encode_case(models: Mapping[str, CaseAggregate]) -> Json:
    """Return the aggregate of one case."""
    return {"per_model": {model: _case_of_model(summary) for model, summary in models.items()}}


def _encode_models(models: Mapping[str, ModelAggregate]) -> Json:
    return {model: _encode_model(summary) for model, summary in models.items()}


def _encode_model(summary: ModelAggregate) -> Json:
    return {
        "samples": {"asked": summary.asked, "judged": summary.judged, "unjudged": summary.unjudged},
        "total_cost_usd": rounded(summary.cost_usd.value),
        "prompt_tokens": _whole(summary.prompt_tokens.value),
        "completion_tokens": _whole(summary.completion_tokens.value),
        "samples_known": {
            "cost": summary.cost_usd.known,
            "prompt_tokens": summary.prompt_tokens.known,
            "completion_tokens": summary.completion_tokens.known,
        },
        "pass_at_k_cases": encode_coverage(summary.pass_at_k),
        **encode_estimates(
            {k: passing.estimate for k, passing in summary.pass_at_k.items()},
            compilation_rate=summary.compilation_rate,
            mean_test_pass_rate=summary.mean_test_pass_rate,
            mean_score=summary.mean_score,
            mean_latency_ms=summary.mean_latency_ms,
        ),
        **({"visible_gap": _encode_gap(summary.visible_gap)} if summary.visible_gap else {}),
    }


def _encode_gap(gap: VisibleGap) -> Json:
    return {
        "samples": gap.samples,
        "pass_visible": gap.pass_visible,
        "pass_all": gap.pass_all,
        "gap": rounded(gap.gap),
        "visible_test_rate": rounded(gap.visible_test_rate),
        "hidden_test_rate": rounded(gap.hidden_test_rate),
    }


def _case_of_model(summary: CaseAggregate) -> Json:
    return {
        "samples": {"asked": summary.asked, "judged": summary.judged, "unjudged": summary.asked - summary.judged},
        "correct": summary.correct,
        **encode_estimates(summary.pass_at_k, mean_score=summary.mean_score),
    }


def encode_coverage(pass_at_k: Mapping[int, PassAtK]) -> Json:
    """Return for how many cases each Pass@k is known."""
    return {str(k): {"known": estimate.known, "total": estimate.total} for k, estimate in pass_at_k.items()}


def encode_estimates(pass_at_k: Mapping[int, Estimate | None], **others: Estimate | None) -> Json:
    """Return values by name, null where unknown, and under `intervals` the ends of their intervals."""
    passing = {str(k): estimate for k, estimate in pass_at_k.items()}
    return {
        "pass_at_k": _values(passing),
        **_values(others),
        "intervals": {"pass_at_k": _intervals(passing), **_intervals(others)},
    }


def _values(estimates: Mapping[str, Estimate | None]) -> Json:
    return {name: rounded(estimate.value) if estimate else None for name, estimate in estimates.items()}


def _intervals(estimates: Mapping[str, Estimate | None]) -> Json:
    return {
        name: [rounded(end) for end in estimate.interval] if estimate and estimate.interval else None
        for name, estimate in estimates.items()
    }


def rounded(number: float | None) -> float | None:
    """Return the number as reports write it, so that equal results are equal bytes."""
    # twelve decimals keep what the formulas promise, and drop the bits in which machines may differ
    return None if number is None else round(number, 12)


def milliseconds(number: float | None) -> float | None:
    """Return a duration as reports write it."""
    return None if number is None else round(number, 3)


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
