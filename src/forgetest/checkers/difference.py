"""The values that checkers take and return."""

from __future__ import annotations

from dataclasses import dataclass

_MOST_SHOWN = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Largest error of a number that counts as equal: the larger one of the two bounds."""

    absolute: float = 1e-6
    relative: float = 1e-6
    """Share of the expected value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first place where an output is not what a test expects."""

    place: str
    """For example "token 3"."""
    expected: str
    found: str


def shown(content: bytes) -> str:
    """Return the beginning of a text, for a message."""
    text = content[: 4 * _MOST_SHOWN].decode(errors="replace")
    return text if len(content) <= 4 * _MOST_SHOWN and len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
