"""Scores of a run: Criterion, CategoryScore, Scorecard.

`nerv.rules.score(evidence) -> tuple[CategoryScore, ...]` returns all four categories, in the order of `CATEGORIES`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from nerv.location import Location

CategoryKey = Literal["implementation_quality", "workflow_quality", "efficiency", "user_experience"]
CATEGORIES: tuple[CategoryKey, ...] = ("implementation_quality", "workflow_quality", "efficiency", "user_experience")

CriterionStatus = Literal["scored", "no_evidence", "not_applicable", "not_recorded"]
"""`scored`: 1..10 by its guide. `no_evidence`: it applies and is recorded by this source, but there is none: 1.
`not_applicable` (by spec and configuration) and `not_recorded` (by the reader): no score, left out."""

Certainty = Literal["verified", "recorded", "claimed", "inferred"]
"""Kind of the most important evidence for a score."""


VETOED = Fraction(69, 10)
"""The highest overall score of a run with a veto: below the default threshold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One piece of evidence: what was seen, and where."""

    text: str
    location: Location | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One criterion of the rubric, with its score."""

    key: str
    """As in the specification: `requirements`, `tests`, …"""
    share: int
    """Percent of its category, as written in the rubric (before the shares of left-out criteria are redistributed)."""
    status: CriterionStatus
    score: int | None
    """1..10 if `status` is `scored`, 1 if it is `no_evidence`, otherwise None."""
    reason: str
    """The reason for the score in one sentence, with its figure."""
    certainty: Certainty = "recorded"
    observations: tuple[Observation, ...] = ()
    """The evidence for it, most important first; at most 20."""
    advice: str = ""
    """Advice for raising the score, in one sentence; empty at 10 and where there is no score."""

    @property
    def applies(self) -> bool:
        """True if it has a score and counts."""
        return self.score is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryScore:
    """A category: the weighted mean of its criteria, rounded half up."""

    key: CategoryKey
    criteria: tuple[Criterion, ...]
    """All of them, in the rubric's order, including those without a score."""

    @property
    def mean(self) -> float | None:
        """The weighted mean of the criteria that count; None where none does."""
        counted = self._counted()
        weight = sum(criterion.share for criterion, _ in counted)
        return sum(criterion.share * score for criterion, score in counted) / weight if weight else None

    @property
    def score(self) -> int | None:
        """1..10, computed in whole numbers so that no rounding error decides at .5."""
        counted = self._counted()
        weight = sum(criterion.share for criterion, _ in counted)
        if not weight:
            return None
        return (2 * sum(criterion.share * score for criterion, score in counted) + weight) // (2 * weight)

    def _counted(self) -> list[tuple[Criterion, int]]:
        return [(criterion, criterion.score) for criterion in self.criteria if criterion.score is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorecard:
    """All categories, and the overall score."""

    categories: tuple[CategoryScore, ...]
    weights: Mapping[CategoryKey, int]
    """Percent of the overall score, as the rubric has them."""
    threshold: Fraction = Fraction(7)
    vetoes: tuple[str, ...] = ()
    """Reasons why the run cannot pass, whatever its categories say: tests that it broke, proven cheating."""
    least_recorded: Fraction = Fraction(1, 2)
    """The share of the weight that a pass needs to be recorded; less is enough for a verified result."""
    failure_is_shown: bool = True
    """False: nothing shows that the run failed, so that a low score over a small record is no FAIL."""

    @property
    def scores(self) -> dict[CategoryKey, int | None]:
        """Each category's whole number."""
        return {category.key: category.score for category in self.categories}

    @property
    def exact(self) -> Fraction | None:
        """The overall score: the weighted mean of the categories that have one; None where none has.

        A run with a veto gets at most `VETOED`.
        """
        counted = [(self.weights[key], score) for key, score in self.scores.items() if score is not None]
        weight = sum(share for share, _ in counted)
        if not weight:
            return None
        mean = Fraction(sum(share * score for share, score in counted), weight)
        return min(mean, VETOED) if self.vetoes else mean

    @property
    def overall(self) -> float | None:
        """With one decimal, rounded half up."""
        return None if self.exact is None else math.floor(self.exact * 10 + Fraction(1, 2)) / 10

    @property
    def recorded(self) -> Fraction:
        """The share of the total weight that is recorded; criteria that do not apply are left out."""
        possible = sum(
            (Fraction(self.weights[category.key]) for category in self.categories if _applicable(category)), Fraction(0)
        )
        found = sum(
            (Fraction(self.weights[category.key]) * _counted(category) for category in self.categories), Fraction(0)
        )
        return found / possible if possible else Fraction(0)

    @property
    def passed(self) -> bool:
        """True if the score reaches the threshold, enough of the weight is recorded, and nothing vetoes it."""
        enough = self.recorded >= self.least_recorded
        return not self.vetoes and self.exact is not None and self.exact >= self.threshold and enough

    @property
    def lacks_record(self) -> bool:
        """True if too little is recorded to say that the run passed or failed."""
        if self.exact is None or self.vetoes or self.recorded >= self.least_recorded:
            return False
        return self.exact >= self.threshold or not self.failure_is_shown


def _applicable(category: CategoryScore) -> int:
    return sum(criterion.share for criterion in category.criteria if criterion.status != "not_applicable")


def _counted(category: CategoryScore) -> Fraction:
    possible = _applicable(category)
    counted = sum(criterion.share for criterion in category.criteria if criterion.applies)
    return Fraction(counted, possible) if possible else Fraction(0)
