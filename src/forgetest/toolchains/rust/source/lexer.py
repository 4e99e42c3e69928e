"""Rust text → tokens, as rustc splits it.

This is the only hand-written lexer for Rust. Everything that needs a syntax tree uses tree-sitter instead
(`compile/expected_items.py`). The lexer also has to read text that is not a program: a fragment, an answer with prose
around its code, or a sample written to confuse it. Where it could read something differently from rustc, `ambiguity.py`
says so; everywhere else its tokens are rustc's, which a slow test checks against the compiler itself.

Every function takes time linear in the length of its text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from forgetest.toolchains.rust.source.recent_texts import cached_for_recent_texts

TokenKind = Literal["name", "lifetime", "number", "string", "character", "punctuation"]
"""A string may be raw, or of bytes; a name may be a keyword, or raw."""


class Token(NamedTuple):
    """A token and its position. Comments and white space are not tokens."""

    text: str
    start: int
    end: int
    kind: TokenKind

    @property
    def is_name(self) -> bool:
        """True for an identifier or a keyword."""
        return self.kind == "name"


# Characters beyond ASCII matter to the lexer only by their class. `class_text` puts one character of each class in
# their place, so that the patterns below need no tables of Unicode.
_LETTER, _MARK, _SPACE, _OTHER = "\u00e9\u00b7\u0085\u00a7"
_WHITE_SPACE = frozenset("\u0085\u200e\u200f\u2028\u2029")
"""White space beyond ASCII for rustc: Unicode's Pattern_White_Space, which is not what `str.isspace` says."""

_START = f"[A-Za-z_{_LETTER}]"
_CONTINUE = f"[0-9A-Za-z_{_LETTER}{_MARK}]"
_SUFFIX = f"(?:{_START}{_CONTINUE}*)?"
"""Any literal may have a suffix; `"x"r` is one token, whatever stands behind it."""
_BLANK = f"[\\t\\n\\x0b\\x0c\\r {_SPACE}]"

# An unterminated literal extends to the end of the text: retrying one character later, again and again, would take
# hours on text that is written for it.
_RAW_STRING = rf'[bc]?r(?P<hashes>\#*)"(?:.*?"(?P=hashes){_SUFFIX}|.*)'
_STRING = rf'[bc]?"[^"\\]*(?:\\(?:.|\Z)[^"\\]*)*(?:"{_SUFFIX}|\Z)'
_CHARACTER = rf"b?'(?:\\(?:x[0-9a-fA-F]{{2}}|u\{{[0-9a-fA-F_]*\}}|[^xu])|[^\\'\n])'{_SUFFIX}"
_LIFETIME = rf"'(?:r\#(?={_START}))?{_START}{_CONTINUE}*"
_RAW_NAME = rf"r\#{_START}{_CONTINUE}*"
_NUMBER = rf"""
    (?: 0[bo][0-9_]* | 0x[0-9a-fA-F_]* | [0-9][0-9_]* )
    (?: \.(?!\.|{_START}) (?: [0-9][0-9_]* (?: [eE][+-]?[0-9_]* )? )? | [eE][+-]?[0-9_]* )?
    {_SUFFIX}"""
_TOKEN = re.compile(
    rf"""
    (?P<skip>      {_BLANK}+ | //[^\n]* )
  | (?P<string>    {_RAW_STRING} | {_STRING} )
  | (?P<character> {_CHARACTER} )
  | (?P<lifetime>  {_LIFETIME} )
  | (?P<name>      {_RAW_NAME} | {_START}{_CONTINUE}* )
  | (?P<number>    {_NUMBER} )
  | (?P<punctuation> :: | -> | => | == | != | . )
    """,
    re.DOTALL | re.VERBOSE,
)
_STRUCTURE = re.compile(
    rf"""
    (?P<comment> //[^\n]* )
  | (?P<block_comment> /\* )
  | (?P<raw> (?<!{_CONTINUE})[bc]?r(?P<hashes>\#*)" )
  | (?P<raw_name> (?<!{_CONTINUE}){_RAW_NAME} )
  | (?P<literal> {_STRING} | {_CHARACTER} | {_LIFETIME} )
  | (?P<bracket> [(){{}}\[\]] )
  | (?P<semicolon> ; )
  | (?P<blank_line> \n[ \t]*(?=\n) )
    """,
    re.DOTALL | re.VERBOSE,
)
_SUFFIX_BEHIND = re.compile(_SUFFIX)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_PLAIN_TRIVIA = re.compile(rf"{_BLANK}+|//(?!!|/(?!/))[^\n]*|/\*(?!!|\*(?![*/]))")
"""White space, or the beginning of a comment that documents nothing."""

_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


def class_text(text: str) -> str:
    """Return a text of the same length with one character for each class of characters beyond ASCII."""
    return text if text.isascii() else _class_text(text)


@functools.lru_cache(maxsize=8)
def _class_text(text: str) -> str:
    return text.translate({ord(each): _character_class(each) for each in set(text) if not each.isascii()})


def _character_class(character: str) -> str:
    if character in _WHITE_SPACE:
        return _SPACE
    if character.isidentifier():
        return _LETTER
    return _MARK if f"_{character}".isidentifier() else _OTHER


