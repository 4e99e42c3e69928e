"""Two reports → Comparison: what got worse, what got better, and what cannot be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from forgetest.comparison.per_model import ModelChange, TagChange, by_model, by_tag
from forgetest.comparison.scores import CaseScores, ReportScores, ScoredCase, scores_of
from forgetest.errors import UserError
from forgetest.report import ReportContent
from forgetest.statistics.power import Pair
from forgetest.statistics.significance import CaseEvidence, ComparedCase, Ruling, weigh

DEFAULT_THRESHOLD = 0.05

TOLERANCE = 1e-9
"""Smaller differences are floating-point noise: scores are rounded to twelve decimals, means to none.

1.0 - 0.95 is more than 0.05 in binary, and must not be a regression at the threshold 0.05. Real
differences are coarser by far: a test of a thousand is worth 0.0005.
"""

Gate = Literal["threshold", "significant"]
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
    evidence: CaseEvidence | None = None
    """The result of a test of this case alone; None with one attempt on either side."""

    @property
    def delta(self) -> float:
        """The rise of the score."""
        return self.current - self.baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComparable:
    """One model at one case that was judged in one report only, or in neither."""

    eval_set_id: str
    case_id: str
    model: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedCondition:
    """A condition other than the model that differs between the reports; None where one does not record it."""

    name: str
    baseline: str | None
    current: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """Two models of different names, compared because each report holds just one model."""

    baseline: str
    current: str

    def __str__(self) -> str:
        return f"{self.baseline} → {self.current}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedReport:
    """One side of a comparison."""

    path: str
    id: str
    created_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The differences between two reports."""

    threshold: float
    baseline: ComparedReport
    current: ComparedReport
    paired: Paired | None
    regressions: tuple[Change, ...]
    """Worst first."""
    improvements: tuple[Change, ...]
    """Best first."""
    unchanged: tuple[Change, ...]
    not_comparable: tuple[NotComparable, ...]
    changed_conditions: tuple[ChangedCondition, ...]
    models: tuple[ModelChange, ...]
    tags: tuple[TagChange, ...]
    ruling: Ruling
    """The outcome of the significance tests over all models."""
    gate: Gate = "threshold"
    """The criterion for `regressed`."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every case that is compared."""
        return (*self.regressions, *self.improvements, *self.unchanged)

    @property
    def regressed(self) -> bool:
        """True if there is a regression by the criterion of the gate."""
        return self.ruling == "regressed" if self.gate == "significant" else bool(self.regressions)

    @property
    def missing(self) -> tuple[NotComparable, ...]:
        """Cases that are gone or unjudged, and so may hide a regression."""
        return tuple(case for case in self.not_comparable if case.reason != "new")

    @property
    def warning(self) -> str | None:
        """Says that the reports have no case in common; None if they have one."""
        return None if self.changes else _nothing_to_compare(self.baseline, self.current, self.not_comparable)

    def _repr_html_(self) -> str:
        from forgetest.report.notebook import table

        changes = [("worse", change) for change in self.regressions]
        changes += [("better", change) for change in self.improvements]
        rows = [
            [
                kind,
                f"{change.eval_set_id}/{change.case_id}",
                change.model,
                f"{change.baseline:.3f}",
                f"{change.current:.3f}",
                f"{100 * change.delta:+.1f}",
            ]
            for kind, change in changes
        ]
        caption = (
            f"{self.baseline.path or self.baseline.id} → {self.current.path or self.current.id}: "
            f"{len(self.regressions)} worse, {len(self.improvements)} better, {len(self.unchanged)} unchanged, "
            f"{len(self.not_comparable)} not comparable"
        )
        return table(caption, ["", "Case", "Model", "Baseline", "Current", "Points"], rows)


