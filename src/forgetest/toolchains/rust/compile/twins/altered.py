"""Altered literals: other values of the same form, for an expectation that a correct sample does not meet.

Each literal gets a *partner*, which is further away, and both get neighbours in either direction: a sample that also
accepts what is close, larger, smaller or of the same parity accepts one of them. A partner's partner is the original
(except for texts of at most one letter), so of the two groups of values nobody can tell which one holds the author's.
The judge's secret makes the choices. The type of a literal is not known, so no altered number leaves the range of a
type that the original fits.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from string import ascii_lowercase

MOST_VALUES = 8
"""Values of one literal, with the author's own."""
_INTEGER = re.compile(r"(?P<digits>\d[\d_]*|0x[\da-fA-F_]+|0b[01_]+|0o[0-7_]+)(?P<suffix>[iu](?:8|16|32|64|128|size))?")
_FLOAT = re.compile(
    r"(?P<whole>\d+)(?P<rest>(?P<fraction>\.\d[\d_]*)(?:[eE][+-]?\d+)?(?P<suffix>f32|f64)?|(?P<only>f32|f64))"
)
_STRING = re.compile(r'(?P<head>b?r?(?P<hashes>#*)")(?P<body>.*)"(?P=hashes)', re.DOTALL)
_CHARACTER = re.compile(r"(?P<head>b?')(?P<body>[^\\']|\\[nt])'")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u\{[^}]*\}|\r?\n\s*|.)", re.DOTALL)
_NEIGHBOURS = ("()", "[]", "<>", "+-", "*/", ".,", ";:", "!?", " _", "#@", "=~", "|&", "%^")
_PAIRS = {pair[place]: pair[1 - place] for pair in _NEIGHBOURS for place in (0, 1)}
_ESCAPED_PAIRS = {"\\n": "\\t", "\\t": "\\n"}
_WIDTHS = (8, 16, 32, 64, 128)
_FAR = Decimal("2.1")
"""An altered number is at least this many times the difference away that the assertion allows: no answer is that close
to both."""


def values(literal: str, choices: random.Random, *, allowed_difference: float = 0.0) -> list[str]:
    """Return the literal and other literals of its type, as the choices say; nothing if there is no good one.

    None differs in capitals only: an honest equality may well ignore that.
    """
    state = choices.getstate()  # the same choices for both, so that of the two nobody can tell which came first
    partner = altered(literal, choices)
    if partner is None or partner == literal:
        return []
    least = _FAR * Decimal(str(allowed_difference))
    groups = []
    for each in (literal, partner):
        choices.setstate(state)
        groups.append([each, *neighbours(each, choices, least=least)])
    found = {literal_value(literal): literal}
    for other in (each for rank in itertools.zip_longest(*groups) for each in rank if each is not None):
        found.setdefault(literal_value(other), other)  # 4.00 is no other value than 4.0
    others = [each for each in found.values() if each != literal and _is_far(literal, each, least)]
    return [literal, *others][:MOST_VALUES] if others else []


def _is_far(one: str, other: str, least: Decimal) -> bool:
    number, another = literal_value(one), literal_value(other)
    return not least or isinstance(number, str) or isinstance(another, str) or abs(number - another) >= least


def literal_value(literal: str) -> Decimal | str:
    """Return the value of a number, or the text of any other literal."""
    sign, unsigned = _sign(literal)
    if match := _INTEGER.fullmatch(unsigned):
        return Decimal(_value(sign, match))
    if match := _FLOAT.fullmatch(unsigned):
        return Decimal((sign + match[0]).removesuffix(match["suffix"] or match["only"] or "").replace("_", ""))
    return literal


def altered(literal: str, choices: random.Random) -> str | None:
    """Return the partner of a literal, as the choices say; None if there is no good one."""
    if literal in ("true", "false"):
        return "false" if literal == "true" else "true"
    sign, unsigned = _sign(literal)
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


def neighbours(literal: str, choices: random.Random, *, least: Decimal = Decimal(0)) -> list[str]:
    """Return literals that are close to one, in either direction: at most three, different from it.

    Numbers differ from it by `least` or more.
    """
    sign, unsigned = _sign(literal)
    found: Iterator[str] | tuple[()] = ()
    if match := _INTEGER.fullmatch(unsigned):
        found = _close_integers(sign, match, choices, math.ceil(least))
    elif match := _FLOAT.fullmatch(unsigned):
        found = _close_floats(sign, match, choices, least)
    elif match := _CHARACTER.fullmatch(literal):
        found = _close_characters(match)
    elif match := _STRING.fullmatch(literal):
        found = _close_strings(match, choices)
    return [each for each in dict.fromkeys(found) if each != literal][:3]


def _sign(literal: str) -> tuple[str, str]:
    return ("-", literal[1:].lstrip()) if literal.startswith("-") else ("", literal)


def _value(sign: str, match: re.Match[str]) -> int:
    digits = match["digits"].replace("_", "")
    base = {"0x": 16, "0b": 2, "0o": 8}.get(digits[:2], 10)
    return int(sign + (digits if base == 10 else digits[2:]), base)


