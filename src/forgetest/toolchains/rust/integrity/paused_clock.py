"""tokio's clock: under a test's paused clock, a sample that moves it on passes without ever waiting.

No run tells the two apart: the functions exist for tests, and do to the tests' clock what they are made for. The
sample's text has to name one of them, in a path or an import; where macros put the path together, by its parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from forgetest.toolchains.rust.source.lexer import Token
from forgetest.verdict import Finding

_TOKIO = ("tokio", "r#tokio")
_FUNCTIONS = ("advance", "pause", "resume")
_INSIDE = ("self", "Self", "crate", "super")
_STD = ("std", "core", "alloc")


def findings(found: Sequence[Token]) -> Iterator[Finding]:
    """Find uses of the functions that change tokio's clock; methods and functions of the sample's own are none."""
    if not any(token.text in _TOKIO for token in found):
        return
    texts = [token.text.removeprefix("r#") for token in found]
    if set(texts).isdisjoint(_FUNCTIONS):
        return
    imports = _Imports(texts)
    own = {after for text, after in pairwise(texts) if text in ("fn", "mod")}
    pastes_paths = any(pair == ("::", "$") for pair in pairwise(texts))
    reported: set[str] = set()
    for index, text in enumerate(texts):
        if text not in _FUNCTIONS or text in reported:
            continue
        before, owner = ["", "", *texts[max(0, index - 2) : index]][-1], ["", *texts[max(0, index - 2) : index]][-2]
        is_own = text in own and not imports.has_globs
        if before in (".", "fn"):
            continue
        if before == "::":
            is_type = (owner[:1].isupper() or owner == ">") and owner not in imports.aliases
            uses = not is_type and not (is_own and (owner in _INSIDE or owner in own))
        elif index in imports.indices:
            uses = not is_own
        else:
            is_call = texts[index + 1 : index + 2] == ["("]
            uses = not is_own and ((is_call and imports.has_globs) or pastes_paths)
        if uses:
            reported.add(text)
            yield Finding(kind="changes_clock", detail=f"changes the tests' clock by tokio::time::{text}")


class _Imports:
    """The imports of a sample."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.indices: set[int] = set()
        """Indices of all words in imports."""
        self.aliases: set[str] = set()
        self.has_globs = False
        """Everything is imported from somewhere that is neither std's nor the sample's own."""
        root: str | None = None
        for index, (text, after) in enumerate(pairwise([*texts, ""])):
            if text == "use" and root is None:
                root = after
            elif text == ";":
                root = None
            elif root is not None:
                self.indices.add(index)
                if text == "as":
                    self.aliases.add(after)
                self.has_globs = self.has_globs or (text == "*" and root not in (*_STD, *_INSIDE))
