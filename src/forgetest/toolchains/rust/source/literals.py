"""Values and forms of Rust's literals."""

from __future__ import annotations

import re

from forgetest.toolchains.rust.source.lexer import Token, class_text

_ESCAPES = {
    "": r"""[nrt\\0'"]|x[0-7][0-9a-fA-F]|u\{[0-9a-fA-F](?:_*[0-9a-fA-F]){0,5}_*\}""",
    "b": r"""[nrt\\0'"]|x[0-9a-fA-F]{2}""",
    "c": r"""[nrt\\0'"]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F](?:_*[0-9a-fA-F]){0,5}_*\}""",
}
"""What may stand behind a backslash, by the literal's prefix."""
_IN_STRING = {
    prefix: re.compile(rf"\\(?:{escapes}|\r?\n)|(?P<invalid>\\|\r(?!\n))") for prefix, escapes in _ESCAPES.items()
}
_IN_CHARACTER = {prefix: re.compile(rf"\\(?:{escapes})|[^\\'\n\r\t]") for prefix, escapes in _ESCAPES.items()}
_HEAD = re.compile(r"""(?P<prefix>[bc]?)(?P<raw>r(?P<hashes>#*))?(?P<quote>["'])""")
# no two neighbours may match the same character: a number of a million digits must not take a million looks at it
_NUMBER = re.compile(
    r"""
    0b_*[01][01_]*(?:[A-DF-Za-df-z\u00e9]\S*)?
  | 0o_*[0-7][0-7_]*(?:[A-DF-Za-df-z\u00e9]\S*)?
  | 0x_*[0-9a-fA-F][0-9a-fA-F_]*(?:[G-Zg-z\u00e9]\S*)?
  | (?!0[box])[0-9][0-9_]*(?:\.(?:[0-9][0-9_]*)?)?(?:[eE][+-]?_*[0-9][0-9_]*)?(?:[A-DF-Za-df-z\u00e9]\S*)?
    """,
    re.VERBOSE,
)
_CLOSED_STRING = re.compile(r'[bc]?r(#*)".*?"\1|[bc]?"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


def is_valid(token: Token) -> bool:
    """Return whether rustc accepts a literal as it stands; strings and characters with a suffix do not count.

    The value of a character is not checked: `\\u{d800}` is a literal, if not one that compiles.
    """
    if token.kind == "number":
        return _NUMBER.fullmatch(class_text(token.text)) is not None
    head = _HEAD.match(token.text)
    if head is None:
        return False
    prefix, hashes = head["prefix"], head["hashes"] or ""
    terminator = head["quote"] + hashes
    body = token.text[head.end() : len(token.text) - len(terminator)]
    is_terminated = len(token.text) >= head.end() + len(terminator) and token.text.endswith(terminator)
    if not is_terminated or len(hashes) > _MOST_HASHES or (prefix == "b" and not body.isascii()):
        return False
    if head["quote"] == "'":
        return _IN_CHARACTER[prefix].fullmatch(body) is not None
    if head["raw"] is not None:
        return _LONE_RETURN.search(body) is None
    return all(match["invalid"] is None for match in _IN_STRING[prefix].finditer(body))


_MOST_HASHES = 255
_LONE_RETURN = re.compile(r"\r(?!\n)")


def is_closed(token: Token) -> bool:
    """Return whether a string ends before the text does."""
    return _CLOSED_STRING.match(token.text) is not None


def string_value(token: str) -> str:
    """Return the value of a string literal."""
    if raw := re.fullmatch(r'[bc]?r(#*)"(.*)"\1', token, re.DOTALL):
        return raw[2]
    body = token[token.index('"') + 1 : token.rindex('"')]
    return re.sub(r"\\(x[0-9a-fA-F]{2}|u\{[0-9a-fA-F_]*\}|\r?\n[ \t\r\n]*|.)", _unescape_rust, body, flags=re.DOTALL)


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
