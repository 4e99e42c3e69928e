"""Rust text → tokens: enough to find attributes, paths, macro calls and brackets; never a guess.

This is the only hand-written lexer for Rust. Everything that needs a syntax tree uses tree-sitter instead
(`compile/expected_items.py`). The lexer also has to read text that is not a program: a fragment, an answer with prose
around its code, or a sample written to confuse it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A token and its position. Comments and white space are not tokens."""

    text: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """True for an identifier or a keyword."""
        return self.text[0].isidentifier() and self.text[-1] not in "\"'#"


# An unterminated literal extends to the end of the text: retrying one character later, again and again, would take
# hours on text that is written for it.
_RAW_STRING = r'[bc]?r(?P<hashes>\#*)"(?:.*?"(?P=hashes)|.*)'
_STRING = r'[bc]?"(?:\\(?:.|\Z)|[^"\\])*(?:"|\Z)'
_CHARACTER = r"b?'(?:\\(?:x[0-9a-fA-F]{2}|u\{[^}]{0,12}\}|.)|[^\\'\n])'"
_LIFETIME = r"'[^\W\d]\w*"
_TOKEN = re.compile(
    rf"""
    (?P<skip>   \s+ | //[^\n]* )
  | (?P<raw>    {_RAW_STRING} )
  | (?P<string> {_STRING} )
  | (?P<char>   {_CHARACTER} )
  | (?P<life>   {_LIFETIME} )
  | (?P<name>   (?:r\#)?[^\W\d]\w* )
  | (?P<number> \d\w*(?:\.\d\w*)? )
  | (?P<punct>  :: | -> | => | == | != | . )
    """,
    re.DOTALL | re.VERBOSE,
)
_STRUCTURE = re.compile(
    rf"""
    (?P<comment> //[^\n]* )
  | (?P<block_comment> /\* )
  | (?P<raw> \b[bc]?r(?P<hashes>\#*)" )
  | (?P<literal> {_STRING} | {_CHARACTER} | {_LIFETIME} )
  | (?P<bracket> [(){{}}\[\]] )
  | (?P<semicolon> ; )
  | (?P<blank_line> \n[ \t]*(?=\n) )
    """,
    re.DOTALL | re.VERBOSE,
)
_COMMENT_MARK = re.compile(r"/\*|\*/")

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def tokens(text: str) -> list[Token]:
    """Return all tokens of `text`. Characters that are not Rust come out as tokens of one character."""
    return list(_cached_tokens(text))


