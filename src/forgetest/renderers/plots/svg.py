"""Lines, bands, marks and text as SVG, and their scales. Classes only: the style sheet has the colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

COLOURS = 8
"""Number of series that look different; further ones repeat the colours, in the order of the legend."""

_MARKS = ("circle", "square", "diamond", "triangle")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Values to pixels along one axis."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = log10(low), log10(high), log10(value)
        share = 0.5 if high == low else (value - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return round values from one end to the other."""
        if self.logarithmic:
            return [10.0**power for power in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)]
        step = _round_step((self.high - self.low) / count)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def _round_step(rough: float) -> float:
    if rough <= 0:
        return 1.0
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def picture(title: str, description: str, width: float, height: float, parts: Sequence[str]) -> str:
    """Return a whole picture of this size; it shrinks to fit a narrower page."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'aria-label="{escape(plain(f"{title}. {description}"))}">\n<title>{escape(plain(title))}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def plain(text: str) -> str:
    """Return text without characters that XML does not allow."""
    return "".join(character if character.isprintable() else " " for character in text)


def word(x: float, y: float, text: str, *, kind: str = "", anchor: str = "start") -> str:
    """Return text at a position."""
    attribute = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{attribute}>{escape(plain(text))}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def path(points: Sequence[tuple[float, float]], series: int) -> str:
    """Return a line through points."""
    through = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{through}" class="series c{series % COLOURS}"/>'


def band(low: Sequence[tuple[float, float]], high: Sequence[tuple[float, float]], series: int) -> str:
    """Return the area between two lines."""
    around = " ".join(f"{x:.1f},{y:.1f}" for x, y in [*high, *reversed(low)])
    return f'<polygon points="{around}" class="band c{series % COLOURS}"/>'


def mark(x: float, y: float, series: int, words: str, *, size: float = 4.5) -> str:
    """Return a point of a series, with a tooltip; its shape distinguishes it without colour."""
    kind = f'class="mark c{series % COLOURS}"'
    shape = _MARKS[series % len(_MARKS)]
    title = f"<title>{escape(plain(words))}</title>"
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:g}" {kind}>{title}</circle>'
    if shape == "square":
        side = 2 * size - 1
        return (
            f'<rect x="{x - side / 2:.1f}" y="{y - side / 2:.1f}" width="{side:g}" height="{side:g}" '
            f"{kind}>{title}</rect>"
        )
    reach = size + 1
    corners = {
        "diamond": ((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)),
        "triangle": ((x, y - reach), (x + reach, y + size), (x - reach, y + size)),
    }[shape]
    around = " ".join(f"{cx:.1f},{cy:.1f}" for cx, cy in corners)
    return f'<polygon points="{around}" {kind}>{title}</polygon>'


def legend(names: Sequence[str], x: float, y: float) -> list[str]:
    """Return a legend with one row per series."""
    return [
        part
        for series, name in enumerate(names)
        for part in (
            mark(x, y + 18 * series, series, name),
            word(x + 12, y + 18 * series + 4, shortened(name, 64)),
        )
    ]


def shortened(text: str, most: int) -> str:
    """Return text of at most this length; an ellipsis replaces the rest."""
    return text if len(text) <= most else text[: most - 1] + "…"
