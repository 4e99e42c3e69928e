"""Finding: a sign that a run's result is worth less than it looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from nerv.location import Location

FindingLevel = Literal["note", "likely", "proven"]
"""`proven`: shown by a test run or by lines that have no honest reading; the run cannot pass. `likely`: lowers its
criterion. `note`: for the reviewer; no effect on the score."""
LEVELS: tuple[FindingLevel, ...] = ("note", "likely", "proven")
"""From the weakest to the strongest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One sign of cheating, or of work that only looks done."""

    kind: str
    """Its class: `printed_success`, `deleted_tests`, …; the table is in docs/nerv.md."""
    level: FindingLevel
    text: str
    """What was found, in one sentence."""
    location: Location | None = None
    lines: tuple[str, ...] = ()
    """The lines that show it; at most 10, each cut to 300 characters."""
    criterion: str = ""
    """Key of the criterion that a likely finding lowers; empty for none."""
    found_by: Literal["rules", "judge"] = "rules"
    """`judge`: a model that grades names it; nothing of ours has shown it."""


def strongest_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Sort by level; what has the same level keeps its order."""
    return tuple(sorted(findings, key=lambda finding: -LEVELS.index(finding.level)))
