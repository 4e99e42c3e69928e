"""What the end of a text leaves open."""

from __future__ import annotations

import re

from forgetest.toolchains.rust.source.lexer import class_text, code_start, end_of_block_comment, tokens
from forgetest.toolchains.rust.source.literals import is_closed
from forgetest.toolchains.rust.source.recent_texts import cached_for_recent_texts


@cached_for_recent_texts(1 << 20)
def dangling_end(text: str) -> str | None:
    """Name what the end of the text leaves open, so that it would apply to whatever follows; None for a clean end."""
    if trailing := _trailing_comments(text):
        return trailing
    found = tokens(text)
    if not found:
        return None
    if found[-1].kind == "string" and not is_closed(found[-1]):
        return "an open string"
    opened: list[int] = []
    last = 0
    for index, token in enumerate(found):
        if token.text in ("(", "[", "{"):
            opened.append(index)
        elif token.text in (")", "]", "}") and opened:
            last = opened.pop()
    if opened:
        before = [token.text for token in found[max(0, opened[0] - 2) : opened[0]]]
        return "an open macro call" if "!" in before else None
    if found[-1].text == "]" and last and found[last - 1].text == "#":
        return "an attribute"
    is_pub = found[-1].text == "pub" or (found[-1].text == ")" and last and found[last - 1].text == "pub")
    return "a visibility" if is_pub else None


_DOC_COMMENT = re.compile(r"///(?!/)|/\*\*(?![*/])")


def has_open_comment(text: str) -> bool:
    """Return whether the text ends in a comment that is not closed."""
    return _trailing_comments(text) == _OPEN_COMMENT


_OPEN_COMMENT = "an open comment"


def _trailing_comments(text: str) -> str | None:
    """Name what the comments behind the last token leave open."""
    found, classes = tokens(text), class_text(text)
    position = found[-1].end if found else code_start(text)
    documents = False
    while (position := classes.find("/", position)) >= 0:
        documents = documents or _DOC_COMMENT.match(classes, position) is not None
        line = classes.startswith("//", position)
        end = classes.find("\n", position) if line else end_of_block_comment(classes, position)
        if end is None:
            return _OPEN_COMMENT
        if end < 0:
            break
        position = end
    return "a doc comment" if documents else None
