"""Checkers of printed text. Each returns the first difference, or None where the output is accepted.

Whitespace is ASCII whitespace: blanks, tabs, line feeds, carriage returns, vertical tabs, form feeds. Other bytes are
compared as they are; none of them need be valid UTF-8.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Context, Decimal, DecimalException
from itertools import zip_longest

from forgetest.checkers.difference import Difference, Tolerance, shown

_TOKEN = re.compile(rb"\S+")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 1000
"""Longer tokens are not read as numbers: converting them takes more than linear time."""
_FLOAT_RANGE = 1e300
_DECIMAL = Context(prec=60)


def exact(expected: bytes, found: bytes) -> Difference | None:
    """Accept the same bytes only."""
    if expected == found:
        return None
    if expected.splitlines() == found.splitlines():
        return Difference(place="line ends", expected=_end_of(expected), found=_end_of(found))
    pairs = zip_longest(expected.split(b"\n"), found.split(b"\n"))
    number, (line, other) = next((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1])
    return Difference(place=f"line {number}", expected=_shown_or_end(line), found=_shown_or_end(other))


def _end_of(text: bytes) -> str:
    return repr(text[-10:].decode(errors="replace"))


def tokens(expected: bytes, found: bytes) -> Difference | None:
    """Accept the same words, however they are separated."""
    if expected == found:
        return None
    return _compare_tokens(expected, found, lambda one, other: one == other)


def floats(expected: bytes, found: bytes, tolerance: Tolerance) -> Difference | None:
    """Accept the same words, where numbers may differ by the tolerance. `nan` and `inf` are words."""
    if expected == found:
        return None
    return _compare_tokens(expected, found, lambda one, other: one == other or is_close(one, other, tolerance))


def unordered_lines(expected: bytes, found: bytes) -> Difference | None:
    """Accept the same lines in any order, each as often; blank lines, and how words are separated, do not count."""
    wanted, there = Counter(_lines(expected)), Counter(_lines(found))
    if wanted == there:
        return None
    missing, surplus = wanted - there, there - wanted
    return Difference(
        place="line",
        expected=_shown_or_end(next(iter(missing), None)),
        found=_shown_or_end(next(iter(surplus), None)),
    )


def _lines(text: bytes) -> Iterator[bytes]:
    for line in text.splitlines():
        words = line.split()
        if words:
            yield b" ".join(words)


def _compare_tokens(expected: bytes, found: bytes, is_equal: Callable[[bytes, bytes], bool]) -> Difference | None:
    # one at a time: a list of all tokens of a large output would take many times its size
    pairs = zip_longest(_TOKEN.finditer(expected), _TOKEN.finditer(found))
    for number, (wanted, there) in enumerate(pairs, start=1):
        if wanted is None or there is None or not is_equal(wanted[0], there[0]):
            return Difference(
                place=f"token {number}",
                expected=_shown_or_end(wanted and wanted[0]),
                found=_shown_or_end(there and there[0]),
            )
    return None


def _shown_or_end(content: bytes | None) -> str:
    return "the end" if content is None else shown(content)


def is_close(expected: bytes, found: bytes, tolerance: Tolerance) -> bool:
    """Return whether both are decimal numbers, and the second is near the first."""
    if max(len(expected), len(found)) > _LONGEST_NUMBER:
        return False
    if not _NUMBER.fullmatch(expected) or not _NUMBER.fullmatch(found):
        return False
    wanted, there = float(expected), float(found)
    if max(abs(wanted), abs(there)) < _FLOAT_RANGE:
        return abs(wanted - there) <= max(tolerance.absolute, tolerance.relative * abs(wanted))
    return _is_close_decimal(expected.decode(), found.decode(), tolerance)


def _is_close_decimal(expected: str, found: str, tolerance: Tolerance) -> bool:
    """Compare numbers that are too large for a float."""
    try:
        wanted, there = _DECIMAL.create_decimal(expected), _DECIMAL.create_decimal(found)
        error = _DECIMAL.subtract(wanted, there).copy_abs()
        bound = _DECIMAL.multiply(Decimal(tolerance.relative), wanted.copy_abs())
        return error <= max(Decimal(tolerance.absolute), bound)
    except DecimalException:
        return False
