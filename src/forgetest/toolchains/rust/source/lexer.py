"""Rust text → tokens. Enough of the language to find attributes, paths and macro calls, and nothing by guess."""

from __future__ import annotations

import functools
import re
from typing import NamedTuple


class Token(NamedTuple):
    """A token and where it stands; comments and white space are no tokens."""

    text: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """An identifier or keyword."""
        return self.text[0].isidentifier() and self.text[-1] not in "\"'#"


# what is opened and not closed reaches to the end: were it tried again a character later, and so on, text made
# for that would take hours
_TOKEN = re.compile(
    r"""
    (?P<skip>   \s+ | //[^\n]* )
  | (?P<raw>    [bc]?r(?P<hashes>\#*)"(?:.*?"(?P=hashes)|.*) )
  | (?P<string> [bc]?"(?:\\(?:.|\Z)|[^"\\])*(?:"|\Z) )
  | (?P<char>   b?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]{0,12}\}|.)|[^\\'\n])' )
  | (?P<life>   '[^\W\d]\w* )
  | (?P<name>   (?:r\#)?[^\W\d]\w* )
  | (?P<number> \d\w*(?:\.\d\w*)? )
  | (?P<punct>  :: | -> | => | == | != | . )
    """,
    re.DOTALL | re.VERBOSE,
)


def tokens(text: str) -> list[Token]:
    """All tokens of `text`; what is not Rust comes out as single characters, or reaches to the end."""
    return list(_tokens(text))


@functools.lru_cache(maxsize=64)  # a sample is looked at several times, and so are those it shares a call with
def _tokens(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    at = 0
    while at < len(text):
        at = _scanned(text, at, found)
    return tuple(found)


def _scanned(text: str, at: int, found: list[Token]) -> int:
    """Take in tokens from there on, up to the end of the next block comment; where that is."""
    for match in _TOKEN.finditer(text, at):
        if match.lastgroup == "skip":
            continue
        start, end = match.span()
        word = match.group()
        if word == "/" and text.startswith("*", end):
            return _end_of_comment(text, start) or len(text)
        found.append(Token(word, start, end))
    return len(text)


def _end_of_comment(text: str, at: int) -> int | None:
    """Block comments nest; None where it is not closed."""
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return None


def closing(found: list[Token], opening: int) -> int:
    """The index of the bracket that closes the one at `opening`; the last token where none does."""
    depth = 0
    for index in range(opening, len(found)):
        if found[index].text in ("(", "[", "{"):
            depth += 1
        elif found[index].text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return index
    return len(found) - 1


@functools.lru_cache(maxsize=64)
def dangling(text: str) -> str | None:
    """What the text's end leaves open, so that it would lay hold of whatever is put behind it."""
    found = tokens(text)
    rest = text[found[-1].end if found else 0 :]
    if _open_comment(rest):
        return "an open comment"
    if re.search(r"^[^\S\n]*///(?!/)|/\*\*(?![*/])", rest, re.MULTILINE):
        return "a doc comment"
    if not found:
        return None
    if re.match(r'[bc]?r?#*"', found[-1].text) and not _CLOSED_STRING.fullmatch(found[-1].text):
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


_CLOSED_STRING = re.compile(r'''[bc]?r(#*)".*"\1|[bc]?"(?:\\.|[^"\\])*"''', re.DOTALL)


def _open_comment(text: str) -> bool:
    at = 0
    while (at := text.find("/", at)) >= 0:
        if text.startswith("//", at):
            at = text.find("\n", at)
            if at < 0:
                return False
        else:
            end = _end_of_comment(text, at)
            if end is None:
                return True
            at = end
    return False


def literal(token: str) -> str:
    """The value of a string literal."""
    if raw := re.fullmatch(r'[bc]?r(#*)"(.*)"\1', token, re.DOTALL):
        return raw[2]
    body = token[token.index('"') + 1 : -1]
    return re.sub(r"\\(x[0-9a-fA-F]{2}|u\{[^}]*\}|\r?\n\s*|.)", _unescape, body, flags=re.DOTALL)


def _unescape(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "xu":
        try:
            return chr(int(escape.strip("xu{}").replace("_", ""), 16))
        except (ValueError, OverflowError):
            return escape  # no Rust; the compiler will say so
    if escape[0] in "\r\n":
        return ""
    return {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(escape, escape)
