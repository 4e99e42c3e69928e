"""Plots of a report as SVG: Pass@k over k, cost against score, score by case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files

from forgetest.renderers.plots.by_case import score_by_case
from forgetest.renderers.plots.cost import cost_against_score
from forgetest.renderers.plots.passing import pass_at_k_over_k
from forgetest.report import Report

PICTURES: Mapping[str, Callable[[Report], str | None]] = {
    "pass-at-k": pass_at_k_over_k,
    "cost-against-score": cost_against_score,
    "score-by-case": score_by_case,
}
"""By name; None if the report has nothing to draw."""


def style() -> str:
    """Return the style sheet with light and dark colours."""
    return files(__package__).joinpath("plots.css").read_text(encoding="utf-8")


def standalone(picture: str) -> str:
    """Return the picture with its style sheet, for a file of its own."""
    opening, rest = picture.split(">\n", 1)
    return f"{opening}>\n<style>{style()}</style>\n{rest}"
