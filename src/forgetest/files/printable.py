"""Text from elsewhere as text that can be written and shown.

A file name may contain bytes that are not UTF-8. Names, messages and paths may contain characters that move a
terminal's cursor, hide what follows, or show it in another order.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""How Python represents such bytes; they cannot be encoded."""

_UNSAFE = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
"""Control characters except tab and line feed, marks that change the direction of text, and invisible marks."""
_UNSAFE_IN_TEXT = re.compile(f"[{_UNSAFE}]")
_UNSAFE_IN_LINE = re.compile(f"[{_UNSAFE}\t\n]")


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


def terminal_safe(text: str) -> str:
    """Return the text with escapes, such as `\\x1b`, in place of what a terminal or a viewer of logs would obey."""
    return _UNSAFE_IN_TEXT.sub(_escape, text)


def terminal_safe_line(text: str | Path) -> str:
    """Return the text for one line of a terminal: tabs and line breaks are escaped as well."""
    return _UNSAFE_IN_LINE.sub(_escape, str(text))


def terminal_safe_json(document: str) -> str:
    """Return a JSON document with the same content, in which such characters are written as JSON's escapes."""
    return _UNSAFE_IN_TEXT.sub(_json_escape, document)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if found[0] in _NAMED:
        return _NAMED[found[0]]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_NAMED = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
