"""What was edited for each thing that a user asked for in a session: the edits between it and the next prompt."""

from __future__ import annotations

from nerv.evidence import Evidence
from nerv.place import Moment


def edits_by_item(evidence: Evidence) -> dict[int, list[tuple[str, Moment]]]:
    """For each item (by index) of a session's own spec the edits for it, of files that the result changes."""
    if evidence.spec.given:
        return {}
    changed = [source.path for source in evidence.written]
    edits = []
    for edit in evidence.edits:
        path = next((name for name in changed if edit.path == name or edit.path.endswith(f"/{name}")), None)
        if path is not None:
            edits += [(path, moment) for moment in edit.moments if moment.place.line is not None]
    edits.sort(key=lambda one: (one[1].place.line or 0, one[0]))
    asked = sorted({item.place.line for item in evidence.spec.items if item.place.line is not None})
    found = {}
    for index, item in enumerate(evidence.spec.items):
        begin = item.place.line or 0
        end = next((line for line in asked if line > begin), None)
        own = [
            (path, moment)
            for path, moment in edits
            if moment.place.file == item.place.file and _within(moment.place.line or 0, begin, end)
        ]
        if own:
            found[index] = own
    return found


def _within(line: int, begin: int, end: int | None) -> bool:
    return line > begin and (end is None or line < end)
