"""File names as text that can be written: a name may contain bytes that are not UTF-8."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""How Python represents such bytes; they cannot be encoded."""


def printable(name: str | Path) -> str:
    """Return the name with `\\xff` in place of a byte that is not text."""
    return _SURROGATE.sub(_escape, str(name))


def printable_all(value: Any) -> Any:
    """Return a JSON document with every string printable, including keys."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable_all(key): printable_all(member) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [printable_all(element) for element in value]
    return value


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
