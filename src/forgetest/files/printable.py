"""File names as text that can be written: a name may hold bytes that are no UTF-8."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_NO_TEXT = re.compile(r"[\ud800-\udfff]")
"""What Python keeps such bytes as; no file that we write can hold it."""


def legible(name: str | Path) -> str:
    """The name, with `\\xff` in the place of a byte that is no text."""
    return _NO_TEXT.sub(_byte, str(name))


def legible_all(value: Any) -> Any:
    """The same for every string of a JSON document, keys too."""
    if isinstance(value, str):
        return legible(value)
    if isinstance(value, dict):
        return {legible_all(key): legible_all(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [legible_all(each) for each in value]
    return value


def _byte(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else f"\\u{code:04x}"
