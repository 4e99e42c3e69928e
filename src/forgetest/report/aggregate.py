"""Samples → Aggregate: what a report says per model, per case and per tag.

One pass over the samples; what is kept is one small tally for each case and model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import fsum
from typing import NamedTuple, Protocol

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
    """A case's name, told apart from that of another eval set."""

    eval_set_id: str
    case_id: str

    def __str__(self) -> str:
        return f"{self.eval_set_id}/{self.case_id}"


class AskedCase(Protocol):
    """What must be known of a case to sum its samples up."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Its tags."""

    @property
    def asks_for_tests(self) -> bool:
        """Whether a sample has tests to pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """A sum over the samples where the summand is known; None where it is known for none."""

    value: float | None
    known: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAggregate:
    """What one model achieved, over all cases or over those with a tag."""

    asked: int
    judged: int
    pass_at_k: Mapping[int, PassAtK]
    compilation_rate: Estimate | None
    """The share of judged samples that compile."""
    mean_test_pass_rate: Estimate | None
    """The mean over the cases that ask for tests; a sample that does not compile counts 0."""
    mean_score: Estimate | None
    """The mean over judged samples."""
    mean_latency_ms: Estimate | None
    cost_usd: Total
    prompt_tokens: Total
    completion_tokens: Total

    @property
    def unjudged(self) -> int:
        """Samples without a verdict, for no fault of the model's."""
        return self.asked - self.judged


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAggregate:
    """What one model achieved at one case."""

    asked: int
    judged: int
    correct: int
    pass_at_k: Mapping[int, Estimate | None]
    mean_score: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """All that is said of a run beyond its single samples. Models are named `provider/model`."""

    per_model: Mapping[str, ModelAggregate]
    per_case: Mapping[CaseId, Mapping[str, CaseAggregate]]
    per_tag: Mapping[str, Mapping[str, ModelAggregate]]
    flaky: tuple[Attempt, ...] = ()
    """Whose verdict changed when they were judged again."""
    found_out: tuple[Attempt, ...] = ()
    """Which tried what makes a sample incorrect whatever its tests say."""
    unverified: tuple[Attempt, ...] = ()
    """Correct, but with unsafe or foreign code."""
    unprotected: tuple[Attempt, ...] = ()
    """Correct, but in a language that does not keep samples from their tests."""


def aggregate(samples: Iterable[Sample], cases: Mapping[CaseId, AskedCase], pass_k: Sequence[int]) -> Aggregate:
    """Sum up samples, sorted by attempt, of the cases that were asked."""
    tallies: dict[str, dict[CaseId, _Tally]] = {}
    per_case: dict[CaseId, dict[str, CaseAggregate]] = {}
    noted = _Noted()
    for key, group in groupby(
        _noting(_in_order(samples), noted), key=lambda sample: sample.attempt._replace(attempt=0)
    ):
        case = CaseId(key.eval_set_id, key.case_id)
        observations = [_observe(sample) for sample in group]
        judged = [each for each in observations if each.judged]
        tallies.setdefault(key.model_name, {})[case] = _tally(observations, judged, cases.get(case))
        per_case.setdefault(case, {})[key.model_name] = _of_case(len(observations), judged, pass_k)
    # a case without any sample is still a case that was asked
    asked = set(cases) | set(per_case)
    tagged = {
        tag: {case_id for case_id, case in cases.items() if tag in case.tags}
        for tag in sorted({tag for case in cases.values() for tag in case.tags})
    }
    models = sorted(tallies)
    return Aggregate(
        per_model={model: _of_model(tallies[model], asked, pass_k) for model in models},
        per_case=per_case,
        per_tag={
            tag: {
                model: _of_model(tallies[model], members, pass_k)
                for model in models
                if not members.isdisjoint(tallies[model])
            }
            for tag, members in tagged.items()
        },
        flaky=tuple(noted.flaky),
        found_out=tuple(noted.found_out),
        unverified=tuple(noted.unverified),
        unprotected=tuple(noted.unprotected),
    )


class _Observation(NamedTuple):
    """What counts of one sample, without its code and diagnostics."""

    judged: bool
    correct: bool
    compiled: bool
    score: float
    test_rate: float
    latency_ms: float | None
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tally:
    """One model's samples of one case, counted."""

    asked: int
    judged: int
    correct: int
    compiled: int
    scores: float
    test_rate: float | None
    """The mean over judged samples; None where the case asks for no tests, or none was judged."""
    latency: Cluster
    cost: Cluster
    prompt_tokens: Cluster
    completion_tokens: Cluster


