"""The samples behind a comparison's changes, from both reports, to be shown side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from forgetest.comparison import Change, Comparison
from forgetest.comparison.scores import ScoredCase
from forgetest.report import ReportContent
from forgetest.sample import Sample

MOST_CHANGES = 1_000
MOST_ATTEMPTS = 5
"""Of a case on each side; further ones are in the reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSamples:
    """The samples of one case and model in both reports."""

    baseline: tuple[Sample, ...]
    current: tuple[Sample, ...]
    language: str | None
    """Of the case; None where the report does not record it."""


def find_changed_samples(
    comparison: Comparison, baseline: ReportContent, current: ReportContent
) -> Iterator[tuple[Change, ChangedSamples]]:
    """Yield the changes, worst first and then best first, each with its samples."""
    changes = [*comparison.regressions, *comparison.improvements][:MOST_CHANGES]
    paired = comparison.paired
    old_name, new_name = (paired.baseline, paired.current) if paired else (None, None)
    languages = {(eval_set.id, case.id): case.language for eval_set in current.eval_sets for case in eval_set.cases}
    before = _samples_by_case(baseline, {_key(change, old_name) for change in changes})
    after = _samples_by_case(current, {_key(change, new_name) for change in changes})
    for change in changes:
        samples = ChangedSamples(
            baseline=tuple(before[_key(change, old_name)]),
            current=tuple(after[_key(change, new_name)]),
            language=languages.get((change.eval_set_id, change.case_id)),
        )
        yield change, samples


def _key(change: Change, model: str | None) -> ScoredCase:
    return ScoredCase(change.eval_set_id, change.case_id, model or change.model)


def _samples_by_case(report: ReportContent, keys: Iterable[ScoredCase]) -> dict[ScoredCase, list[Sample]]:
    found: dict[ScoredCase, list[Sample]] = {key: [] for key in keys}
    if not found:
        return found
    for sample in report.results:
        attempt = sample.attempt
        kept = found.get(ScoredCase(attempt.eval_set_id, attempt.case_id, attempt.model_name))
        if kept is not None and len(kept) < MOST_ATTEMPTS:
            kept.append(sample)
    return found
