"""Checker of what a function returned, as JSON."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

from forgetest.checkers.difference import Difference, Tolerance, shown

_LONGEST_PLACE = 200


def json_values(expected: bytes, found: bytes, tolerance: Tolerance | None = None) -> Difference | None:
    """Accept equal JSON values; with a tolerance, numbers may differ by it.

    Numbers are equal by value (1 and 1.0 are), and never equal to true or false. The order of a list counts, that of
    an object's members does not.
    """
    try:
        returned = json.loads(found)
    except (ValueError, RecursionError):
        return Difference(place="result", expected=shown(expected), found=f"no JSON value: {shown(found)}")
    # a list of what is left to compare, not recursion: a sample may return lists as deep as it likes
    left: list[tuple[str, Any, Any]] = [("result", json.loads(expected), returned)]
    while left:
        place, wanted, there = left.pop()
        if isinstance(wanted, list) and isinstance(there, list) and len(wanted) == len(there):
            pairs = zip(wanted, there, strict=True)
            left += reversed([(_item(place, index), one, other) for index, (one, other) in enumerate(pairs)])
        elif isinstance(wanted, dict) and isinstance(there, dict) and wanted.keys() == there.keys():
            left += reversed([(_item(place, key), value, there[key]) for key, value in wanted.items()])
        elif not _are_equal(wanted, there, tolerance):
            return Difference(place=place, expected=_text(wanted), found=_text(there))
    return None


def _are_equal(wanted: Any, there: Any, tolerance: Tolerance | None) -> bool:
    if _is_number(wanted) and _is_number(there):
        return wanted == there or (tolerance is not None and _is_close(wanted, there, tolerance))
    return type(wanted) is type(there) and not isinstance(wanted, list | dict) and bool(wanted == there)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_close(wanted: float, there: float, tolerance: Tolerance) -> bool:
    if any(isinstance(number, float) and not math.isfinite(number) for number in (wanted, there)):
        return False
    try:
        return abs(wanted - there) <= max(tolerance.absolute, tolerance.relative * abs(wanted))
    except OverflowError:  # a whole number that no float can hold
        error, bound = abs(Fraction(wanted) - Fraction(there)), Fraction(tolerance.relative) * abs(Fraction(wanted))
        return error <= bound or error <= Fraction(tolerance.absolute)


def _text(value: Any) -> str:
    try:
        return shown(json.dumps(value).encode())
    except RecursionError:
        return "a value that is nested too deeply to be shown"


def _item(place: str, key: str | int) -> str:
    return f"{place}[{json.dumps(key)[:50]}]" if len(place) < _LONGEST_PLACE else place
