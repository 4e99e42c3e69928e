"""Passages of a file whose whole text is not known: what an edit replaced, and what a later edit made of that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

_HEADER = re.compile(r"@@ -(\d+)")
_MOST_LINES = 5_000
"""Lines of all passages of a file that are searched for what a later edit replaces."""
_MOST_PASSAGES = 200
_TELLING = re.compile(r"[^\W_][\W_]*[^\W_][\W_]*[^\W_]")
"""Three letters or digits, by which lines are found again; a bracket alone may be any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Lines before and after an edit, with the lines around them where the log has these."""

    start: int
    """The first line, from 1; its place in the file may not be known."""
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def core(self) -> tuple[int, int]:
        """The number of equal lines at the begin and at the end."""
        most = min(len(self.before), len(self.after))
        start = end = 0
        while start < most and self.before[start] == self.after[start]:
            start += 1
        while end < most - start and self.before[-1 - end] == self.after[-1 - end]:
            end += 1
        return start, end


def passages_in(hunk: str) -> Iterable[Passage]:
    """Yield the passages of a text with one or more hunks of a patch."""
    for part in re.split(r"^(?=@@ )", hunk, flags=re.M):
        lines = [line for line in part.split("\n") if line[:1] != "\\"]
        header = _HEADER.match(lines[0])
        if header is not None:
            yield Passage(
                start=max(1, int(header[1])),
                before=tuple(line[1:] for line in lines[1:] if line[:1] != "+"),
                after=tuple(line[1:] for line in lines[1:] if line[:1] != "-"),
            )


def amend(known: list[Passage], edit: Passage, *, whole_lines: bool) -> None:
    """Add an edit to the passages of a file: it changes lines that an earlier one put there, or is one of its own.

    Without `whole_lines`, it may begin and end within a line.
    """
    start, end = edit.core
    old, new = edit.before[start : len(edit.before) - end], edit.after[start : len(edit.after) - end]
    searched = len(known) <= _MOST_PASSAGES and sum(len(one.after) for one in known) <= _MOST_LINES
    for index, one in enumerate(known) if searched and _is_telling(old) else ():
        first, last = one.core
        added = one.after[first : len(one.after) - last]
        if (changed := _replaced(added, old, new, whole_lines=whole_lines)) is not None:
            known[index] = replace(one, after=(*one.after[:first], *changed, *one.after[len(one.after) - last :]))
            return
        removed = one.before[first : len(one.before) - last]
        if _is_telling(added) and (changed := _replaced(old, added, removed, whole_lines=True)) is not None:
            del known[index]
            before = (*edit.before[:start], *changed, *edit.before[len(edit.before) - end :])
            amend(known, replace(edit, before=before), whole_lines=whole_lines)
            return
    known.append(edit)


def _replaced(
    lines: tuple[str, ...], old: tuple[str, ...], new: tuple[str, ...], *, whole_lines: bool
) -> tuple[str, ...] | None:
    """Return lines in which others were replaced; None if they do not stand there."""
    for at in range(len(lines) - len(old) + 1) if old[0] in lines else ():
        if lines[at] == old[0] and lines[at : at + len(old)] == old:
            return (*lines[:at], *new, *lines[at + len(old) :])
    text, wanted = "\n".join(lines), "\n".join(old)
    if whole_lines or wanted not in text:
        return None
    return tuple(text.replace(wanted, "\n".join(new), 1).split("\n"))


def _is_telling(lines: Sequence[str]) -> bool:
    return _TELLING.search("\n".join(lines)) is not None
