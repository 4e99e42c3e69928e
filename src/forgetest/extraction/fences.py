"""The fenced blocks in a model's answer, and the text around them.

Fences are read as in CommonMark, with three extensions: a fence may be indented by any amount, follow a list marker or
be quoted with `>`; a block that is never closed extends to the end of the text; but if such a block has a line of code
that ends in a fence (a `}` and three backticks), the block ends there.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OPENING = re.compile(r"(?P<lead>[ \t]*(?:>[ \t]?)*(?:(?:[-+]|\d{1,9}[.)])[ \t]+)?)(?P<fence>`{3,}|~{3,})(?P<info>.*)")
_TAG = re.compile(r"\{?\.?(?:language-)?([\w+#-]*)")


class Block(NamedTuple):
    """A fenced block."""

    info: str
    """The rest of the opening fence's line."""
    code: str
    closed: bool = True

    @property
    def tag(self) -> str:
        """The language that the fence names, in lower case; empty if it names none."""
        match = _TAG.match(self.info)
        return match[1].lower() if match else ""


def split(text: str) -> tuple[list[Block], str]:
    """Return all outermost blocks, and the text outside of them with an empty line in place of each block."""
    blocks: list[Block] = []
    outside: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        opening = _OPENING.fullmatch(line)
        if opening is None:
            outside.append(line)
            continue
        outside.append("")
        lead, fence, info = opening["lead"], opening["fence"], opening["info"].strip()
        if fence[0] in info:
            if info.endswith(fence):  # a block on one line
                blocks.append(Block(info.removesuffix(fence).strip(), ""))
            else:
                outside[-1] = line
            continue
        end = next((i for i in range(at, len(lines)) if _closes(lines[i], fence)), None)
        body = lines[at:end]
        if end is None and (glued := _glued_fence(body, fence)) is not None:
            body = [*body[:glued], body[glued].rstrip().rstrip(fence[0])]
            end = at + glued
        blocks.append(Block(info, _code(body, lead), closed=end is not None))
        at = len(lines) if end is None else end + 1
    return blocks, "\n".join(outside)


def opens(line: str) -> Block | None:
    """Return the empty block that a line opens, or None."""
    match = _OPENING.fullmatch(line)
    return None if match is None else Block(match["info"].strip(), "", closed=False)


def _closes(line: str, fence: str) -> bool:
    bare = line.lstrip(" \t>").rstrip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _glued_fence(lines: list[str], fence: str) -> int | None:
    code_then_fence = re.compile(rf"(?!\s*//).*[;}})]\s*{fence}\s*")
    return next((i for i, line in enumerate(lines) if code_then_fence.fullmatch(line)), None)


def _code(lines: list[str], lead: str) -> str:
    quotes = lead.count(">")
    if quotes:
        lines = [re.sub(rf"^[ \t]*(?:>[ \t]?){{1,{quotes}}}", "", line) for line in lines]
    elif lead:
        # all lines or none: removing the indent of some would change the code's meaning, in Python or in a string
        indent = " " * len(lead) if lead.strip() else lead
        if all(line.startswith(indent) or not line.strip() for line in lines):
            lines = [line[len(indent) :] for line in lines]
    return "".join(f"{line}\n" for line in lines)
