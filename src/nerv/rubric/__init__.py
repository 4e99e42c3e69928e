"""The rubric: categories, their weights and criteria, and its text."""

from __future__ import annotations

from collections.abc import Iterator

from nerv.rubric.rubric_data import GUIDES
from nerv.rubric.scale import Guide
from nerv.scorecard import CATEGORIES, CategoryKey

BANDS = ("9-10", "7-8", "5-6", "3-4", "1-2")
"""The bands of a scoring guide, best first."""

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


def guides_of(category: CategoryKey) -> tuple[Guide, ...]:
    """Return the guides of a category's criteria, in the specification's order."""
    return tuple(guide for guide in GUIDES if guide.category == category)


def guide(key: str) -> Guide:
    """Return the guide of one criterion."""
    return next(found for found in GUIDES if found.key == key)


def guide_text(category: CategoryKey) -> str:
    """Return a category's written guide, as it is shown to judges and readers."""
    return "\n".join(_guide_lines(category, with_numbers=False))


def rubric_text() -> str:
    """Return the whole rubric with its numbers, as `nerv benchmark rubric` prints it."""
    lines = []
    for category in CATEGORIES:
        lines += [*_guide_lines(category, with_numbers=True), ""]
    return "\n".join([*lines, *_COMMON])


def _guide_lines(category: CategoryKey, *, with_numbers: bool) -> Iterator[str]:
    yield f"{TITLES[category]} ({WEIGHTS[category]}%)"
    for found in guides_of(category):
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
    "No evidence (the criterion applies and this kind of source records it, but there is none): 1.",
    "Not applicable (by the spec and the configuration alone) and not recorded (this kind of source cannot know it):",
    "left out, and its share is divided among the others. A category is the weighted mean of its criteria.",
    "The spec determines the size of the work: its items, or one item per 150 words if it has fewer.",
)
