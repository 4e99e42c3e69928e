"""What our lexer and rustc could read differently.

A text for which `ambiguity` returns None has the same tokens for both. That is checked against the compiler, on a
large corpus and by fuzzing (tests/e2e/test_lexer_against_rustc.py). For anything else nothing is claimed. A sample
with such a text is never compiled together with others, and never verified:

- a first line `#!…` that is more than a plain path with arguments: rustc decides by the tokens behind it, even on
  later lines, whether it is code;
- three dashes at the beginning, which newer compilers skip with everything up to the next three;
- white space that editors do not show as such, outside of literals and comments: U+0085, U+200E, U+200F, U+2028,
  U+2029, and a carriage return without a line feed;
- characters that begin no token, that a newer version of Unicode may have given a meaning, or that cannot be encoded;
- names that rustc normalises to other, plain names (the Kelvin sign is a `K`);
- literals that are not terminated or not valid, and literals with a suffix, which only macros may have;
- prefixes and `#` that newer editions reserve: `x"…"`, `x'…'`, `x#`, `'x#`, `#"…"`, `##`; in editions before 2021
  also `c"…"` and `'r#x`;
- brackets that do not match, and a comment that is not closed.

Nearly all of it does not compile either, so an honest sample loses nothing.
"""

from __future__ import annotations

import re
from itertools import pairwise

from forgetest.toolchains.rust.source.endings import has_open_comment
from forgetest.toolchains.rust.source.lexer import Token, class_text, code_start, end_of_block_comment, tokens
from forgetest.toolchains.rust.source.literals import is_valid
from forgetest.toolchains.rust.source.recent_texts import cached_for_recent_texts

_PLAIN_FIRST_LINE = re.compile(r"#! ?/(?![/*])[\w./ =+,:@-]*\r?")
_PUNCTUATION = re.compile(r"[;,(){}\[\]@#~?:$=!<>\-&|+*/^%.]+")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_KELVIN = "\u212a"
_UNUSUAL_SPACE = re.compile("\u0085|\r(?!\n)")
_COMMENT_OR_UNUSUAL = re.compile("//[^\n]*|/\\*|(?P<unusual>\u0085|\r(?!\n))")
_RECENT_EDITIONS = ("2021", "2024")


def is_unambiguous(code: str, edition: str | None = None) -> bool:
    """Return whether rustc is known to read the text as our lexer does, in this edition or in every one."""
    return ambiguity(code, edition) is None


def ambiguity(code: str, edition: str | None = None) -> str | None:
    """Name something in the text that rustc may read differently; None if there is nothing."""
    in_some_edition = _ambiguity_in_some_edition(code)
    return in_some_edition if in_some_edition is None or edition is None else _ambiguity(code, edition)


@cached_for_recent_texts(1 << 20)
def _ambiguity_in_some_edition(code: str) -> str | None:
    return _ambiguity(code, None)


def _ambiguity(code: str, edition: str | None) -> str | None:
    try:
        code.encode()
    except UnicodeEncodeError:
        return "a character that cannot be encoded"
    start, found = code_start(code), tokens(code)
    if start > 1 and not _PLAIN_FIRST_LINE.fullmatch(code.removeprefix("\ufeff")[: start - code.startswith("\ufeff")]):
        return "a first line that may be code"
    if has_open_comment(code):
        return "an open comment"
    if found and found[0].text.startswith("-"):
        return "dashes at the beginning"
    return (
        _unusual_space(code, start, found)
        or _doubtful(code, found, edition)
        or _reserved(class_text(code), found)
        or _unbalanced(found)
    )


def _doubtful(code: str, found: list[Token], edition: str | None) -> str | None:
    looked_at = found if _KELVIN in code else [token for token in found if token.kind != "name"]
    return next((reason for token in looked_at if (reason := _doubtful_token(token, edition))), None)


def _doubtful_token(token: Token, edition: str | None) -> str | None:
    match token.kind:
        case "punctuation":
            return None if _PUNCTUATION.fullmatch(token.text) else f"U+{ord(token.text[0]):04X} outside of a literal"
        case "name":
            return "a name that stands for another" if _KELVIN in token.text else None
        case "lifetime":
            is_doubtful = token.text.startswith("'r#") and edition not in _RECENT_EDITIONS
            return "a raw lifetime" if is_doubtful or _KELVIN in token.text else None
    if token.text[0] == "c" and edition not in _RECENT_EDITIONS:
        return "a C string"
    return None if is_valid(token) else f"the literal {token.text[:20]}"


def _unusual_space(code: str, start: int, found: list[Token]) -> str | None:
    """Look for unusual white space between tokens, but not in comments."""
    classes = class_text(code)
    if not _UNUSUAL_SPACE.search(classes):
        return None
    ends = [start, *(token.end for token in found)]
    starts = [*(token.start for token in found), len(code)]
    for end, begin in zip(ends, starts, strict=True):
        position = end
        while mark := _COMMENT_OR_UNUSUAL.search(classes, position, begin):
            if mark["unusual"] is not None:
                return f"U+{ord(code[mark.start()]):04X} between tokens"
            is_line = mark.group() != "/*"
            position = mark.end() if is_line else end_of_block_comment(classes, mark.start()) or begin
    return None


def _reserved(classes: str, found: list[Token]) -> str | None:
    for token in found:
        behind = classes[token.end : token.end + 1]
        if token.kind == "name" and behind in ("#", '"', "'") and behind:
            return "a reserved prefix"
        if token.kind == "lifetime" and behind in ("#", "'") and behind:
            return "a reserved prefix"
    for token, after in pairwise(found):
        if token.text == "#" and token.end == after.start and (after.text == "#" or after.kind == "string"):
            return "a reserved guard"
    return None


def _unbalanced(found: list[Token]) -> str | None:
    opened: list[str] = []
    for token in found:
        if token.text in ("(", "[", "{"):
            opened.append(token.text)
        elif token.text in _PAIRS and (not opened or opened.pop() != _PAIRS[token.text]):
            return "a bracket that closes nothing"
    return "an open bracket" if opened else None
