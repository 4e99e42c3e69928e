"""Writing TOML: texts of several lines stay readable, and `tomllib` reads back exactly what was written."""

from __future__ import annotations

import datetime
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_IN_LITERAL = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f]*")
"""What a multi-line literal string may contain: no control character but tab and newline."""
_DELETE = "\x7f"


def document(table: Mapping[str, Any]) -> str:
    """Return a table as a TOML document. None cannot be written: raise ValueError."""
    return "\n".join(_lines(table, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], at: tuple[str, ...]) -> Iterator[str]:
    """Yield plain values first: after a header, they would belong to that table."""
    for key, value in table.items():
        if not _is_table(value) and not _is_tables(value):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        name = ".".join(map(_key, (*at, key)))
        if _is_table(value):
            yield f"\n[{name}]"
            yield from _lines(value, (*at, key))
        elif _is_tables(value):
            for each in value:
                yield f"\n[[{name}]]"
                yield from _lines(each, (*at, key))


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: object) -> bool:
    """Return True for a list of tables that is written with headers: one that holds texts of several lines."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(map(_is_table, value))
        and len(_inline(value) or " " * 200) > 100
    )


def _inline(value: list[Any]) -> str | None:
    """Return a list on one line, or None where a text in it has several lines or is a part of a larger structure."""
    flat = all(isinstance(item, (str, int, float, list)) for each in value for item in each.values())
    text = _value(value) if flat else "\n"
    return None if "\n" in text or "\\n" in text else text


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _basic(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    raise ValueError(f"TOML has no {type(value).__name__}")


def _number(value: float) -> str:
    if math.isfinite(value):
        return repr(value)
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _text(value: str) -> str:
    if "\n" in value and "'''" not in value and not value.endswith("'") and _IN_LITERAL.fullmatch(value):
        return f"'''\n{value}'''"  # the first line break is not part of the text
    return _basic(value)


def _basic(value: str) -> str:
    # JSON's escapes are TOML's, too; JSON leaves DEL as it is
    return json.dumps(value, ensure_ascii=False).replace(_DELETE, "\\u007f")