def compare(
    baseline: ReportContent | ReportScores,
    current: ReportContent | ReportScores,
    threshold: float = DEFAULT_THRESHOLD,
    gate: Gate = "threshold",
) -> Comparison:
    """Compare two reports; a drop of a case's mean score by more than the threshold is a regression."""
    baseline = scores_of(baseline) if isinstance(baseline, ReportContent) else baseline
    current = scores_of(current) if isinstance(current, ReportContent) else current
    if not 0 <= threshold <= 1:
        raise UserError(f"the threshold is {threshold}, but scores lie in 0..1, and so must it")
    paired = _pair(baseline, current)
    before, after = _cases_by_pair(baseline, paired), _cases_by_pair(current, paired)
    changes: list[Change] = []
    not_comparable: list[NotComparable] = []
    for key in sorted(before.keys() | after.keys()):
        judged = _compare_case(key, before.get(key), after.get(key))
        if isinstance(judged, Change):
            changes.append(judged)
        else:
            not_comparable.append(judged)
    old_side, new_side = _compared_report(baseline), _compared_report(current)
    if not changes and any(case.reason.startswith("unjudged") for case in not_comparable):
        # not a result: a gate would pass because nothing could be judged
        raise UserError(_nothing_to_compare(old_side, new_side, not_comparable))
    significance = weigh(_compared(changes, before, after), threshold)
    changes = [
        replace(each, evidence=significance.cases.get((each.model, f"{each.eval_set_id}/{each.case_id}")))
        for each in changes
    ]
    pass_k = sorted({*baseline.pass_k, *current.pass_k})
    keys = [ScoredCase(each.eval_set_id, each.case_id, each.model) for each in changes]
    bar = threshold + TOLERANCE
    return Comparison(
        threshold=threshold,
        baseline=old_side,
        current=new_side,
        paired=paired,
        regressions=tuple(sorted((each for each in changes if each.delta < -bar), key=_rise)),
        improvements=tuple(sorted((each for each in changes if each.delta > bar), key=_fall)),
        unchanged=tuple(each for each in changes if abs(each.delta) <= bar),
        not_comparable=tuple(not_comparable),
        changed_conditions=_changed_conditions(baseline, current),
        models=by_model(keys, before, after, pass_k, significance.models),
        tags=by_tag(keys, before, after, pass_k, {**baseline.tags, **current.tags}),
        ruling=significance.ruling,
        gate=gate,
    )


def _compared(
    changes: Sequence[Change], before: Mapping[ScoredCase, CaseScores], after: Mapping[ScoredCase, CaseScores]
) -> dict[str, dict[str, ComparedCase]]:
    found: dict[str, dict[str, ComparedCase]] = {}
    for change in changes:
        key = ScoredCase(change.eval_set_id, change.case_id, change.model)
        old, new = before[key], after[key]
        found.setdefault(change.model, {})[f"{change.eval_set_id}/{change.case_id}"] = ComparedCase(
            pair=Pair(len(old.scores), old.correct, len(new.scores), new.correct), score_change=change.delta
        )
    return found


def _rise(change: Change) -> float:
    return change.delta


def _fall(change: Change) -> float:
    return -change.delta


def _pair(baseline: ReportScores, current: ReportScores) -> Paired | None:
    match baseline.models, current.models:
        case [[before], [after]] if before != after:
            return Paired(baseline=before, current=after)
    return None


def _cases_by_pair(report: ReportScores, paired: Paired | None) -> dict[ScoredCase, CaseScores]:
    if paired is None:
        return dict(report.cases)
    return {key._replace(model=str(paired)): case for key, case in report.cases.items()}


def _compare_case(key: ScoredCase, before: CaseScores | None, after: CaseScores | None) -> Change | NotComparable:
    old, new = before.mean_score if before else None, after.mean_score if after else None
    if before is not None and after is not None and old is not None and new is not None:
        return Change(
            **key._asdict(),
            baseline=old,
            current=new,
            baseline_attempts=len(before.scores),
            current_attempts=len(after.scores),
        )
    return NotComparable(**key._asdict(), reason=_why_not_comparable(before, after))


def _why_not_comparable(before: CaseScores | None, after: CaseScores | None) -> Reason:
    if before is None:
        return "new"
    if after is None:
        return "gone"
    if not before.scores and not after.scores:
        return "unjudged in both"
    return "unjudged in current" if before.scores else "unjudged in baseline"


def _nothing_to_compare(baseline: ComparedReport, current: ComparedReport, cases: Sequence[NotComparable]) -> str:
    reasons = [case.reason for case in cases]
    counts = ", ".join(f"{reasons.count(reason)} {reason}" for reason in sorted(set(reasons)))
    before = _contents(case for case in cases if case.reason != "new")
    after = _contents(case for case in cases if case.reason != "gone")
    sides = f"{baseline.path} holds {before}; {current.path} holds {after}"
    return f"nothing to compare ({counts or 'no results'}): {sides}"


def _contents(cases: Iterable[NotComparable]) -> str:
    """Return the models and eval sets of one report."""
    names = [(case.model, case.eval_set_id) for case in cases]
    models, eval_sets = sorted({model for model, _ in names}), sorted({eval_set for _, eval_set in names})
    return f"{', '.join(models)} at {', '.join(eval_sets)}" if names else "no results"


def _changed_conditions(baseline: ReportScores, current: ReportScores) -> tuple[ChangedCondition, ...]:
    return tuple(
        ChangedCondition(name=name, baseline=value, current=current.conditions[name])
        for name, value in baseline.conditions.items()
        if name in current.conditions and current.conditions[name] != value
    )


def _compared_report(report: ReportScores) -> ComparedReport:
    return ComparedReport(path=report.path, id=report.id, created_at=report.created_at)