def _altered_integer(sign: str, match: re.Match[str], choices: random.Random) -> str | None:
    value, suffix = _value(sign, match), match["suffix"] or ""
    if sign and value == 0:
        return None
    size = ~value if value < 0 else value
    # bits that change neither the sign nor, in larger numbers, the length: 255 stays within u8, -128 within i8
    mask = choices.choice((8, 16) if size < 32 else (1 << size.bit_length() - 2, 1 << size.bit_length() - 3))
    return f"{value ^ mask:{'_' if '_' in match['digits'] else ''}}{suffix}"


def _close_integers(sign: str, match: re.Match[str], choices: random.Random, least: int) -> Iterator[str]:
    value, suffix = _value(sign, match), match["suffix"] or ""
    lowest, highest = _range(value, suffix)
    for step in (-1, 1, choices.choice((-3, -2, 2, 3)), 2, -2, 3, -3):
        other = value + step * max(1, least)
        if lowest <= other <= highest:
            yield f"{other}{suffix}"


def _range(value: int, suffix: str) -> tuple[int, int]:
    """Return the range of the literal's type, or of the smallest type that it may have."""
    if suffix:
        width = int(suffix[1:]) if suffix[1:].isdigit() else 64
        return (-(1 << width - 1), (1 << width - 1) - 1) if suffix[0] == "i" else (0, (1 << width) - 1)
    if value < 0:
        return max((-(1 << width - 1) for width in _WIDTHS if -(1 << width - 1) <= value), default=value), 127
    sizes = (size for width in _WIDTHS for size in (width - 1, width))
    return 0, min(((1 << size) - 1 for size in sizes if value < 1 << size), default=value)


def _altered_whole(whole: str) -> str:
    """Alter the second digit, or the only one, so that no type of a float rounds the difference away."""
    place = min(1, len(whole) - 1)
    return f"{whole[:place]}{int(whole[place]) ^ 1}{whole[place + 1 :]}"


def _close_floats(sign: str, match: re.Match[str], choices: random.Random, least: Decimal) -> Iterator[str]:
    """Yield what is one or two percent less or more, and ten times that."""
    suffix, value = match["suffix"] or match["only"] or "", literal_value(sign + match[0])
    assert isinstance(value, Decimal)
    if abs(value.adjusted()) > 30:
        return
    step = Decimal(value.as_tuple().digits[0]).scaleb(value.adjusted() - 2) if value else Decimal("0.01")
    step = max(step, least) * choices.randint(1, 2)
    for change in (-step, step, choices.choice((-10, 10)) * step):
        other = f"{value + change:f}"
        yield f"{other}{'' if '.' in other else '.0'}{suffix}"


def _units(match: re.Match[str]) -> list[str]:
    """Return the letters and escapes of a text."""
    body = match["body"]
    if "r" in match["head"]:
        return list(body)
    units, at = [], 0
    while at < len(body):
        escape = _ESCAPE.match(body, at)
        units.append(escape[0] if escape else body[at])
        at += len(units[-1])
    return units


def _altered_string(match: re.Match[str], choices: random.Random) -> str | None:
    head, body, hashes = match["head"], match["body"], match["hashes"]
    is_bytes = head.startswith("b")
    if not body and not is_bytes:
        return f'{head}{choices.choice(ascii_lowercase)}"{hashes}'
    if len(body) == 1 and body in ascii_lowercase and not is_bytes and choices.random() < 0.5:
        return f'{head}"{hashes}'  # so that of the two, the empty text need not be the original
    units = _units(match)
    places = _alterable(units, is_bytes=is_bytes)
    return _with_altered(match, units, choices.choice(places)) if places else None


def _alterable(units: list[str], *, is_bytes: bool) -> list[int]:
    return [
        place
        for place, unit in enumerate(units)
        if len(unit) == 1 and (other := altered_character(unit)) and (other.isascii() or not is_bytes)
    ]


def _with_altered(match: re.Match[str], units: list[str], place: int) -> str:
    parts = [*units[:place], altered_character(units[place]) or "", *units[place + 1 :]]
    return f'{match["head"]}{"".join(parts)}"{match["hashes"]}'


def _close_strings(match: re.Match[str], choices: random.Random) -> Iterator[str]:
    """Yield a text that begins with this one, one that this begins with, and some that differ in a letter."""
    head, hashes, units = match["head"], match["hashes"], _units(match)
    places = _alterable(units, is_bytes=head.startswith("b"))
    choices.shuffle(places)
    if not head.startswith("b"):  # the length of bytes is part of their type
        yield f'{head}{"".join(units)}{choices.choice(ascii_lowercase)}"{hashes}'
        if len(units) > 1:
            yield f'{head}{"".join(units[:-1])}"{hashes}'
    for place in places:
        yield _with_altered(match, units, place)


def _close_characters(match: re.Match[str]) -> Iterator[str]:
    body = match["body"]
    if len(body) > 1 or not body.isascii() or not body.isalnum():
        return
    for step in (-1, 1, -2, 2):
        other = chr(ord(body) + step)
        if unicodedata.category(other) == unicodedata.category(body):
            yield f"{match['head']}{other}'"


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
