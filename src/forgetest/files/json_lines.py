"""JSON Lines: one object per line."""

from __future__ import annotations

from typing import Any

import msgspec

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode(line: bytes) -> dict[str, Any]:
    """Return the object on a line; raise ValueError with a message for the user if there is none."""
    try:
        value = msgspec.json.decode(line.removeprefix(_BYTE_ORDER_MARK))
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except msgspec.DecodeError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ValueError("must be an object, { … }, as every line")
    return value
