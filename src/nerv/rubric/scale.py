"""A criterion's guide, with the scale that turns a measured figure into a score."""

from __future__ import annotations

from dataclasses import dataclass

from nerv.scorecard import CategoryKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreScale:
    """Scale from a figure to a score: one bound per score from 10 down to 2, and 1 beyond the last."""

    figure: str
    """The measured quantity, with its unit."""
    bounds: tuple[float, float, float, float, float, float, float, float, float]
    """Bounds that a figure must reach (or must not exceed) for 10, 9, 8, 7, 6, 5, 4, 3, 2."""
    more_is_better: bool
    reason: str
    """Why these numbers, or where they were measured."""

    def score(self, figure: float) -> int:
        """Return the score, 1 to 10; a figure exactly on a bound earns its score."""
        dust = 1e-9 * max(1.0, abs(figure))
        for score, bound in zip(range(10, 1, -1), self.bounds, strict=True):
            if figure + dust >= bound if self.more_is_better else figure - dust <= bound:
                return score
        return 1

    def __str__(self) -> str:
        sign = "≥" if self.more_is_better else "≤"
        steps = (f"{score}: {sign} {bound:g}" for score, bound in zip(range(10, 1, -1), self.bounds, strict=True))
        return ", ".join((*steps, "1: beyond"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """Guide of one criterion: its share, its subject, and what earns which score."""

    category: CategoryKey
    key: str
    share: int
    """Percent of its category."""
    looks_at: str
    bands: tuple[str, str, str, str, str]
    """Descriptions of the bands 9-10, 7-8, 5-6, 3-4, 1-2."""
    scale: ScoreScale
    caps: tuple[str, ...] = ()
    """Limits of the score, whatever the figure."""
    advice: str = ""
    """Advice that usually raises the score."""
