"""Gold runs with the scores that they got."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from nerv.calibration.gold import GoldRun
from nerv.scorecard import CATEGORIES, Scorecard

OVERALL = "overall"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScore:
    """What calibration needs of a scorecard."""

    exact: Fraction
    """The overall score, not rounded."""
    categories: Mapping[str, int | None]
    answered_by: tuple[str, ...] = ()
    """The models that answered, where a judge was asked."""

    @property
    def overall(self) -> float:
        """The overall score with one decimal, rounded half up."""
        return math.floor(self.exact * 10 + Fraction(1, 2)) / 10

    @property
    def by_name(self) -> dict[str, float | None]:
        """The overall score and those of the categories."""
        return {OVERALL: float(self.exact), **{key: self.categories.get(key) for key in CATEGORIES}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredGoldRun:
    """A gold run with its score; without one, the reason."""

    run: GoldRun
    score: RunScore | None
    reason: str = ""


def run_score(card: Scorecard, answered_by: tuple[str, ...] = ()) -> RunScore | None:
    """Return what calibration needs of a scorecard; None if nothing was graded."""
    if card.exact is None:
        return None
    categories = {str(key): value for key, value in card.scores.items()}
    return RunScore(exact=card.exact, categories=categories, answered_by=answered_by)
