"""Two reports → Comparison: what got worse, what got better, and what cannot be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from forgetest.errors import UserError
from forgetest.report_file import CaseKey, RecordedCase, RecordedReport
from forgetest.statistics import Cluster, Estimate, PassAtK, bounded_mean, mean_pass_at_k

TOLERANCE = 1e-9
"""Below this a difference is floating point: scores are rounded to twelve decimals, means to none.

1.0 - 0.95 is more than 0.05 in binary, and must not be a regression at the threshold 0.05. Real
differences are coarser by far: a test of a thousand is worth 0.0005.
"""

Reason = Literal["new", "gone", "unjudged in baseline", "unjudged in current", "unjudged in both"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One model's mean score at one case, before and after."""

    eval_set_id: str
    case_id: str
    model: str
    baseline: float
    current: float
    baseline_attempts: int
    current_attempts: int

    @property
    def delta(self) -> float:
        """How much the score rose."""
        return self.current - self.baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComparable:
    """One model at one case of which only one report can tell."""

    eval_set_id: str
    case_id: str
    model: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCondition:
    """Something beside the model that differs between the reports; None where one does not tell."""

    name: str
    baseline: str | None
    current: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A model in one report, over the cases that are compared."""

    mean_score: Estimate
    """Over judged attempts."""
    pass_at_k: Mapping[int, PassAtK]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChange:
    """A model in both reports, over the cases that are compared."""

    model: str
    cases: int
    baseline: Standing
    current: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two models of different names that are compared, because each report holds just one."""

    baseline: str
    current: str

    def __str__(self) -> str:
        return f"{self.baseline} → {self.current}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where one side of a comparison comes from."""

    path: str
    id: str
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What changed between two reports."""

    threshold: float
    baseline: Source
    current: Source
    paired: Paired | None
    regressions: tuple[Change, ...]
    """Worst first."""
    improvements: tuple[Change, ...]
    """Best first."""
    unchanged: tuple[Change, ...]
    not_comparable: tuple[NotComparable, ...]
    changed_conditions: tuple[ChangedCondition, ...]
    models: tuple[ModelChange, ...]

    @property
    def missing(self) -> tuple[NotComparable, ...]:
        """What is gone or unjudged, and so may hide a regression."""
        return tuple(each for each in self.not_comparable if each.reason != "new")


def compare(baseline: RecordedReport, current: RecordedReport, threshold: float) -> Comparison:
    """Hold the current report against the baseline; a drop of more than the threshold is a regression."""
    if not 0 <= threshold <= 1:
        raise UserError(f"the threshold is {threshold}, but scores lie in 0..1, and so must it")
    paired = _pair(baseline, current)
    before, after = _named(baseline, paired), _named(current, paired)
    changes: list[Change] = []
    not_comparable: list[NotComparable] = []
    for key in sorted(before.keys() | after.keys()):
        judged = _compare_case(key, before.get(key), after.get(key))
        if isinstance(judged, Change):
            changes.append(judged)
        else:
            not_comparable.append(judged)
    if not changes:
        raise UserError(_nothing_comparable(baseline, current, not_comparable))
    bar = threshold + TOLERANCE
    return Comparison(
        threshold=threshold,
        baseline=_source(baseline),
        current=_source(current),
        paired=paired,
        regressions=tuple(sorted((each for each in changes if each.delta < -bar), key=_rise)),
        improvements=tuple(sorted((each for each in changes if each.delta > bar), key=_fall)),
        unchanged=tuple(each for each in changes if abs(each.delta) <= bar),
        not_comparable=tuple(not_comparable),
        changed_conditions=_changed_conditions(baseline, current),
        models=_by_model(changes, before, after, sorted({*baseline.pass_k, *current.pass_k})),
    )


def _rise(change: Change) -> float:
    return change.delta


def _fall(change: Change) -> float:
    return -change.delta


def _pair(baseline: RecordedReport, current: RecordedReport) -> Paired | None:
    match baseline.models, current.models:
        case [[before], [after]] if before != after:
            return Paired(baseline=before, current=after)
    return None


def _named(report: RecordedReport, paired: Paired | None) -> dict[CaseKey, RecordedCase]:
    if paired is None:
        return dict(report.cases)
    return {key._replace(model=str(paired)): case for key, case in report.cases.items()}


def _compare_case(key: CaseKey, before: RecordedCase | None, after: RecordedCase | None) -> Change | NotComparable:
    old, new = before.mean_score if before else None, after.mean_score if after else None
    if before is not None and after is not None and old is not None and new is not None:
        return Change(
            **key._asdict(),
            baseline=old,
            current=new,
            baseline_attempts=len(before.scores),
            current_attempts=len(after.scores),
        )
    return NotComparable(**key._asdict(), reason=_reason(before, after))


def _reason(before: RecordedCase | None, after: RecordedCase | None) -> Reason:
    if before is None:
        return "new"
    if after is None:
        return "gone"
    if not before.scores and not after.scores:
        return "unjudged in both"
    return "unjudged in current" if before.scores else "unjudged in baseline"


def _nothing_comparable(baseline: RecordedReport, current: RecordedReport, found: Sequence[NotComparable]) -> str:
    reasons = [each.reason for each in found]
    counted = ", ".join(f"{reasons.count(reason)} {reason}" for reason in sorted(set(reasons)))
    sides = "; ".join(f"{report.path} holds {_holds(report)}" for report in (baseline, current))
    return f"nothing to compare ({counted or 'no results'}): {sides}"


def _holds(report: RecordedReport) -> str:
    sets = sorted({key.eval_set_id for key in report.cases})
    return f"{', '.join(report.models)} at {', '.join(sets)}" if sets else "no results"


def _changed_conditions(baseline: RecordedReport, current: RecordedReport) -> tuple[ChangedCondition, ...]:
    return tuple(
        ChangedCondition(name=name, baseline=value, current=current.conditions[name])
        for name, value in baseline.conditions.items()
        if name in current.conditions and current.conditions[name] != value
    )


def _by_model(
    changes: Sequence[Change],
    before: Mapping[CaseKey, RecordedCase],
    after: Mapping[CaseKey, RecordedCase],
    pass_k: Sequence[int],
) -> tuple[ModelChange, ...]:
    found = []
    for model in sorted({change.model for change in changes}):
        keys = [CaseKey(each.eval_set_id, each.case_id, model) for each in changes if each.model == model]
        found.append(
            ModelChange(
                model=model,
                cases=len(keys),
                baseline=_standing([before[key] for key in keys], pass_k),
                current=_standing([after[key] for key in keys], pass_k),
            )
        )
    return tuple(found)


def _standing(cases: Sequence[RecordedCase], pass_k: Sequence[int]) -> Standing:
    mean_score = bounded_mean(Cluster(fsum(case.scores), len(case.scores)) for case in cases)
    assert mean_score is not None, "only cases with judged attempts are compared"
    counts = [(len(case.scores), case.correct) for case in cases]
    return Standing(mean_score=mean_score, pass_at_k={k: mean_pass_at_k(counts, k) for k in pass_k})


def _source(report: RecordedReport) -> Source:
    return Source(path=report.path, id=report.id, created_at=report.created_at)