def code_start(text: str) -> int:
    """Return where the code begins: behind a byte order mark, and behind a first line for the operating system."""
    start = 1 if text.startswith("\ufeff") else 0
    if not text.startswith("#!", start):
        return start
    classes, position = class_text(text), start + 2
    # `#!` begins an attribute, not such a line, if the next token is a bracket, even on a later line
    while trivia := _PLAIN_TRIVIA.match(classes, position):
        position = trivia.end()
        if trivia.group() == "/*":
            position = end_of_block_comment(text, trivia.start()) or len(text)
    if text.startswith("[", position):
        return start
    return text.find("\n", start) if "\n" in text else len(text)


def tokens(text: str) -> list[Token]:
    """Return all tokens of `text`. Characters that are not Rust come out as tokens of one character."""
    return list(_scan(text))


@cached_for_recent_texts(1 << 19)  # tokens take a hundred times as much memory as their text
def _scan(text: str) -> tuple[Token, ...]:
    found: list[Token] = []
    classes, position = class_text(text), code_start(text)
    while position < len(text):
        position = _scan_to_block_comment(text, classes, position, found)
    return tuple(found)


def _scan_to_block_comment(text: str, classes: str, position: int, found: list[Token]) -> int:
    """Append tokens up to the next block comment, and return the position behind that comment."""
    for match in _TOKEN.finditer(classes, position):
        kind = match.lastgroup
        if kind == "skip":
            continue
        start, end = match.span()
        if classes.startswith("/*", start):
            return end_of_block_comment(text, start) or len(text)
        found.append(Token(text[start:end], start, end, kind))  # type: ignore[arg-type]  # a group of the pattern
    return len(text)


def end_of_block_comment(text: str, start: int) -> int | None:
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
    if position == 0 and (start := code_start(text)) > 1:
        return Landmark("comment", 0, start)
    classes = class_text(text)
    match = _STRUCTURE.search(classes, position, limit)
    while match is not None and match.lastgroup == "raw_name":
        match = _STRUCTURE.search(classes, match.end(), limit)
    if match is None:
        return None
    start, end = match.span()
    kind = match.lastgroup
    if kind == "raw":
        terminator = '"' + match["hashes"]
        found = text.find(terminator, end)
        if found < 0:
            return Landmark("literal", start, len(text))
        behind = _SUFFIX_BEHIND.match(classes, found + len(terminator))
        return Landmark("literal", start, behind.end() if behind else found + len(terminator))
    if kind == "block_comment":
        return Landmark("comment", start, end_of_block_comment(text, start) or len(text))
    return Landmark(kind or "", start, end)


def closing_bracket(found: Sequence[Token], opening: int) -> int:
    """Return the index of the bracket that closes the one at `opening`, or of the last token if none does.

    Looks at every token between; `closing_brackets` finds all of them at once.
    """
    depth = 0
    for index in range(opening, len(found)):
        if found[index].text in _OPENING:
            depth += 1
        elif found[index].text in _CLOSING:
            depth -= 1
            if depth == 0:
                return index
    return len(found) - 1


def closing_brackets(found: Sequence[Token]) -> dict[int, int]:
    """Return for the index of every opening bracket what `closing_bracket` returns for it."""
    opened: list[int] = []
    closed: dict[int, int] = {}
    for index, token in enumerate(found):
        if token.text in _OPENING:
            opened.append(index)
        elif token.text in _CLOSING and opened:
            closed[opened.pop()] = index
    return closed | dict.fromkeys(opened, len(found) - 1)


_CFG_TEST = ["#", "[", "cfg", "(", "test", ")", "]"]


def without_test_modules(found: list[Token]) -> list[Token]:
    """Leave out `#[cfg(test)]` modules: samples are compiled without `cfg(test)`."""
    texts = [token.text for token in found]
    if "cfg" not in texts:
        return found
    closed = closing_brackets(found)
    kept: list[Token] = []
    position = 0
    for index, text in enumerate(texts):
        if text == "cfg" and index >= position + 2 and texts[index - 2 : index + 5] == _CFG_TEST:
            body = _module_body(closed, texts, index + 5)
            if body is not None:
                kept += found[position : index - 2]
                position = closed[body] + 1
    return kept + found[position:]


def _module_body(closed: dict[int, int], texts: list[str], index: int) -> int | None:
    """Return the index of the `{` of a module whose attributes or visibility begin at `index`, if there is one."""
    attributes = 0
    while texts[index : index + 2] == ["#", "["]:
        index = closed[index + 1] + 1
        attributes += 1
        if attributes > _MOST_ATTRIBUTES:
            return None
    if texts[index : index + 1] == ["pub"]:
        index += 1
        if texts[index : index + 1] == ["("]:
            index = closed[index] + 1
    is_module = texts[index : index + 1] == ["mod"] and texts[index + 2 : index + 3] == ["{"]
    return index + 2 if is_module else None


_MOST_ATTRIBUTES = 20
"""An item of a sample with more attributes counts as code: each `#[cfg(test)]` before it would look at them again."""
