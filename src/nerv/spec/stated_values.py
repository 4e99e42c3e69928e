"""Inputs that a spec gives in words: "an empty text", "a width below 1", "not a positive whole number"."""

from __future__ import annotations

import re
from collections.abc import Callable

from nerv.spec.examples import Value

_NUMBER = r"(-?\d+(?:\.\d+)?)"


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[Value, ...]]], ...] = (
    (re.compile(r"\bnot (?:a |an )?positive (?:whole number|integer)s?\b", re.I), lambda _: (0, -1, 1.5)),
    (re.compile(r"\b(?:not (?:a )?positive|non-?positive|zero or (?:less|negative))\b", re.I), lambda _: (0, -1)),
    (re.compile(r"\b(?:not (?:a |an )?(?:whole number|integer)|non-?integer|fractional)s?\b", re.I), lambda _: (1.5,)),
    (re.compile(r"\bnegative\b|\bbelow (?:zero|0)\b|\bless than (?:zero|0)\b", re.I), lambda _: (-1,)),
    (
        re.compile(rf"\b(?:below|less than|under|smaller than|lower than|fewer than) {_NUMBER}", re.I),
        lambda match: (_number(match[1]) - 1,),
    ),
    (
        re.compile(rf"\b(?:above|more than|greater than|over|larger than|higher than|beyond) {_NUMBER}", re.I),
        lambda match: (_number(match[1]) + 1,),
    ),
    (
        re.compile(
            rf"\b(?:outside(?: of)?|not (?:between|in|from|within)) {_NUMBER}(?: to | and |-|\u2013|\.\.){_NUMBER}"
        ),
        lambda match: (_number(match[1]) - 1, _number(match[2]) + 1),
    ),
    (re.compile(r"\b(?:of |is |are )?zero\b(?! or)", re.I), lambda _: (0,)),
    (re.compile(r"\b(?:blank|only (?:spaces|whitespace)|whitespace[- ]only)\b", re.I), lambda _: ("   ",)),
    (re.compile(r"\bempty (?:list|array|sequence|slice|vector|collection)\b", re.I), lambda _: ([],)),
    (re.compile(r"\bempty\b", re.I), lambda _: ("",)),
    (
        re.compile(r"\b(?:anything (?:but|other than) a|not a|non-?) ?(?:string|text)\b", re.I),
        lambda _: (5, None),
    ),
)
_OPPOSITE = re.compile(
    r"\b(?:unless|except|other than zero|non-?empty|not empty|non-?negative|non-?zero|not negative)\b", re.I
)


def stated_values(phrase: str) -> tuple[Value, ...]:
    """Return inputs that a phrase describes, the first form that fits; none if it describes none that we know."""
    if _OPPOSITE.search(phrase):
        return ()
    for pattern, values in _FORMS:
        if match := pattern.search(phrase):
            return values(match)
    return ()
