"""Scores of each model in two reports, over all compared cases and over those with a tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from forgetest.comparison.scores import CaseScores, ScoredCase
from forgetest.report.aggregate import CaseId
from forgetest.statistics.intervals import Cluster, Estimate, PassAtK, bounded_mean, mean_pass_at_k
from forgetest.statistics.significance import ModelSignificance


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelScores:
    """The scores of a model in one report, over the compared cases."""

    mean_score: Estimate
    """Mean over judged attempts."""
    pass_rate: Estimate
    """Share of correct attempts, with equal weight for every case."""
    pass_at_k: Mapping[int, PassAtK]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChange:
    """The scores of a model in both reports, over the compared cases."""

    model: str
    cases: int
    baseline: ModelScores
    current: ModelScores
    evidence: ModelSignificance


@dataclass(frozen=True, slots=True, kw_only=True)
class TagChange:
    """The scores of a model in both reports, over the compared cases with a tag."""

    tag: str
    model: str
    cases: int
    baseline: ModelScores
    current: ModelScores


def by_model(
    keys: Sequence[ScoredCase],
    before: Mapping[ScoredCase, CaseScores],
    after: Mapping[ScoredCase, CaseScores],
    pass_k: Sequence[int],
    evidence: Mapping[str, ModelSignificance],
) -> tuple[ModelChange, ...]:
    """Return the scores of each model over all compared cases."""
    found: dict[str, list[ScoredCase]] = {}
    for key in keys:
        found.setdefault(key.model, []).append(key)
    return tuple(
        ModelChange(
            model=model,
            cases=len(members),
            baseline=_score_model([before[key] for key in members], pass_k),
            current=_score_model([after[key] for key in members], pass_k),
            evidence=evidence[model],
        )
        for model, members in sorted(found.items())
    )


def by_tag(
    keys: Sequence[ScoredCase],
    before: Mapping[ScoredCase, CaseScores],
    after: Mapping[ScoredCase, CaseScores],
    pass_k: Sequence[int],
    tags: Mapping[CaseId, Sequence[str]],
) -> tuple[TagChange, ...]:
    """Return the scores of each model over the compared cases of each tag."""
    found: dict[tuple[str, str], list[ScoredCase]] = {}
    for key in keys:
        for tag in tags.get(CaseId(key.eval_set_id, key.case_id), ()):
            found.setdefault((tag, key.model), []).append(key)
    return tuple(
        TagChange(
            tag=tag,
            model=model,
            cases=len(members),
            baseline=_score_model([before[key] for key in members], pass_k),
            current=_score_model([after[key] for key in members], pass_k),
        )
        for (tag, model), members in sorted(found.items())
    )


def _score_model(cases: Sequence[CaseScores], pass_k: Sequence[int]) -> ModelScores:
    mean_score = bounded_mean(Cluster(fsum(case.scores), len(case.scores)) for case in cases)
    counts = [(len(case.scores), case.correct) for case in cases]
    pass_rate = mean_pass_at_k(counts, 1).estimate
    assert mean_score is not None, "only cases with judged attempts are compared"
    assert pass_rate is not None, "only cases with judged attempts are compared"
    return ModelScores(
        mean_score=mean_score,
        pass_rate=pass_rate,
        pass_at_k={k: mean_pass_at_k(counts, k) for k in pass_k},
    )
