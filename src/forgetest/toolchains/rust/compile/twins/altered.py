"""Altered literals: another value of the same form, for an expectation that a correct sample does not meet.

Altering is its own inverse: with the same choices, the altered value's altered value is the original (except for texts
of at most one letter). So of the two, nobody can tell by size, parity or spelling which one the author wrote; the
judge's secret makes the choices. The type of a literal is not known, so no altered number leaves the range of a type
that the original fits.
"""

from __future__ import annotations

import random
import re
import unicodedata
from string import ascii_lowercase

_INTEGER = re.compile(r"(?P<digits>\d[\d_]*|0x[\da-fA-F_]+|0b[01_]+|0o[0-7_]+)(?P<suffix>[iu](?:8|16|32|64|128|size))?")
_FLOAT = re.compile(r"(?P<whole>\d+)(?P<rest>\.\d[\d_]*(?:[eE][+-]?\d+)?(?:f32|f64)?|(?:f32|f64))")
_STRING = re.compile(r'(?P<head>b?r?(?P<hashes>#*)")(?P<body>.*)"(?P=hashes)', re.DOTALL)
_CHARACTER = re.compile(r"(?P<head>b?')(?P<body>[^\\']|\\[nt])'")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|\r?\n\s*|.)", re.DOTALL)
_NEIGHBOURS = ("()", "[]", "<>", "+-", "*/", ".,", ";:", "!?", " _", "#@", "=~", "|&", "%^")
_PAIRS = {pair[place]: pair[1 - place] for pair in _NEIGHBOURS for place in (0, 1)}
_ESCAPED_PAIRS = {"\\n": "\\t", "\\t": "\\n"}
_MASKS = (1, 2, 3)
"""The last two bits: 255 stays within u8, -128 within i8, and no number changes its sign."""


def altered(literal: str, choices: random.Random) -> str | None:
    """Return another literal of the same type, as the choices say; None if there is no good one."""
    if literal in ("true", "false"):
        return "false" if literal == "true" else "true"
    sign, unsigned = ("-", literal[1:].lstrip()) if literal.startswith("-") else ("", literal)
    if match := _INTEGER.fullmatch(unsigned):
        return _altered_integer(sign, match, choices)
    if match := _FLOAT.fullmatch(unsigned):
        return sign + _altered_whole(match["whole"]) + match["rest"]
    if sign:
        return None
    if match := _CHARACTER.fullmatch(literal):
        body = _ESCAPED_PAIRS.get(match["body"]) or altered_character(match["body"])
        return f"{match['head']}{body}'" if body else None
    if match := _STRING.fullmatch(literal):
        return _altered_string(match, choices)
    return None


def _altered_integer(sign: str, match: re.Match[str], choices: random.Random) -> str | None:
    digits, suffix = match["digits"].replace("_", ""), match["suffix"] or ""
    base = {"0x": 16, "0b": 2, "0o": 8}.get(digits[:2], 10)
    if base != 10 or (len(digits) > 1 and digits[0] == "0"):
        return None if sign else _altered_digits(match["digits"], base, suffix)
    value = int(sign + digits)
    if sign and value == 0:
        return None
    grouped = "_" in match["digits"]
    return f"{value ^ choices.choice(_MASKS):{'_' if grouped else ''}}{suffix}"


def _altered_digits(digits: str, base: int, suffix: str) -> str:
    """Alter the last digit of a number whose notation must stay as it is."""
    last = int(digits[-1], base) ^ 1
    return f"{digits[:-1]}{last:x}{suffix}"


def _altered_whole(whole: str) -> str:
    """Alter the second digit, or the only one, so that no type of a float rounds the difference away."""
    place = min(1, len(whole) - 1)
    return f"{whole[:place]}{int(whole[place]) ^ 1}{whole[place + 1 :]}"


def _altered_string(match: re.Match[str], choices: random.Random) -> str | None:
    head, body, hashes = match["head"], match["body"], match["hashes"]
    is_raw, is_bytes = "r" in head, head.startswith("b")
    if not body and not is_bytes:
        return f'{head}{choices.choice(ascii_lowercase)}"{hashes}'
    if len(body) == 1 and body in ascii_lowercase and not is_bytes and choices.random() < 0.5:
        return f'{head}"{hashes}'  # so that of the two, the empty text need not be the original
    escaped = [] if is_raw else [place for found in _ESCAPE.finditer(body) for place in range(*found.span())]
    places = [
        place
        for place in sorted(set(range(len(body))).difference(escaped))
        if (other := altered_character(body[place])) and (other.isascii() or not is_bytes)
    ]
    if not places:
        return None
    place = choices.choice(places)
    return f'{head}{body[:place]}{altered_character(body[place])}{body[place + 1 :]}"{hashes}'


def altered_character(character: str) -> str | None:
    """Return another character of the same kind, whose own altered character is this one."""
    if character in _PAIRS:
        return _PAIRS[character]
    if character.isascii() and not character.isalnum():
        return None
    # letters and digits by turns; `a` and `A` have odd numbers
    code = ord(character)
    other = chr(((code - 1) ^ 1) + 1 if character.isascii() and character.isalpha() else code ^ 1)
    same_kind = unicodedata.category(character) == unicodedata.category(other)
    return other if same_kind and unicodedata.category(character)[0] in "LN" else None
