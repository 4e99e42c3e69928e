"""Edits by prompt: in a session, the edits between one prompt and the next belong to what that prompt asked for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from nerv.evidence import Evidence
from nerv.location import Moment

_MOST = 500


def edits_by_item(evidence: Evidence) -> dict[int, list[tuple[str, Moment]]]:
    """Return the edits for each item (by index) of a session's own spec, in files that the result changes."""
    if evidence.spec.given:
        return {}
    diff = evidence.changes.diff
    changed = {source.path for source in evidence.changes.written}
    changed |= {change.path for change in diff.files} if diff is not None else set()  # also generated and binary files
    if diff is None and not changed:  # the log knows what was edited, but not the text
        changed = {edit.path for edit in evidence.activity.edits}
    edits: dict[str, list[tuple[int, str, Moment]]] = {}
    for edit in evidence.activity.edits:
        path = _repository_path(edit.path, changed)
        for moment in edit.moments if path is not None else ():
            if path is not None and moment.location.line is not None:
                edits.setdefault(moment.location.file, []).append((moment.location.line, path, moment))
    for each in edits.values():
        each.sort(key=lambda one: one[:2])
    asked = sorted({item.location.line for item in evidence.spec.items if item.location.line is not None})
    found = {}
    for index, item in enumerate(evidence.spec.items):
        own = edits.get(item.location.file, [])
        begin = item.location.line or 0
        next_prompt = bisect_right(asked, begin)
        first = bisect_right(own, begin, key=lambda one: one[0])
        last = bisect_left(own, asked[next_prompt], key=lambda one: one[0]) if next_prompt < len(asked) else len(own)
        if first < last:
            found[index] = [(path, moment) for _, path, moment in own[first : min(last, first + _MOST)]]
    return found


def not_edited(evidence: Evidence) -> frozenset[str]:
    """The files of the result that a session's own tools did not edit; none where no edit is known.

    Others wrote them, or a shell did. They are judged all the same: a log without its edits must not look better.
    """
    if evidence.kind == "nerv":  # not all of its sessions may have recorded their edits
        return frozenset()
    changed = {source.path for source in evidence.changes.written}
    own = {_repository_path(edit.path, changed) for edit in evidence.activity.edits}
    return frozenset(changed - own) if own - {None} else frozenset()


def _repository_path(path: str, changed: set[str]) -> str | None:
    """Return the path in the repository that the agent's path ends with."""
    parts = path.split("/")
    return next((name for at in range(len(parts)) if (name := "/".join(parts[at:])) in changed), None)
