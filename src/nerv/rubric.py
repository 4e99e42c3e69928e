"""The rubric: categories, their criteria, what earns how many points, and how a measured figure becomes a score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nerv.scorecard import CATEGORIES, CategoryKey

BANDS = ("9-10", "7-8", "5-6", "3-4", "1-2")
"""The bands that a scoring guide speaks of, best first."""

TITLES: dict[CategoryKey, str] = {
    "implementation_quality": "Implementation Quality",
    "workflow_quality": "Workflow Quality",
    "efficiency": "Efficiency",
    "user_experience": "User Experience",
}
WEIGHTS: dict[CategoryKey, int] = {
    "implementation_quality": 30,
    "workflow_quality": 20,
    "efficiency": 20,
    "user_experience": 30,
}
"""Percent of the overall score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How a figure becomes a score: one bound for each score from 10 down to 2, and 1 beyond the last."""

    figure: str
    """What is measured, with its unit."""
    bounds: tuple[float, float, float, float, float, float, float, float, float]
    """What a figure must reach (or must not exceed) for 10, 9, 8, 7, 6, 5, 4, 3, 2."""
    more_is_better: bool
    reason: str
    """Why these numbers, or where they were measured."""

    def score(self, figure: float) -> int:
        """1 to 10; a figure just on a bound earns its score."""
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
    """One criterion: its share, what it looks at, and what earns which score."""

    category: CategoryKey
    key: str
    share: int
    """Percent of its category."""
    looks_at: str
    bands: tuple[str, str, str, str, str]
    """What earns 9-10, 7-8, 5-6, 3-4, 1-2."""
    scale: Scale
    caps: tuple[str, ...] = ()
    """What limits the score, whatever the figure is."""
    advice: str = ""
    """What usually raises it."""


def criteria(category: CategoryKey) -> tuple[Guide, ...]:
    """The criteria of a category, in the specification's order."""
    from nerv.guide import GUIDES

    return tuple(guide for guide in GUIDES if guide.category == category)


def guide(key: str) -> Guide:
    """The guide of one criterion."""
    from nerv.guide import GUIDES

    return next(found for found in GUIDES if found.key == key)


def guide_text(category: CategoryKey) -> str:
    """A category's written guide, as a judge or a reader is given it."""
    return "\n".join(_guide_lines(category, with_numbers=False))


def rubric_text() -> str:
    """The whole rubric with its numbers, as `nerv benchmark rubric` prints it."""
    lines = []
    for category in CATEGORIES:
        lines += [*_guide_lines(category, with_numbers=True), ""]
    return "\n".join([*lines, *_COMMON])


def _guide_lines(category: CategoryKey, *, with_numbers: bool) -> Iterator[str]:
    yield f"{TITLES[category]} ({WEIGHTS[category]}%)"
    for found in criteria(category):
        yield ""
        yield f"  {found.key} ({found.share}%): {found.looks_at}"
        for band, text in zip(BANDS, found.bands, strict=True):
            yield f"    {band:<5} {text}"
        if with_numbers:
            yield f"    figure: {found.scale.figure}"
            yield f"    score   {found.scale}"
            yield f"    reason: {found.scale.reason}"
            for cap in found.caps:
                yield f"    limit:  {cap}"


_COMMON = (
    "No evidence (it applies, such things are recorded, and nothing is there): 1.",
    "Not applicable (by the spec and the configuration alone), not recorded (this kind of source cannot know it):",
    "left out, its share divided among the others. A category is the weighted mean of its criteria, rounded half up.",
    "The size of the work is the spec's: its items, or one for every 150 words where it has fewer.",
)
