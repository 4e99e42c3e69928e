"""The line number of each key of a TOML document; `tomllib` returns values without positions."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections.abc import Mapping

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the root: `("cases", 2, "prompt")`."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_EQUALS = re.compile(r"[ \t]*=[ \t]*")
_BASIC = r'"(?:[^"\\]|\\.)*"'
_LITERAL = r"'[^']*'"
_KEY = re.compile(rf"[A-Za-z0-9_-]+|{_BASIC}|{_LITERAL}")
_SCALAR = re.compile(
    # a multi-line string may end in one or two quotes of its own
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    rf"|{_BASIC}|{_LITERAL}"
    r"|[^,\[\]{}#\n]+",  # numbers, dates, booleans
    re.DOTALL,
)


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the line of every key, table and list item in a document that `tomllib` accepts, counted from 1.

    The line of a table is that of its header, or of its first mention if it has none.
    """
    return _Scanner(text).scan()


def nearest_line(lines: Mapping[KeyPath, int], path: KeyPath, otherwise: int = 1) -> int:
    """Return the line of `path`, or of the innermost table or list around it that is in the document."""
    for length in range(len(path), 0, -1):
        line = lines.get(path[:length])
        if line is not None:
            return line
    return otherwise


class _Scanner:
    """Reads the document once from the start; every method leaves `self.at` after what it has read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        # lists written as [[headers]], and their length so far
        self.tables_in: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BLANK)
        return self.lines

    def header(self) -> KeyPath:
        line = self.line()
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        self.skip(_BLANK)
        *outer, last = self.dotted_key()
        self.skip(_BLANK)
        self.at += brackets
        path: KeyPath = ()
        for key in outer:
            path = self.latest((*path, key), line)
        path = (*path, last)
        if brackets == 1:
            path = self.latest(path, line)
        else:
            self.lines.setdefault(path, line)
            position = self.tables_in.get(path, 0)
            self.tables_in[path] = position + 1
            path = (*path, position)
        self.lines[path] = line
        return path

    def latest(self, path: KeyPath, line: int) -> KeyPath:
        """Return the table that `path` means in a header: the last one of a list of tables."""
        self.lines.setdefault(path, line)
        return (*path, self.tables_in[path] - 1) if path in self.tables_in else path

    def pair(self, table: KeyPath) -> None:
        line = self.line()
        path = table
        for key in self.dotted_key():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.skip(_EQUALS)
        self.value(path)

    def value(self, path: KeyPath) -> None:
        opening = self.text[self.at]
        if opening not in "[{":
            self.skip(_SCALAR)
            return
        closing = "]" if opening == "[" else "}"
        self.at += 1
        self.skip(_BLANK)
        position = 0
        while self.text[self.at] != closing:
            if opening == "[":
                self.lines[*path, position] = self.line()
                self.value((*path, position))
            else:
                self.pair(path)
            position += 1
            self.skip(_BLANK)
            if self.text[self.at] == ",":
                self.at += 1
                self.skip(_BLANK)
        self.at += 1

    def dotted_key(self) -> list[str]:
        keys = [self.key()]
        while self.skip(_DOT):
            keys.append(self.key())
        return keys

    def key(self) -> str:
        written = self.skip(_KEY)
        if written[0] not in "\"'":
            return written
        if "\\" not in written:
            return written[1:-1]
        decoded: str = tomllib.loads(f"key = {written}")["key"]
        return decoded

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group()

    def line(self) -> int:
        return bisect_left(self.newlines, self.at) + 1
