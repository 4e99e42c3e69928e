"""A comparison as JSON: the stable form, described by docs/schemas/comparison.schema.json."""

from __future__ import annotations

from dataclasses import asdict
from typing import IO, Any

import msgspec

from forgetest.comparison import Change, Comparison
from forgetest.comparison.per_model import ModelScores
from forgetest.files.printable import terminal_safe_json
from forgetest.report.encode import encode_coverage, encode_estimates, rounded
from forgetest.statistics.intervals import Estimate
from forgetest.statistics.significance import ModelSignificance

FORMAT_VERSION = 1
"""Raised when a reader of the JSON form would have to change."""


def write(comparison: Comparison, stream: IO[str]) -> None:
    """Write the comparison, indented."""
    content = msgspec.json.encode(encode(comparison))
    stream.write(terminal_safe_json(msgspec.json.format(content, indent=2).decode()) + "\n")


def encode(comparison: Comparison) -> dict[str, Any]:
    """Return the JSON form as a value."""
    return {
        "format_version": FORMAT_VERSION,
        "threshold": comparison.threshold,
        "gate": comparison.gate,
        "regressed": comparison.regressed,
        "ruling": comparison.ruling,
        "baseline": asdict(comparison.baseline),
        "current": asdict(comparison.current),
        "paired_models": asdict(comparison.paired) if comparison.paired else None,
        "changed_conditions": [asdict(changed) for changed in comparison.changed_conditions],
        "regressions": [_encode_change(change) for change in comparison.regressions],
        "improvements": [_encode_change(change) for change in comparison.improvements],
        "unchanged": [_encode_change(change) for change in comparison.unchanged],
        "not_comparable": [asdict(case) for case in comparison.not_comparable],
        "models": [
            {
                "model": model.model,
                "cases": model.cases,
                "baseline": _encode_model_scores(model.baseline),
                "current": _encode_model_scores(model.current),
                "evidence": _encode_significance(model.evidence),
            }
            for model in comparison.models
        ],
        "tags": [
            {
                "tag": tag.tag,
                "model": tag.model,
                "cases": tag.cases,
                "baseline": _encode_model_scores(tag.baseline),
                "current": _encode_model_scores(tag.current),
            }
            for tag in comparison.tags
        ],
    }


def _encode_change(change: Change) -> dict[str, Any]:
    return {
        "eval_set_id": change.eval_set_id,
        "case_id": change.case_id,
        "model": change.model,
        "baseline": rounded(change.baseline),
        "current": rounded(change.current),
        "baseline_attempts": change.baseline_attempts,
        "current_attempts": change.current_attempts,
        "delta": rounded(change.delta),
        "p_worse": rounded(change.evidence.p_worse) if change.evidence else None,
        "p_worse_adjusted": rounded(change.evidence.p_adjusted) if change.evidence else None,
    }


def _encode_model_scores(scores: ModelScores) -> dict[str, Any]:
    estimates = {k: pass_at_k.estimate for k, pass_at_k in scores.pass_at_k.items()}
    return {
        "pass_at_k_cases": encode_coverage(scores.pass_at_k),
        **encode_estimates(estimates, mean_score=scores.mean_score, pass_rate=scores.pass_rate),
    }


def _encode_significance(evidence: ModelSignificance) -> dict[str, Any]:
    return {
        "ruling": evidence.ruling,
        "test": evidence.test,
        "pass_rate": _estimate(evidence.change),
        "pass_rate_change_at_least": rounded(evidence.at_least),
        "p_worse": rounded(evidence.p.worse),
        "p_better": rounded(evidence.p.better),
        "p_worse_adjusted": rounded(evidence.p_adjusted),
        "level": evidence.level,
        "mean_score": {
            **_estimate(evidence.score.estimate),
            "p_worse": rounded(evidence.score.p.worse),
            "p_better": rounded(evidence.score.p.better),
        },
        "power_at_threshold": rounded(evidence.power),
        "minimum_detectable_effect": evidence.minimum_detectable_effect,
        "cases_to_settle": evidence.cases_to_settle,
        "attempts_to_settle": evidence.attempts_to_settle,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    interval = [rounded(end) for end in estimate.interval] if estimate.interval else None
    return {"change": rounded(estimate.value), "interval": interval}