def _in_order(samples: Iterable[Sample]) -> Iterator[Sample]:
    previous: Attempt | None = None
    for sample in samples:
        if previous is not None and sample.attempt <= previous:
            raise ValueError(f"not sorted, or there twice: {sample.attempt} after {previous}")
        previous = sample.attempt
        yield sample


@dataclass(frozen=True, slots=True)
class _Noted:
    flaky: list[Attempt] = field(default_factory=list)
    found_out: list[Attempt] = field(default_factory=list)
    unverified: list[Attempt] = field(default_factory=list)
    unprotected: list[Attempt] = field(default_factory=list)


def _noting(samples: Iterable[Sample], noted: _Noted) -> Iterator[Sample]:
    """Pass samples on, and note those that should be named."""
    for sample in samples:
        if sample.recheck is not None and sample.recheck.flaky:
            noted.flaky.append(sample.attempt)
        if sample.verdict is not None and any(finding.forbids for finding in sample.verdict.integrity):
            noted.found_out.append(sample.attempt)
        if sample.correct and sample.verdict is not None and not sample.verdict.verified:
            unsafe = any(finding.is_about in ("unsafe", "foreign") for finding in sample.verdict.integrity)
            (noted.unverified if unsafe else noted.unprotected).append(sample.attempt)
        yield sample


def _observe(sample: Sample) -> _Observation:
    judged = sample.outcome == "judged"
    if judged and (sample.score is None or sample.correct is None):
        raise ValueError(f"judged, but without a score: {sample.attempt}")
    compiled = judged and sample.verdict is not None and sample.verdict.compiled
    return _Observation(
        judged=judged,
        correct=judged and sample.correct is True,
        compiled=compiled,
        score=sample.score.overall if judged and sample.score else 0.0,
        test_rate=test_rate(sample.verdict) if compiled and sample.verdict else 0.0,
        latency_ms=sample.latency_ms,
        usage=sample.usage,
    )


def _tally(observations: Sequence[_Observation], judged: Sequence[_Observation], case: AskedCase | None) -> _Tally:
    asks_tests = case is None or case.asks_for_tests
    return _Tally(
        asked=len(observations),
        judged=len(judged),
        correct=sum(each.correct for each in judged),
        compiled=sum(each.compiled for each in judged),
        scores=fsum(each.score for each in judged),
        test_rate=fsum(each.test_rate for each in judged) / len(judged) if judged and asks_tests else None,
        latency=_known(each.latency_ms for each in observations),
        cost=_known(each.usage.cost_usd for each in observations),
        prompt_tokens=_known(each.usage.prompt_tokens for each in observations),
        completion_tokens=_known(each.usage.completion_tokens for each in observations),
    )


def _known(values: Iterable[float | None]) -> Cluster:
    known = [value for value in values if value is not None]
    return Cluster(fsum(known), len(known))


def _of_case(asked: int, judged: Sequence[_Observation], pass_k: Sequence[int]) -> CaseAggregate:
    correct = sum(each.correct for each in judged)
    return CaseAggregate(
        asked=asked,
        judged=len(judged),
        correct=correct,
        pass_at_k={k: pass_at_k_of_case(len(judged), correct, k) for k in pass_k},
        # within one case every attempt stands for itself
        mean_score=bounded_mean(Cluster(each.score, 1) for each in judged),
    )


def _of_model(tallies: Mapping[CaseId, _Tally], cases: set[CaseId], pass_k: Sequence[int]) -> ModelAggregate:
    kept = [tally for case, tally in tallies.items() if case in cases]
    asked = sum(tally.asked for tally in kept)
    counts = [(tally.judged, tally.correct) for tally in kept]
    counts += [(0, 0)] * (len(cases) - len(kept))
    return ModelAggregate(
        asked=asked,
        judged=sum(tally.judged for tally in kept),
        pass_at_k={k: mean_pass_at_k(counts, k) for k in pass_k},
        compilation_rate=bounded_mean(Cluster(tally.compiled, tally.judged) for tally in kept),
        mean_test_pass_rate=bounded_mean(Cluster(tally.test_rate, 1) for tally in kept if tally.test_rate is not None),
        mean_score=bounded_mean(Cluster(tally.scores, tally.judged) for tally in kept),
        mean_latency_ms=unbounded_mean(tally.latency for tally in kept),
        cost_usd=_sum((tally.cost for tally in kept), asked),
        prompt_tokens=_sum((tally.prompt_tokens for tally in kept), asked),
        completion_tokens=_sum((tally.completion_tokens for tally in kept), asked),
    )


def _sum(clusters: Iterable[Cluster], asked: int) -> Total:
    known = [cluster for cluster in clusters if cluster.size]
    value = fsum(cluster.total for cluster in known) if known else None
    return Total(value=value, known=sum(cluster.size for cluster in known), total=asked)
