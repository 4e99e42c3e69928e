"""Samples → Aggregate: figures per model, per case and per tag.

One pass over the samples, which keeps one small value for each case and model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import fsum
from typing import NamedTuple, Protocol

from forgetest.report import visible_gap
from forgetest.report.visible_gap import VisibleGap
from forgetest.sample import Attempt, Sample, Usage
from forgetest.scoring import test_rate
from forgetest.statistics.intervals import (
    Cluster,
    Estimate,
    PassAtK,
    bounded_mean,
    mean_pass_at_k,
    pass_at_k_of_case,
    unbounded_mean,
)


class CaseId(NamedTuple):
    """The full name of a case: eval set and case."""

    eval_set_id: str
    case_id: str

    def __str__(self) -> str:
        return f"{self.eval_set_id}/{self.case_id}"


class AskedCase(Protocol):
    """The properties of a case that its aggregate depends on."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags of the case."""

    @property
    def asks_for_tests(self) -> bool:
        """True if a sample has tests to pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A sum over the samples whose value is known; None if it is known for none."""

    value: float | None
    known: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAggregate:
    """The results of one model over all cases, or over those with a tag."""

    asked: int
    judged: int
    pass_at_k: Mapping[int, PassAtK]
    compilation_rate: Estimate | None
    """Share of judged samples that compile."""
    mean_test_pass_rate: Estimate | None
    """Mean over the cases with tests; a sample that does not compile counts as 0."""
    mean_score: Estimate | None
    """Mean over judged samples."""
    mean_latency_ms: Estimate | None
    cost_usd: Total
    prompt_tokens: Total
    completion_tokens: Total
    visible_gap: VisibleGap | None = None
    """None where no case has both visible and hidden tests."""

    @property
    def unjudged(self) -> int:
        """Number of samples that we failed to judge."""
        return self.asked - self.judged


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAggregate:
    """The results of one model at one case."""

    asked: int
    judged: int
    correct: int
    pass_at_k: Mapping[int, Estimate | None]
    mean_score: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """Figures over all samples of a run. Models are named `provider/model`."""

    per_model: Mapping[str, ModelAggregate]
    per_case: Mapping[CaseId, Mapping[str, CaseAggregate]]
    per_tag: Mapping[str, Mapping[str, ModelAggregate]]
    flaky: tuple[Attempt, ...] = ()
    """Attempts whose verdict changed when they were judged again."""
    found_out: tuple[Attempt, ...] = ()
    """Attempts with an integrity finding that makes a sample incorrect, whatever its tests say."""
    unverified: tuple[Attempt, ...] = ()
    """Correct attempts with unsafe or foreign code, so that their passed tests are not proved."""
    unprotected: tuple[Attempt, ...] = ()
    """Correct attempts that could have reached their tests, or answered for their own values."""
    uncontrolled: tuple[Attempt, ...] = ()
    """Correct attempts that passed a control, or a test that has none."""


def aggregate(samples: Iterable[Sample], cases: Mapping[CaseId, AskedCase], pass_k: Sequence[int]) -> Aggregate:
    """Aggregate samples, which are sorted by attempt; `cases` are those that were asked."""
    totals: dict[str, dict[CaseId, _CaseTotals]] = {}
    per_case: dict[CaseId, dict[str, CaseAggregate]] = {}
    attention = _Attention()
    for key, group in groupby(
        _collect_attention(_check_order(samples), attention), key=lambda sample: sample.attempt._replace(attempt=0)
    ):
        case = CaseId(key.eval_set_id, key.case_id)
        observations = [_observe(sample) for sample in group]
        judged = [observation for observation in observations if observation.judged]
        totals.setdefault(key.model_name, {})[case] = _case_totals(observations, judged, cases.get(case))
        per_case.setdefault(case, {})[key.model_name] = _of_case(len(observations), judged, pass_k)
    # a case without any sample was asked nevertheless
    asked = set(cases) | set(per_case)
    tagged = {
        tag: {case_id for case_id, case in cases.items() if tag in case.tags}
        for tag in sorted({tag for case in cases.values() for tag in case.tags})
    }
    models = sorted(totals)
    return Aggregate(
        per_model={model: _model_aggregate(totals[model], asked, pass_k) for model in models},
        per_case=per_case,
        per_tag={
            tag: {
                model: _model_aggregate(totals[model], members, pass_k)
                for model in models
                if not members.isdisjoint(totals[model])
            }
            for tag, members in tagged.items()
        },
        flaky=tuple(attention.flaky),
        found_out=tuple(attention.found_out),
        unverified=tuple(attention.unverified),
        uncontrolled=tuple(attention.uncontrolled),
        unprotected=tuple(attention.unprotected),
    )


class _SampleObservation(NamedTuple):
    """The part of a sample that the aggregate needs, without its code and diagnostics."""

    judged: bool
    correct: bool
    compiled: bool
    score: float
    test_rate: float
    latency_ms: float | None
    usage: Usage
    visible_gap: VisibleGap | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaseTotals:
    """Totals of one model's samples of one case."""

    asked: int
    judged: int
    correct: int
    compiled: int
    scores: float
    test_rate: float | None
    """Mean over judged samples; None if the case has no tests, or none was judged."""
    latency: Cluster
    cost: Cluster
    prompt_tokens: Cluster
    completion_tokens: Cluster
    visible_gap: VisibleGap | None


