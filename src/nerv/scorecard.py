"""Criterion, CategoryScore, Scorecard: what a run was worth, point by point.

`nerv.rules.score(evidence) -> tuple[CategoryScore, ...]` gives all four categories, in the order of `CATEGORIES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerv.place import Place

CategoryKey = Literal["implementation_quality", "workflow_quality", "efficiency", "user_experience"]
CATEGORIES: tuple[CategoryKey, ...] = ("implementation_quality", "workflow_quality", "efficiency", "user_experience")

Standing = Literal["scored", "no_evidence", "not_applicable", "not_recorded"]
"""`scored`: 1..10 by its guide. `no_evidence`: it applies, such things are recorded, nothing is there: scores 1.
`not_applicable` (by spec and configuration) and `not_recorded` (by the reader): no score, left out."""

Certainty = Literal["verified", "recorded", "claimed", "inferred"]
"""How sure a score is: by what kind of fact its weightiest evidence is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One piece of evidence: what was seen, and where."""

    text: str
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One question of the rubric, answered."""

    key: str
    """As in the specification: `requirements`, `tests`, …"""
    share: int
    """Percent of its category, as written in the rubric (before shares are divided anew)."""
    standing: Standing
    score: int | None
    """1..10 where `standing` is `scored`, 1 where it is `no_evidence`, else None."""
    reason: str
    """One sentence: why this score and no other, with its figure."""
    certainty: Certainty = "recorded"
    findings: tuple[Finding, ...] = ()
    """The evidence for it, weightiest first; at most 20."""
    advice: str = ""
    """What would raise the score, in one sentence; empty at 10 and where it has no score."""

    @property
    def applies(self) -> bool:
        """Whether it counts."""
        return self.score is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryScore:
    """A category: the weighted mean of its criteria, rounded half up."""

    key: CategoryKey
    criteria: tuple[Criterion, ...]
    """All of them, in the rubric's order, those without a score too."""

    @property
    def mean(self) -> float | None:
        """The weighted mean of the criteria that count; None where none does."""
        counted = self._counted()
        weight = sum(criterion.share for criterion, _ in counted)
        return sum(criterion.share * score for criterion, score in counted) / weight if weight else None

    @property
    def score(self) -> int | None:
        """1..10, in whole numbers: no floating-point dust decides at .5."""
        counted = self._counted()
        weight = sum(criterion.share for criterion, _ in counted)
        if not weight:
            return None
        return (2 * sum(criterion.share * score for criterion, score in counted) + weight) // (2 * weight)

    def _counted(self) -> list[tuple[Criterion, int]]:
        return [(criterion, criterion.score) for criterion in self.criteria if criterion.score is not None]
