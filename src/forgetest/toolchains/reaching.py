"""Regions of a program: code that runs or does not run as a whole, each with a program that ends there.

Tests that all pass for such a program do not reach the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.mutation import Edit, Mutation

if TYPE_CHECKING:
    from tree_sitter import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A condition and the value of it that leads into a region."""

    start: int
    end: int
    opposite: str
    """The constant for the other value: tests that notice it in the condition's place reach the region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Code that runs as a whole, or a branch without code."""

    start: int
    end: int
    """Its bytes. An empty region is the way past an `if` without `else`."""
    line: int
    """The line on which it begins; of an empty region, that of its condition."""
    last_line: int
    is_branch: bool
    """A condition, a pattern or an exception decides whether it runs."""
    decision: Decision | None
    ending_program: str
    """The program with an end of the process, or a panic, at the region's start."""

    @property
    def has_code(self) -> bool:
        """Return whether it is more than a way past something."""
        return self.end > self.start

    def is_reached_by_killers_of(self, killed: Mutation) -> bool:
        """Return whether tests that notice this mutation must have reached the region."""
        if self.start <= killed.start < self.end:
            return True
        return self.decision == Decision(start=killed.start, end=killed.end, opposite=killed.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A region before its program is made."""

    start: int
    end: int
    ending: Edit
    is_branch: bool
    decision: Decision | None = None


def regions(code: str, places: Iterable[Place]) -> list[Region]:
    """Return the regions of a program in the order of the text, outer ones before inner ones."""
    content = code.encode("utf-8", "replace")

    def line(offset: int) -> int:
        return content.count(b"\n", 0, offset) + 1

    found = [
        Region(
            start=place.start,
            end=place.end,
            line=line(place.start if place.end > place.start or place.decision is None else place.decision.start),
            last_line=line(max(place.start, place.end - 1)),
            is_branch=place.is_branch,
            decision=place.decision,
            ending_program=mutation.apply(code, [place.ending]),
        )
        for place in places
    ]
    return sorted(found, key=lambda region: (region.start, -region.end))


def run_starts(statements: Sequence[Node], may_leave: Callable[[Node], bool]) -> list[Node]:
    """Return the first statement of a block, and each that follows one after which the block may be left."""
    following = (after for before, after in pairwise(statements) if may_leave(before))
    return [*statements[:1], *following]
