"""Telling lines that the run wrote, to recognize them in what it saw before."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Moment

_FEWEST_LINES = 3
_FEWEST_SHARE = 0.25
_ENOUGH = 10
_SHORTEST_LINE = 14


def written_lines(run: ReviewedRun) -> dict[str, Moment | None]:
    """Return the telling lines that the run added and did not just move, each with the first edit of its file."""
    moved = {line.strip() for file in run.files for line in file.removed_lines}
    first = {edit.path: edit.first for edit in run.evidence.activity.edits}
    found: dict[str, Moment | None] = {}
    for file in run.files:
        moment = first.get(file.path) or next(
            (moment for path, moment in first.items() if path.endswith(f"/{file.path}")), None
        )
        for line, _ in file.added_lines:
            if is_telling(line) and line.strip() not in moved:
                found.setdefault(line.strip(), moment)
    return found


def is_telling(line: str) -> bool:
    """Return whether a line says enough to be recognized."""
    stripped = line.strip()
    if len(stripped) < _SHORTEST_LINE or not re.search(r"[A-Za-z]{3}", stripped):
        return False
    return re.match(r"(?:import|from|use|using|package|#include|#|//|\*|/\*|<|\}|@Test)", stripped) is None


def shared_lines(
    shown: Iterable[str], written: dict[str, Moment | None], moment: Moment, *, edited_later: bool
) -> list[str]:
    """Return the lines that were shown first and written later.

    With `edited_later`, only those of a file whose first edit is known: without it, the run may look at its own work.
    """
    found = []
    for line in {each.strip() for each in shown}:
        if line in written:
            edited = written[line]
            if moment.before(edited) if edited is not None else not edited_later:
                found.append(line)
    return sorted(found)


def is_much(shared: list[str], written: dict[str, Moment | None]) -> bool:
    """Return whether shared lines are too many for chance: three, and a quarter of what was written, or ten."""
    return len(shared) >= _FEWEST_LINES and len(shared) >= _FEWEST_SHARE * min(len(written), 4 * _ENOUGH)
