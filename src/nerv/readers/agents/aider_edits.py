"""How a model tells aider what to change: SEARCH/REPLACE blocks, or whole files in fences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"(`{3,})[\w+-]*$")
_MARKS = ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE")


@dataclass(frozen=True, slots=True, kw_only=True)
class EditBlock:
    """One block of an answer: lines of a file, and what replaces them."""

    path: str
    before: str
    """Empty for a new file."""
    after: str
    whole: bool = False
    """The file was written whole; what was in it before is not known."""


def whole_files(answer: Sequence[str]) -> list[EditBlock]:
    """Return the fenced blocks of an answer that stand below the name of a file, and have no mark of a change."""
    found: list[EditBlock] = []
    before, path, fence = "", "", ""
    body: list[str] = []
    for line in answer:
        text = line.rstrip()
        if fence and text == fence:
            if path and not any(each.strip() in _MARKS for each in body):
                found.append(EditBlock(path=path, before="", after=_joined(body), whole=True))
            before, fence = "", ""
        elif fence:
            body.append(line)
        elif opened := _FENCE.match(text):
            path, fence, body = before, opened[1], []
        else:
            before = text.strip("`*:# ")
    return found


def edit_blocks(answer: Sequence[str]) -> list[EditBlock]:
    """Return the complete blocks of an answer, in order; a block without a path belongs to the file before it."""
    found: list[EditBlock] = []
    path, name = "", ""
    sides: list[list[str]] = []
    for line in answer:
        text = line.strip()
        if text == _MARKS[0]:
            path, sides = name or path, [[]]
        elif text == _MARKS[1] and len(sides) == 1:
            sides.append([])
        elif text == _MARKS[2] and len(sides) == 2:
            found.append(EditBlock(path=path, before=_joined(sides[0]), after=_joined(sides[1])))
            name, sides = "", []
        elif sides:
            sides[-1].append(line)
        elif text and not text.startswith("```"):  # the path stands before the fence, or on its first line
            name = text.strip("`*:# ")
    return found


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