@functools.lru_cache(maxsize=64)  # a sample is read several times, and so are the samples that share its compiler call
def _cached_tokens(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    position = 0
    while position < len(text):
        position = _scan_to_block_comment(text, position, found)
    return tuple(found)


def _scan_to_block_comment(text: str, position: int, found: list[Token]) -> int:
    """Append tokens up to the next block comment, and return the position behind that comment."""
    for match in _TOKEN.finditer(text, position):
        if match.lastgroup == "skip":
            continue
        start, end = match.span()
        word = match.group()
        if word == "/" and text.startswith("*", end):
            return _end_of_block_comment(text, start) or len(text)
        found.append(Token(word, start, end))
    return len(text)


def _end_of_block_comment(text: str, start: int) -> int | None:
    """Return the position behind the block comment at `start`, None if it is not closed. Block comments nest."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return None


class Landmark(NamedTuple):
    """Something in a text that bears on its structure, or that hides brackets: a comment or a literal."""

    kind: str
    """`comment`, `literal`, `bracket`, `semicolon` or `blank_line`."""
    start: int
    end: int


def next_landmark(text: str, position: int, limit: int) -> Landmark | None:
    """Return the first landmark that begins between `position` and `limit`.

    Skips everything else in one search, so it is quick on long text. Only the head of a comment or raw string has to
    lie before `limit`.
    """
    match = _STRUCTURE.search(text, position, limit)
    if match is None:
        return None
    start, end = match.span()
    kind = match.lastgroup
    if kind == "raw":
        terminator = '"' + match["hashes"]
        found = text.find(terminator, end)
        return Landmark("literal", start, len(text) if found < 0 else found + len(terminator))
    if kind == "block_comment":
        return Landmark("comment", start, _end_of_block_comment(text, start) or len(text))
    return Landmark(kind or "", start, end)


def closing_bracket(found: Sequence[Token], opening: int) -> int:
    """Return the index of the bracket that closes the one at `opening`, or of the last token if none does."""
    depth = 0
    for index in range(opening, len(found)):
        if found[index].text in _OPENING:
            depth += 1
        elif found[index].text in _CLOSING:
            depth -= 1
            if depth == 0:
                return index
    return len(found) - 1


_CFG_TEST = ["#", "[", "cfg", "(", "test", ")", "]"]


def without_test_modules(found: list[Token]) -> list[Token]:
    """Leave out `#[cfg(test)]` modules: samples are compiled without `cfg(test)`."""
    texts = [token.text for token in found]
    kept: list[Token] = []
    position = 0
    for index, text in enumerate(texts):
        if text == "#" and index >= position and texts[index : index + len(_CFG_TEST)] == _CFG_TEST:
            body = _module_body(found, texts, index + len(_CFG_TEST))
            if body is not None:
                kept += found[position:index]
                position = closing_bracket(found, body) + 1
    return kept + found[position:]


def _module_body(found: list[Token], texts: list[str], index: int) -> int | None:
    """Return the index of the `{` of a module whose attributes or visibility begin at `index`, if there is one."""
    while texts[index : index + 2] == ["#", "["]:
        index = closing_bracket(found, index + 1) + 1
    if texts[index : index + 1] == ["pub"]:
        index += 1
        if texts[index : index + 1] == ["("]:
            index = closing_bracket(found, index) + 1
    is_module = texts[index : index + 1] == ["mod"] and texts[index + 2 : index + 3] == ["{"]
    return index + 2 if is_module else None


@functools.lru_cache(maxsize=64)
def dangling_end(text: str) -> str | None:
    """Name what the end of the text leaves open, so that it would apply to whatever follows; None for a clean end."""
    found = tokens(text)
    rest = text[found[-1].end if found else 0 :]
    if _has_open_comment(rest):
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
        if token.text in _OPENING:
            opened.append(index)
        elif token.text in _CLOSING and opened:
            last = opened.pop()
    if opened:
        before = [token.text for token in found[max(0, opened[0] - 2) : opened[0]]]
        return "an open macro call" if "!" in before else None
    if found[-1].text == "]" and last and found[last - 1].text == "#":
        return "an attribute"
    is_pub = found[-1].text == "pub" or (found[-1].text == ")" and last and found[last - 1].text == "pub")
    return "a visibility" if is_pub else None


_CLOSED_STRING = re.compile(r'''[bc]?r(#*)".*"\1|[bc]?"(?:\\.|[^"\\])*"''', re.DOTALL)


def _has_open_comment(text: str) -> bool:
    position = 0
    while (position := text.find("/", position)) >= 0:
        if text.startswith("//", position):
            position = text.find("\n", position)
            if position < 0:
                return False
        else:
            end = _end_of_block_comment(text, position)
            if end is None:
                return True
            position = end
    return False


def string_value(token: str) -> str:
    """Return the value of a string literal."""
    if raw := re.fullmatch(r'[bc]?r(#*)"(.*)"\1', token, re.DOTALL):
        return raw[2]
    body = token[token.index('"') + 1 : -1]
    return re.sub(r"\\(x[0-9a-fA-F]{2}|u\{[^}]*\}|\r?\n\s*|.)", _unescape_rust, body, flags=re.DOTALL)


def _unescape_rust(match: re.Match[str]) -> str:
    escape = match[1]
    if escape[0] in "xu":
        try:
            return chr(int(escape.strip("xu{}").replace("_", ""), 16))
        except (ValueError, OverflowError):
            return escape  # not Rust; the compiler will report it
    if escape[0] in "\r\n":
        return ""
    return {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(escape, escape)
