"""Rows of other people's data sets: JSON lines or one JSON list, plain or gzipped, each row with its line.

A row's values are read through `Row`, whose errors name file, line and key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forgetest.datasets import sample_lines
from forgetest.errors import InvalidInput, Problem, UserError

LONGEST_LINE = 1 << 30
"""Bytes of the longest line that is read: rows of LiveCodeBench hold all of a problem's tests."""
_PARQUET = b"PAR1"
_MOST_DIGITS = 4300
_LARGEST_NUMBER = 1e18
"""No limit or size of a data set is larger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An object of a data set, and its position in the file."""

    values: Mapping[str, Any]
    file: str
    line: int | None = None

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def error(self, key: str, message: str) -> InvalidInput:
        """Return the error that says what is wrong with one of the row's keys."""
        return InvalidInput([Problem(file=self.file, line=self.line, key=key, message=message)])

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; an absent one is the default, or a mistake where there is none."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self.error(key, "missing key" if value is None else "must be a string")
        return value

    def identifier(self, key: str) -> str:
        """Return a string or a whole number, as text."""
        value = self.values.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        found = self.text(key)
        if not found.strip():
            raise self.error(key, "must not be empty")
        return found

    def texts(self, key: str, default: list[str] | None = None) -> list[str]:
        """Return a list of strings."""
        value = self.values.get(key)
        if value is None and default is not None:
            return default
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.error(key, "missing key" if value is None else "must be a list of strings")
        return value

    def items(self, key: str) -> list[Any]:
        """Return a list of anything."""
        value = self.values.get(key)
        if not isinstance(value, list):
            raise self.error(key, "missing key" if value is None else "must be a list")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self.error(key, "missing key" if value is None else "must be a number")
        if abs(value) > _LARGEST_NUMBER:
            raise self.error(key, f"must be at most {_LARGEST_NUMBER:g}")
        return value

    def inner(self, key: str, *, required: bool = True) -> Row:
        """Return the object under a key, which may be written as JSON in a string, as a row of its own."""
        value = self.decoded(key, {} if not required else None)
        if not isinstance(value, dict):
            raise self.error(key, "must be an object")
        return Row(values=value, file=self.file, line=self.line)

    def decoded(self, key: str, default: Any = None) -> Any:
        """Return the value under a key; a string is read as JSON, an absent or empty one is the default."""
        value = self.values.get(key)
        if value is None or value == "":
            if default is None:
                raise self.error(key, "missing key")
            return default
        if not isinstance(value, str):
            return value
        try:
            return decode(value)
        except ValueError as error:
            raise self.error(key, str(error)) from None


def decode(text: str | bytes) -> Any:
    """Decode JSON as data sets of Python programs have it, with NaN and long integers; raise ValueError."""
    try:
        value = json.loads(text)
        if "\\ud" in (text if isinstance(text, str) else text.decode()).lower():
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair, which no text can hold") from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg}, in column {error.colno}") from None
    except ValueError:
        raise ValueError(f"a number of more than {_MOST_DIGITS} digits") from None
    return value


def read(path: Path) -> Iterator[Row]:
    """Yield the rows of a file; raise UserError or InvalidInput at the first that cannot be read."""
    name = str(path)
    with sample_lines.open_samples(name, longest_line=LONGEST_LINE) as file:
        start = file.read(4)
        file.seek(0)
        if start == _PARQUET:
            raise UserError(f"{name}: a Parquet file; write it as JSON lines first, for example with pandas' to_json")
        if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
            yield from _items(file.read(LONGEST_LINE + 1), name)
            return
        found = False
        for number, line in enumerate(sample_lines.lines(file, name, longest_line=LONGEST_LINE), start=1):
            if line.strip():
                found = True
                yield _row(line.removeprefix(b"\xef\xbb\xbf"), name, number)
        if not found:
            raise UserError(f"{name}: there is no row in it")


def _items(content: bytes, name: str) -> Iterator[Row]:
    if len(content) > LONGEST_LINE:
        raise UserError(f"{name}: more than {LONGEST_LINE >> 20} MiB in one list; write it as JSON lines")
    try:
        values = decode(content.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise UserError(f"{name}: {error}") from None
    for index, value in enumerate(values):
        if not isinstance(value, dict):
            raise InvalidInput([Problem(file=name, line=None, key=f"[{index}]", message="must be an object")])
        yield Row(values=value, file=f"{name}[{index}]")


def _row(line: bytes, name: str, number: int) -> Row:
    try:
        value = decode(line)
    except ValueError as error:
        raise InvalidInput([Problem(file=name, line=number, key="", message=str(error))]) from None
    if not isinstance(value, dict):
        raise InvalidInput([Problem(file=name, line=number, key="", message="must be an object, as every line")])
    return Row(values=value, file=name, line=number)
