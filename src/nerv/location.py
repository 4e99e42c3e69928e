"""Locations: every fact carries the file and line where it was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A line of a file."""

    file: str
    """Relative to the results folder (`event-log.jsonl`, `tasks/7/metrics.json`, `git-diff.patch`), or within the
    repository where it was read from one (`repo/src/a.py`), or as the user named it."""
    line: int | None = None
    """Counted from 1; None for the whole file."""

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When and where something happened."""

    location: Location
    ms: int | None = None
    """Milliseconds since the start of the run; None if the source has no time."""

    def before(self, other: Moment) -> bool:
        """Return whether this is known to come first, by time or else by the lines of the same file."""
        if self.ms is not None and other.ms is not None and self.ms != other.ms:
            return self.ms < other.ms
        if self.location.file != other.location.file or self.location.line is None or other.location.line is None:
            return False
        return self.location.line < other.location.line


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrences:
    """A complete count of something that happened, with the first moments as a sample."""

    count: int = 0
    moments: tuple[Moment, ...] = ()
    """The first ones in the order of the source, at most `SAMPLE` of them."""

    SAMPLE = 50

    @property
    def locations(self) -> tuple[Location, ...]:
        """Locations of the first moments."""
        return tuple(moment.location for moment in self.moments)

    @classmethod
    def of(cls, moments: Iterable[Moment]) -> Occurrences:
        """Count these moments."""
        every = tuple(moments)
        return cls(count=len(every), moments=every[: cls.SAMPLE])


NEVER = Occurrences()
"""Something that did not happen."""
