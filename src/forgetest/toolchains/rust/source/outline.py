"""The functions, traits and implementations in a text, found in one pass over its tokens.

No syntax tree: the text may be huge, and macros may hold anything. Where brackets or keywords are not those of a
program, the outline is incomplete; nothing that decides a verdict rests on it alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from forgetest.toolchains.rust.source.lexer import Token

_KEYWORDS = ("fn", "trait", "impl")


@dataclass(slots=True)
class OutlineItem:
    """A function, a trait or an implementation."""

    keyword: str
    head: list[str]
    """The words up to the block or the semicolon, with the keyword."""
    parent: OutlineItem | None
    """The trait or implementation that holds the function directly."""
    start: int = 0
    end: int = 0
    """Indices of the tokens in its block."""
    functions: list[OutlineItem] = field(default_factory=list)
    holds_macros: bool = False
    """Some of what it holds is written by a macro: `$…` or `…!` directly in its block."""

    @property
    def name(self) -> str:
        """The word behind the keyword; a name for a function or a trait."""
        return self.head[1].removeprefix("r#") if len(self.head) > 1 else ""


def outline(found: Sequence[Token]) -> list[OutlineItem]:
    """Return all functions, traits and implementations, in the order of their heads."""
    items: list[OutlineItem] = []
    opened: list[OutlineItem | None] = []  # the item of each open bracket, None for other brackets
    head: tuple[int, int] | None = None  # the index and the depth of a keyword whose block is still to come

    def add_item(start: int, end: int) -> OutlineItem:
        parent = opened[-1] if opened else None
        item = OutlineItem(found[start].text, [token.text for token in found[start:end]], parent, end + 1, end + 1)
        items.append(item)
        if parent is not None and item.keyword == "fn":
            parent.functions.append(item)
        return item

    for index, token in enumerate(found):
        text = token.text
        if text in _KEYWORDS and head is None and not (index and found[index - 1].text == "$"):
            head = (index, len(opened))
        elif text in ("(", "[", "{"):
            item = None
            if head is not None and text == "{" and head[1] == len(opened):
                item, head = add_item(head[0], index), None
            opened.append(item)
        elif text in (")", "]", "}"):
            item = opened.pop() if opened else None
            if item is not None:
                item.end = index
            if head is not None and head[1] > len(opened):
                head = None
        elif text == ";" and head is not None and head[1] == len(opened):
            add_item(head[0], index)
            head = None
        elif text in ("$", "!") and opened and opened[-1] is not None and head is None:
            opened[-1].holds_macros = True
    for item in opened:
        if item is not None:
            item.end = len(found)
    return items
