"""The report of a run: built from its samples, and its JSON form that others rely on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from msgspec import to_builtins

from forgetest.evalset import EvalSet, Weights
from forgetest.evalset.file_names import to_file
from forgetest.report.aggregate import Aggregate, AskedCase, CaseAggregate, CaseId, ModelAggregate, aggregate
from forgetest.sample import Recheck, Sample, Score
from forgetest.statistics.intervals import Estimate, PassAtK
from forgetest.verdict import Provenance, Verdict

FORMAT_VERSION = 1
"""Raised when a reader of the JSON form would have to change."""

FILENAME = "report.json"
"""What the JSON form is called in a run's folder."""

Json = dict[str, Any]

_NO_PROVENANCE = {each.name: None for each in fields(Provenance)}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSummary:
    """What a reader needs to know of a case: its question, without tests and solution."""

    id: str
    name: str
    language: str
    tags: tuple[str, ...]
    prompt: str
    asks_for_tests: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSetSummary:
    """An eval set without its tests and solutions."""

    id: str
    name: str
    case_count: int
    hash: str
    weights: Weights
    cases: tuple[CaseSummary, ...] = ()
    """Those that were asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """What a run was asked to do; None where it is not known, as for samples made elsewhere."""

    pass_k: tuple[int, ...] = (1,)
    samples: int = 1
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    prompt_template_hash: str | None = None
    further: Mapping[str, Any] = field(default_factory=dict)
    """What else is worth recording, JSON values by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a run found."""

    id: str
    created_at: datetime
    duration_ms: float
    eval_sets: tuple[EvalSetSummary, ...]
    settings: RunSettings
    models_evaluated: tuple[str, ...]
    results: Iterable[Sample]
    """Sorted by attempt. Read anew whenever it is iterated, so that nobody holds all of them."""
    aggregate: Aggregate


def summarise(
    results: Iterable[Sample],
    eval_sets: Sequence[EvalSet],
    settings: RunSettings,
    *,
    report_id: str,
    created_at: datetime,
    duration_ms: float,
) -> Report:
    """Build the report from samples, sorted by attempt, and the eval sets with the cases that were asked."""
    if iter(results) is results:
        raise ValueError("results can be iterated only once; a report is written from them again and again")
    summaries = tuple(_summary(each) for each in sorted(eval_sets, key=lambda each: each.id))
    summed_up = aggregate(results, asked_cases(summaries), settings.pass_k)
    return Report(
        id=report_id,
        created_at=created_at,
        duration_ms=duration_ms,
        eval_sets=summaries,
        settings=settings,
        models_evaluated=tuple(summed_up.per_model),
        results=results,
        aggregate=summed_up,
    )


def _summary(eval_set: EvalSet) -> EvalSetSummary:
    return EvalSetSummary(
        id=eval_set.id,
        name=eval_set.name,
        case_count=len(eval_set.cases),
        hash=eval_set.hash,
        weights=eval_set.weights,
        cases=tuple(
            CaseSummary(
                id=case.id,
                name=case.name,
                language=case.language,
                tags=case.tags,
                prompt=case.prompt,
                asks_for_tests=case.expectations.should_compile and case.expectations.should_pass_tests,
            )
            for case in eval_set.cases
        ),
    )


def asked_cases(eval_sets: Sequence[EvalSetSummary]) -> dict[CaseId, AskedCase]:
    """Every case that was asked, by its full name."""
    return {CaseId(each.id, case.id): case for each in eval_sets for case in each.cases}


def encode_header(report: Report) -> Json:
    """Everything that stands before the results."""
    settings = report.settings
    weights = {each.weights for each in report.eval_sets} or {Weights()}
    return {
        "format_version": FORMAT_VERSION,
        "id": report.id,
        "created_at": report.created_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "duration_ms": _ms(report.duration_ms),
        "eval_sets": [_eval_set(each) for each in report.eval_sets],
        "settings": {
            "pass_k": list(settings.pass_k),
            "samples": settings.samples,
            "temperature": settings.temperature,
            "max_tokens": settings.max_tokens,
            "seed": settings.seed,
            # sets that differ state their own, under eval_sets
            "weights": to_file(to_builtins(weights.pop())) if len(weights) == 1 else None,
            "prompt_template_hash": settings.prompt_template_hash,
            **settings.further,
        },
        "models_evaluated": list(report.models_evaluated),
    }


def _eval_set(summary: EvalSetSummary) -> Json:
    cases = [{**to_builtins(case), "tags": list(case.tags)} for case in summary.cases]
    return {**to_builtins(summary), "weights": to_file(to_builtins(summary.weights)), "cases": cases}


def encode_sample(sample: Sample) -> Json:
    """One of the results."""
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
        "compilation": _compilation(verdict) if verdict else None,
        "test_execution": _test_execution(verdict) if verdict and verdict.tests else None,
        "clippy": _lints(verdict) if verdict and verdict.compiled else None,
        "score": _score(sample.score) if sample.score else None,
        "correct": sample.correct,
        "recheck": _recheck(sample.recheck) if sample.recheck else None,
        "verified": verdict.verified if verdict else None,
        "conditions": to_builtins(verdict.conditions) if verdict else [],
        "integrity": to_builtins(verdict.integrity) if verdict else [],
        "provenance": to_builtins(verdict.provenance) if verdict else _NO_PROVENANCE,
        "timing": {
            "llm_request_ms": _ms(sample.latency_ms),
            "compilation_ms": _ms(verdict.compile_ms) if verdict else None,
            "test_execution_ms": _ms(verdict.test_ms) if verdict else None,
            "total_ms": _ms((sample.latency_ms or 0.0) + sample.total_ms),
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


def _score(score: Score) -> Json:
    return {name: rounded(part) for name, part in to_file(to_builtins(score)).items()}


def _compilation(verdict: Verdict) -> Json:
    return {
        "success": verdict.compiled,
        "errors": to_builtins(verdict.errors),
        "warnings": to_builtins(verdict.warnings),
        "duration_ms": _ms(verdict.compile_ms),
    }


def _test_execution(verdict: Verdict) -> Json:
    statuses = [test.status for test in verdict.tests]
    return {
        "passed": statuses.count("passed"),
        "failed": statuses.count("failed"),
        "ignored": statuses.count("ignored"),
        "duration_ms": _ms(verdict.test_ms),
        "failures": [
            {"name": test.name, "message": test.message, "stdout": test.stdout, "timed_out": test.timed_out}
            for test in verdict.tests
            if test.status == "failed"
        ],
    }


def _lints(verdict: Verdict) -> Json:
    return {"warning_count": len(verdict.lints), "warnings": to_builtins(verdict.lints)}


def encode_aggregate(summed_up: Aggregate) -> Json:
    """Everything that stands after the results: plain numbers, and their intervals beside them."""
    per_case: dict[str, Json] = {}
    for case, models in summed_up.per_case.items():
        per_case.setdefault(case.eval_set_id, {})[case.case_id] = encode_case(models)
    return {
        "per_model": {model: _of_model(each) for model, each in summed_up.per_model.items()},
        "per_case": per_case,
        "flaky": [attempt._asdict() for attempt in summed_up.flaky],
        "per_tag": {
            tag: {model: _of_model(each) for model, each in models.items()} for tag, models in summed_up.per_tag.items()
        },
    }


def encode_case(models: Mapping[str, CaseAggregate]) -> Json:
    """What is said of one case."""
    return {"per_model": {model: _of_case(each) for model, each in models.items()}}


def _of_model(each: ModelAggregate) -> Json:
    return {
        "samples": {"asked": each.asked, "judged": each.judged, "unjudged": each.unjudged},
        "total_cost_usd": rounded(each.cost_usd.value),
        "prompt_tokens": _whole(each.prompt_tokens.value),
        "completion_tokens": _whole(each.completion_tokens.value),
        "samples_known": {
            "cost": each.cost_usd.known,
            "prompt_tokens": each.prompt_tokens.known,
            "completion_tokens": each.completion_tokens.known,
        },
        "pass_at_k_cases": encode_coverage(each.pass_at_k),
        **encode_estimates(
            {k: passing.estimate for k, passing in each.pass_at_k.items()},
            compilation_rate=each.compilation_rate,
            mean_test_pass_rate=each.mean_test_pass_rate,
            mean_score=each.mean_score,
            mean_latency_ms=each.mean_latency_ms,
        ),
    }


def _of_case(each: CaseAggregate) -> Json:
    return {
        "samples": {"asked": each.asked, "judged": each.judged, "unjudged": each.asked - each.judged},
        "correct": each.correct,
        **encode_estimates(each.pass_at_k, mean_score=each.mean_score),
    }


def encode_coverage(pass_at_k: Mapping[int, PassAtK]) -> Json:
    """For how many cases each Pass@k is known."""
    return {str(k): {"known": each.known, "total": each.total} for k, each in pass_at_k.items()}


def encode_estimates(pass_at_k: Mapping[int, Estimate | None], **others: Estimate | None) -> Json:
    """Values by name, null where unknown; beside them, under `intervals`, their ends by the same names."""
    passing = {str(k): each for k, each in pass_at_k.items()}
    return {
        "pass_at_k": _values(passing),
        **_values(others),
        "intervals": {"pass_at_k": _intervals(passing), **_intervals(others)},
    }


def _values(estimates: Mapping[str, Estimate | None]) -> Json:
    return {name: rounded(each.value) if each else None for name, each in estimates.items()}


def _intervals(estimates: Mapping[str, Estimate | None]) -> Json:
    return {
        name: [rounded(end) for end in each.interval] if each and each.interval else None
        for name, each in estimates.items()
    }


def rounded(number: float | None) -> float | None:
    """The number as reports write it, so that equal results are equal bytes."""
    # twelve decimals keep all that the formulas promise, and drop the bits in which machines may differ
    return None if number is None else round(number, 12)


def _ms(number: float | None) -> float | None:
    return None if number is None else round(number, 3)


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)