def _check_order(samples: Iterable[Sample]) -> Iterator[Sample]:
    previous: Attempt | None = None
    for sample in samples:
        if previous is not None and sample.attempt <= previous:
            raise ValueError(f"not sorted, or there twice: {sample.attempt} after {previous}")
        previous = sample.attempt
        yield sample


@dataclass(frozen=True, slots=True)
class _Attention:
    flaky: list[Attempt] = field(default_factory=list)
    found_out: list[Attempt] = field(default_factory=list)
    unverified: list[Attempt] = field(default_factory=list)
    unprotected: list[Attempt] = field(default_factory=list)
    uncontrolled: list[Attempt] = field(default_factory=list)


def _collect_attention(samples: Iterable[Sample], attention: _Attention) -> Iterator[Sample]:
    """Pass samples on, and collect the attempts that reports name."""
    for sample in samples:
        if sample.recheck is not None and sample.recheck.flaky:
            attention.flaky.append(sample.attempt)
        if sample.verdict is not None and any(finding.forbids for finding in sample.verdict.integrity):
            attention.found_out.append(sample.attempt)
        if sample.correct and sample.verdict is not None and not sample.verdict.verified:
            concerns = {finding.is_about for finding in sample.verdict.integrity}
            if not concerns.isdisjoint({"unsafe", "foreign"}):
                attention.unverified.append(sample.attempt)
            elif "unsound" in concerns:
                attention.unprotected.append(sample.attempt)
            else:
                attention.uncontrolled.append(sample.attempt)
        yield sample


def _observe(sample: Sample) -> _SampleObservation:
    judged = sample.outcome == "judged"
    if judged and (sample.score is None or sample.correct is None):
        raise ValueError(f"judged, but without a score: {sample.attempt}")
    compiled = judged and sample.verdict is not None and sample.verdict.compiled
    return _SampleObservation(
        judged=judged,
        correct=judged and sample.correct is True,
        compiled=compiled,
        score=sample.score.overall if judged and sample.score else 0.0,
        test_rate=test_rate(sample.verdict) if compiled and sample.verdict else 0.0,
        latency_ms=sample.latency_ms,
        usage=sample.usage,
        visible_gap=visible_gap.of_verdict(sample.verdict) if judged else None,
    )


def _case_totals(
    observations: Sequence[_SampleObservation], judged: Sequence[_SampleObservation], case: AskedCase | None
) -> _CaseTotals:
    asks_tests = case is None or case.asks_for_tests
    return _CaseTotals(
        asked=len(observations),
        judged=len(judged),
        correct=sum(observation.correct for observation in judged),
        compiled=sum(observation.compiled for observation in judged),
        scores=fsum(observation.score for observation in judged),
        test_rate=fsum(observation.test_rate for observation in judged) / len(judged)
        if judged and asks_tests
        else None,
        latency=_known_values(observation.latency_ms for observation in observations),
        cost=_known_values(observation.usage.cost_usd for observation in observations),
        prompt_tokens=_known_values(observation.usage.prompt_tokens for observation in observations),
        completion_tokens=_known_values(observation.usage.completion_tokens for observation in observations),
        visible_gap=visible_gap.total(observation.visible_gap for observation in observations),
    )


def _known_values(values: Iterable[float | None]) -> Cluster:
    known = [value for value in values if value is not None]
    return Cluster(fsum(known), len(known))


def _of_case(asked: int, judged: Sequence[_SampleObservation], pass_k: Sequence[int]) -> CaseAggregate:
    correct = sum(observation.correct for observation in judged)
    return CaseAggregate(
        asked=asked,
        judged=len(judged),
        correct=correct,
        pass_at_k={k: pass_at_k_of_case(len(judged), correct, k) for k in pass_k},
        # within one case, attempts are independent
        mean_score=bounded_mean(Cluster(observation.score, 1) for observation in judged),
    )


def _model_aggregate(totals: Mapping[CaseId, _CaseTotals], cases: set[CaseId], pass_k: Sequence[int]) -> ModelAggregate:
    kept = [case for case_id, case in totals.items() if case_id in cases]
    asked = sum(case.asked for case in kept)
    counts = [(case.judged, case.correct) for case in kept]
    counts += [(0, 0)] * (len(cases) - len(kept))
    return ModelAggregate(
        asked=asked,
        judged=sum(case.judged for case in kept),
        pass_at_k={k: mean_pass_at_k(counts, k) for k in pass_k},
        compilation_rate=bounded_mean(Cluster(case.compiled, case.judged) for case in kept),
        mean_test_pass_rate=bounded_mean(Cluster(case.test_rate, 1) for case in kept if case.test_rate is not None),
        mean_score=bounded_mean(Cluster(case.scores, case.judged) for case in kept),
        mean_latency_ms=unbounded_mean(case.latency for case in kept),
        cost_usd=_total_of_clusters((case.cost for case in kept), asked),
        prompt_tokens=_total_of_clusters((case.prompt_tokens for case in kept), asked),
        completion_tokens=_total_of_clusters((case.completion_tokens for case in kept), asked),
        visible_gap=visible_gap.total(case.visible_gap for case in kept),
    )


def _total_of_clusters(clusters: Iterable[Cluster], asked: int) -> Total:
    known = [cluster for cluster in clusters if cluster.size]
    value = fsum(cluster.total for cluster in known) if known else None
    return Total(value=value, known=sum(cluster.size for cluster in known), total=asked)
