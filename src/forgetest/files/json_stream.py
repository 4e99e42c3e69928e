"""A large JSON object read piece by piece, so that nobody holds all of it.

What is found here is only where values begin and end; whoever decodes a piece checks what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import BinaryIO, NamedTuple

import msgspec

CHUNK = 1 << 18
"""So many bytes are read at a time."""

# one match for everything up to the next bracket: strings, in which brackets do not count, are passed over
_BRACKET = re.compile(rb'[^"{}\[\]]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"{}\[\]]*)*([{}\[\]])', re.DOTALL)
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_PLAIN = re.compile(rb"[-+.0-9A-Za-z]+(?=[^-+.0-9A-Za-z])")
_SPACE = re.compile(rb"[ \t\r\n]*")


_whole = msgspec.json.Decoder(msgspec.Raw)


class NotJsonError(ValueError):
    """The text is no JSON, or ends too early."""


class NotAnObjectError(ValueError):
    """The text may be JSON, but its value is no object."""


class Piece(NamedTuple):
    """One member of the object, or one element of an array that is read piece by piece."""

    name: str
    """The member's name."""
    element: int | None
    """The element's place in the array; None for a member."""
    text: bytes
    """Its JSON."""


def pieces(stream: BinaryIO, *, arrays: Collection[str] = (), skipped: Collection[str] = ()) -> Iterator[Piece]:
    """The members of the object in `stream`.

    Those named in `arrays` come as an empty array, then element by element; those in `skipped` without text.
    """
    text = _Text(stream)
    first = text.peek()
    if first != b"{":
        if first in b'["-0123456789':
            raise NotAnObjectError("it holds no object")
        raise text.unexpected()
    text.take(b"{")
    if text.peek() == b"}":
        text.take(b"}")
    else:
        while True:
            name = _name(text)
            if name in arrays and text.peek() == b"[":
                yield Piece(name, None, b"[]")
                yield from _elements(text, name)
            elif name in skipped:
                yield Piece(name, None, b"")
                text.value(keep=False)
            else:
                yield Piece(name, None, text.value())
            if text.take(b",}") == b"}":
                break
    text.end()


def _name(text: _Text) -> str:
    if text.peek() != b'"':
        raise text.unexpected()
    raw = text.value()
    text.take(b":")
    # a name with escapes is none that anybody here asks for
    return raw[1:-1].decode(errors="replace")


def _elements(text: _Text, name: str) -> Iterator[Piece]:
    text.take(b"[")
    if text.peek() == b"]":
        text.take(b"]")
        return
    index = 0
    while True:
        yield Piece(name, index, text.value())
        index += 1
        if text.take(b",]") == b"]":
            return


class _Text:
    """The text from the place that was reached; what was passed is forgotten."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = b""
        self._place = 0
        self._passed = 0

    def peek(self) -> bytes:
        """The next character that is no white space."""
        while True:
            space = _SPACE.match(self._held, self._place)
            assert space is not None, "it matches nothing, too"
            self._place = space.end()
            if self._place < len(self._held):
                return self._held[self._place : self._place + 1]
            self._more()

    def take(self, expected: bytes) -> bytes:
        """Pass one of these characters."""
        found = self.peek()
        if found not in expected:
            raise self.unexpected()
        self._place += 1
        return found

    def value(self, *, keep: bool = True) -> bytes:
        """Pass a whole value, and give its text unless it is not to be kept."""
        opening = self.peek()
        start = self._place
        if keep and opening in b"{[" and (laid_out := self._laid_out()):
            self._place += len(laid_out)
            return laid_out
        if opening == b'"' or opening not in b"{[":
            pattern = _STRING if opening == b'"' else _PLAIN
            while not (found := pattern.match(self._held, self._place)):
                if opening != b'"' and _PLAIN.match(self._held + b" ", self._place) is None:
                    raise self.unexpected()
                start -= self._more()
            self._place = found.end()
        else:
            depth = 0
            while True:
                found = _BRACKET.match(self._held, self._place)
                if found is None:
                    start -= self._more(keep_from=start if keep else self._place)
                    continue
                self._place = found.end()
                depth += 1 if found.group(1) in b"{[" else -1
                if depth == 0:
                    break
        return self._held[start : self._place] if keep else b""

    def _laid_out(self) -> bytes | None:
        """The value, found quickly where it is written over several lines: its last bracket stands below its line."""
        line = self._held.rfind(b"\n", 0, self._place)
        indent = self._held[line + 1 : self._place]
        if line < 0 or indent.strip(b" ") or self._held[self._place + 1 : self._place + 2] != b"\n":
            return None
        # no line begins inside a string, so only odd indentation can deceive; what is found must be whole
        closing = b"\n" + indent + (b"}" if self._held[self._place : self._place + 1] == b"{" else b"]")
        end = self._held.find(closing, self._place)
        if end < 0:
            return None
        found = self._held[self._place : end + len(closing)]
        try:
            _whole.decode(found)
        except (msgspec.DecodeError, RecursionError):
            return None
        return found

    def end(self) -> None:
        """Make sure that nothing follows."""
        try:
            self.peek()
        except NotJsonError:
            return
        raise self.unexpected()

    def unexpected(self) -> NotJsonError:
        """The error that tells where something else was expected."""
        found = self._held[self._place : self._place + 1].decode("ascii", errors="replace")
        return NotJsonError(f"{found!r} was not expected at byte {self._passed + self._place}")

    def _more(self, keep_from: int | None = None) -> int:
        """Read on, and say by how much places have moved."""
        start = self._place if keep_from is None else keep_from
        # a long value is looked at again from its start: reading ever more keeps that from growing quadratic
        chunk = self._stream.read(max(CHUNK, len(self._held) - start))
        if not chunk:
            raise NotJsonError(f"it ends at byte {self._passed + len(self._held)}, in the middle of something")
        self._held = self._held[start:] + chunk
        self._passed += start
        self._place -= start
        return start
