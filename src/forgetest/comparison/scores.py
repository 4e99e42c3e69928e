"""The part of a report that a comparison needs: scores by case and model, and the conditions of the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import NamedTuple

from forgetest.evalset import Weights
from forgetest.report import EvalSetSummary, ReportContent
from forgetest.report.aggregate import CaseId
from forgetest.report.encode import encode_time
from forgetest.report.scored import scored_samples


class ScoredCase(NamedTuple):
    """The unit of comparison: one model at one case of one eval set."""

    eval_set_id: str
    case_id: str
    model: str
    """`provider/model`"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseScores:
    """The results of one model at one case."""

    scores: tuple[float, ...]
    """Of judged attempts only."""
    correct: int

    @property
    def mean_score(self) -> float | None:
        """None if no attempt was judged."""
        return fsum(self.scores) / len(self.scores) if self.scores else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportScores:
    """One side of a comparison."""

    path: str
    id: str
    created_at: str
    pass_k: tuple[int, ...]
    cases: Mapping[ScoredCase, CaseScores]
    conditions: Mapping[str, str | None]
    """Everything but the model that the scores depend on, by name; None where the report does not record it."""
    tags: Mapping[CaseId, tuple[str, ...]] = field(default_factory=dict)
    """Of the cases that have any."""

    @property
    def models(self) -> list[str]:
        """The models with results, sorted."""
        return sorted({key.model for key in self.cases})


def scores_of(report: ReportContent) -> ReportScores:
    """Collect the scores of a report in one pass over its results."""
    scores: dict[ScoredCase, list[float]] = {}
    correct: dict[ScoredCase, int] = {}
    toolchains: set[str | None] = set()
    sandboxes: set[str | None] = set()
    for sample in scored_samples(report.results):
        attempt = sample.attempt
        key = ScoredCase(attempt.eval_set_id, attempt.case_id, attempt.model_name)
        case_scores = scores.setdefault(key, [])
        if sample.score is not None:
            case_scores.append(sample.score)
        correct[key] = correct.get(key, 0) + (sample.correct is True)
        toolchains.add(sample.toolchain)
        sandboxes.add(sample.sandbox)
    settings = report.settings
    return ReportScores(
        path=report.path,
        id=report.id,
        created_at=encode_time(report.created_at),
        pass_k=settings.pass_k,
        cases={key: CaseScores(scores=tuple(scores[key]), correct=correct[key]) for key in sorted(scores)},
        conditions={
            **_conditions_of_sets(report.eval_sets),
            "toolchain": _joined(toolchains),
            "sandbox": _joined(sandboxes),
            "prompt template": settings.prompt_template_hash,
            "temperature": _text_or_none(settings.temperature),
            "max tokens": _text_or_none(settings.max_tokens),
        },
        tags={
            CaseId(eval_set.id, case.id): case.tags
            for eval_set in report.eval_sets
            for case in eval_set.cases
            if case.tags
        },
    )


def _conditions_of_sets(eval_sets: Iterable[EvalSetSummary]) -> dict[str, str | None]:
    conditions: dict[str, str | None] = {}
    for eval_set in eval_sets:
        conditions[f"eval set {eval_set.id}"] = eval_set.hash or None
        conditions[f"weights of {eval_set.id}"] = _weights(eval_set.weights)
    return conditions


def _weights(weights: Weights) -> str:
    return f"compilation {weights.compilation}, tests {weights.tests}, clippy {weights.lint}"


def _joined(values: Iterable[str | None]) -> str | None:
    return ", ".join(sorted(filter(None, values))) or None


def _text_or_none(value: float | None) -> str | None:
    return None if value is None else str(value)
