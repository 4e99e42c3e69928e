"""The report of a run: its values, and how it is built from samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from forgetest.evalset import EvalSet, Weights
from forgetest.report.aggregate import Aggregate, AskedCase, CaseId, aggregate
from forgetest.sample import Sample

FORMAT_VERSION = 1
"""Raised when a reader of the JSON form would have to change."""

FILENAME = "report.json"
"""The name of the JSON form in a run's folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSummary:
    """A case without its tests and reference solution."""

    id: str
    name: str
    language: str
    tags: tuple[str, ...]
    prompt: str
    asks_for_tests: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSetSummary:
    """An eval set without the tests and reference solutions of its cases."""

    id: str
    name: str
    case_count: int
    hash: str
    weights: Weights
    cases: tuple[CaseSummary, ...] = ()
    """The cases that were asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Settings of a run; None where one is not known, as for samples made elsewhere."""

    pass_k: tuple[int, ...] = (1,)
    samples: int = 1
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    prompt_template_hash: str | None = None
    further: Mapping[str, Any] = field(default_factory=dict)
    """Further settings to record: JSON values by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """A report without its aggregate: everything that cannot be computed from the rest."""

    id: str
    created_at: datetime
    duration_ms: float
    eval_sets: tuple[EvalSetSummary, ...]
    settings: RunSettings
    models_evaluated: tuple[str, ...]
    results: Iterable[Sample]
    """Sorted by attempt. Iterating reads them again from their source, so that they are never all in memory."""
    path: str = ""
    """The file that it was read from, as the user named it; empty for a run of this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(ReportContent):
    """The results of a run and what they amount to."""

    aggregate: Aggregate

    def _repr_html_(self) -> str:
        from forgetest.report.notebook import models_table

        return models_table(self.id, self.aggregate.per_model)


def summarise(
    results: Iterable[Sample],
    eval_sets: Sequence[EvalSet],
    settings: RunSettings,
    *,
    report_id: str,
    created_at: datetime,
    duration_ms: float,
) -> Report:
    """Build the report of samples, sorted by attempt; the eval sets hold the cases that were asked."""
    if iter(results) is results:
        raise ValueError("results can be iterated only once, but every report format iterates them")
    summaries = tuple(_summary(eval_set) for eval_set in sorted(eval_sets, key=lambda eval_set: eval_set.id))
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
    """Return every case that was asked, by its full name."""
    return {CaseId(eval_set.id, case.id): case for eval_set in eval_sets for case in eval_set.cases}
