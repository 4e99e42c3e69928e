"""The spec: what the agent was asked to build, as individual items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerv.location import Location

ItemKind = Literal["checkbox", "numbered", "bullet", "sentence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecItem:
    """One requirement that can be met or missed."""

    number: int
    """From 1, in the order of the spec."""
    text: str
    """Without its mark (`- [ ]`, `3.`), on one line."""
    location: Location
    kind: ItemKind
    cycle: int | None = None
    """The N of the nearest heading that says "(Cycle N)"; None where there is none."""
    section: str = ""
    """The nearest heading above it, without its marks."""
    ticked: bool = False
    """A ticked box in the spec or in the run's own copy: a claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """A parsed spec. Its size is the size of the work, whatever the size of the diff."""

    file: str
    title: str
    text: str
    """The complete text, which also has what the items lack (endpoints, technology, quality bar)."""
    items: tuple[SpecItem, ...]
    """The checkboxes where there are any; else the numbered or bulleted points under headings such as "Acceptance
    Criteria" or "Requirements"; else all points; else the sentences of a prose prompt that ask for something.
    At least one where the text says anything. Text inside code fences is never an item."""
    given: bool = True
    """False if no spec was given and this one consists of the user's prompts."""
