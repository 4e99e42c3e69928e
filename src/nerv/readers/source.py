"""What a reader is given: where the run is, and what the user says of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSource:
    """A run to read."""

    path: Path
    """A results folder, a session's log, or a folder of them."""
    spec: Path | None = None
    repository: Path | None = None
    base: str | None = None
    diff: Path | None = None
    """A patch with what came of it, where the source has none of its own."""
