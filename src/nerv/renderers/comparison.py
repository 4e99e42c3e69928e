"""Two scorecards side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nerv.rubric import TITLES
from nerv.scorecard import CategoryKey, CategoryScore, Criterion, Scorecard

FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """One category or criterion in both."""

    category: CategoryKey
    key: str
    """The criterion; empty for the category itself."""
    before: int | None
    after: int | None
    reasons: tuple[str, str] = ("", "")

    @property
    def change(self) -> int | None:
        """The second score minus the first; None where one has no score."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorecardComparison:
    """Two scorecards and their differences."""

    first: Scorecard
    second: Scorecard
    rows: tuple[ComparisonRow, ...]


def compare(first: Scorecard, second: Scorecard) -> ScorecardComparison:
    """Compare each category and its criteria, in the rubric's order."""
    others = {category.key: category for category in second.categories}
    rows: list[ComparisonRow] = []
    for category in first.categories:
        other = others[category.key]
        rows.append(ComparisonRow(category=category.key, key="", before=category.score, after=other.score))
        rows += _criterion_rows(category, other)
    return ScorecardComparison(first=first, second=second, rows=tuple(rows))


def document(comparison: ScorecardComparison, first: str, second: str) -> dict[str, Any]:
    """Return the comparison as a JSON document."""
    return {
        "format_version": FORMAT_VERSION,
        "first": {"benchmark_dir": first, "overall": comparison.first.overall, "passed": comparison.first.passed},
        "second": {"benchmark_dir": second, "overall": comparison.second.overall, "passed": comparison.second.passed},
        "rows": [
            {
                "category": row.category,
                "criterion": row.key or None,
                "first": row.before,
                "second": row.after,
                "change": row.change,
                "reasons": list(row.reasons) if row.key else None,
            }
            for row in comparison.rows
        ],
    }


def text(comparison: ScorecardComparison, first: str, second: str) -> str:
    """Return the comparison as text: every category, and the criteria that differ, with both reasons."""
    return "".join(f"{line}\n" for line in _comparison_lines(comparison, first, second))


def _comparison_lines(comparison: ScorecardComparison, first: str, second: str) -> Iterator[str]:
    yield f"A: {first}"
    yield f"B: {second}"
    yield ""
    yield f"{'':<27}{'A':>6}{'B':>6}{'':>5}"
    for row in comparison.rows:
        if not row.key:
            yield f"{TITLES[row.category]:<27}{_score_columns(row)}"
        elif row.before != row.after:
            yield f"  {row.key:<25}{_score_columns(row)}"
            yield f"      A: {row.reasons[0]}"
            yield f"      B: {row.reasons[1]}"
    yield f"{'Overall':<27}{_tenths(comparison.first.overall):>6}{_tenths(comparison.second.overall):>6}"
    results = ["PASS" if card.passed else "FAIL" for card in (comparison.first, comparison.second)]
    yield f"{'Result':<27}{results[0]:>6}{results[1]:>6}"


def _criterion_rows(category: CategoryScore, other: CategoryScore) -> Iterator[ComparisonRow]:
    twins: dict[str, Criterion] = {criterion.key: criterion for criterion in other.criteria}
    for criterion in category.criteria:
        twin = twins.get(criterion.key)
        yield ComparisonRow(
            category=category.key,
            key=criterion.key,
            before=criterion.score,
            after=twin.score if twin else None,
            reasons=(criterion.reason, twin.reason if twin else ""),
        )


def _score_columns(row: ComparisonRow) -> str:
    return f"{_score_text(row.before):>6}{_score_text(row.after):>6}{_signed(row.change):>5}"


def _score_text(score: int | None) -> str:
    return "n/a" if score is None else str(score)


def _tenths(score: float | None) -> str:
    return "n/a" if score is None else f"{score:.1f}"


def _signed(change: int | None) -> str:
    return "" if not change else f"{change:+d}"
