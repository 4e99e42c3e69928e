"""How a model tells aider what to change: SEARCH/REPLACE blocks, unified diffs, patches, or whole files in fences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"(?P<ticks>`{3,})[\w+-]*|<(?P<tag>source|code|pre|codeblock|sourcecode)>")
"""Aider takes a fence that is not in the files."""
_MARKS = ("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE")
_PATCH_BEGINS, _PATCH_ENDS = "*** Begin Patch", "*** End Patch"
_SHELLS = ("bash", "sh", "shell", "console")
"""Languages of commands that a model suggests."""
_NOWHERE = "/dev/null"


@dataclass(frozen=True, slots=True, kw_only=True)
class EditBlock:
    """One block of an answer: lines of a file, and what replaces them."""

    path: str
    """Empty where the answer names none: then it is the only file of the chat."""
    before: str
    """Empty for a new file, and for lines that come at its end."""
    after: str
    whole: bool = False
    """The file was written whole; what was in it before is not known."""
    appended: bool = False
    """The lines were added to a file that may have been there."""


def blocks_in(answer: Sequence[str]) -> list[EditBlock]:
    """Return the blocks of an answer, in the one of aider's formats that it has."""
    return edit_blocks(answer) or list(_diff_blocks(answer)) or _whole_files(answer)


def blocks_for(path: str, blocks: Sequence[EditBlock]) -> list[EditBlock]:
    """Return the blocks of a file that aider says it edited: models write other folders before its name, or no name."""
    name = path.rpartition("/")[2]
    return (
        [block for block in blocks if block.path == path]
        or [block for block in blocks if block.path.rpartition("/")[2] == name]
        or [block for block in blocks if not block.path]
    )


def patch_in(answer: Sequence[str]) -> str:
    """Return the patch of an answer in the format that is called `patch`; empty if there is none."""
    lines = [line.rstrip() for line in answer]
    if _PATCH_BEGINS not in lines:
        return ""
    start = lines.index(_PATCH_BEGINS)
    end = lines.index(_PATCH_ENDS, start) if _PATCH_ENDS in lines[start:] else len(lines)
    return "\n".join(answer[start : end + 1])


def edit_blocks(answer: Sequence[str]) -> list[EditBlock]:
    """Return the complete SEARCH/REPLACE blocks of an answer; a block without a path belongs to the file before it."""
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


def _diff_blocks(answer: Sequence[str]) -> Iterator[EditBlock]:
    """Yield the hunks of the fenced diffs of an answer; a diff without a path belongs to the file before it."""
    path, created = "", False
    for fence, body in _fenced(answer):
        if fence != "diff":
            continue
        if len(body) > 1 and body[1].startswith("+++ "):
            old, new = body[0].removeprefix("--- ").strip(), body[1].removeprefix("+++ ").strip()
            created = old == _NOWHERE
            path = new.removeprefix("b/") if created or old.startswith("a/") else new
            body = body[2:]
        for hunk in _hunks(body):
            before, after = (_joined([line[1:] for line in hunk if line[:1] != sign]) for sign in "+-")
            yield EditBlock(path=path, before=before, after=after, appended=not before and not created)


def _hunks(body: Sequence[str]) -> Iterator[list[str]]:
    """Yield the hunks of a diff that change something; their `@@` lines have no numbers."""
    hunk: list[str] = []
    for line in [*body, "@@"]:
        if line.startswith("@@"):
            if any(each[:1] in ("+", "-") for each in hunk):
                yield hunk
            hunk = []
        else:
            hunk.append(line)


def _whole_files(answer: Sequence[str]) -> list[EditBlock]:
    """Return the fenced blocks of an answer that stand below the name of a file; a single one may have no name."""
    found: list[EditBlock] = []
    unnamed: list[EditBlock] = []
    for name, language, body in _fenced_with_names(answer):
        if language not in _SHELLS and not any(each.strip() in _MARKS for each in body):
            (found if name else unnamed).append(EditBlock(path=name, before="", after=_joined(body), whole=True))
    return found + (unnamed if len(unnamed) == 1 else [])


def _fenced(answer: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    for _, language, body in _fenced_with_names(answer):
        yield language, body


def _fenced_with_names(answer: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the complete fenced blocks of an answer, each with the line before it and the language of its fence."""
    before, language, closes = "", "", ""
    body: list[str] = []
    for line in answer:
        text = line.rstrip()
        if closes and text == closes:
            yield before, language, body
            before, closes = "", ""
        elif closes:
            body.append(line)
        elif opened := _FENCE.fullmatch(text):
            language = text.removeprefix(opened["ticks"]) if opened["ticks"] else ""
            closes, body = opened["ticks"] or f"</{opened['tag']}>", []
        else:
            before = text.strip("`*:# ")


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
