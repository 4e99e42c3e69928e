"""Reads a large JSON object piece by piece, in constant memory.

This module only finds where values begin and end; the decoder of a piece checks its content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import BinaryIO, NamedTuple

import msgspec

CHUNK = 1 << 18
"""Number of bytes read at a time."""

# one match for everything up to the next bracket; skips strings, in which brackets do not count
_BRACKET = re.compile(rb'[^"{}\[\]]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"{}\[\]]*)*([{}\[\]])', re.DOTALL)
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_PLAIN = re.compile(rb"[-+.0-9A-Za-z]+(?=[^-+.0-9A-Za-z])")
_WHITE_SPACE = b" \t\r\n"
_SPACE = re.compile(rb"[ \t\r\n]*")


_whole = msgspec.json.Decoder(msgspec.Raw)


class NotJsonError(ValueError):
    """The text is not JSON, or ends too early."""


class NotAnObjectError(ValueError):
    """The text may be JSON, but its value is not an object."""


class Piece(NamedTuple):
    """One member of the object, or one element of an array that is read piece by piece."""

    name: str
    """The member's name."""
    element: int | None
    """The index of the element in the array; None for a member."""
    text: bytes
    """Its JSON."""
    decoded: object = None
    """What the decoder of elements makes of it; None where it has not been asked, or refused."""


def pieces(
    stream: BinaryIO,
    *,
    arrays: Collection[str] = (),
    skipped: Collection[str] = (),
    decode: Callable[[bytes], object] | None = None,
) -> Iterator[Piece]:
    """Yield the members of the object in `stream`.

    Those named in `arrays` come as an empty array, then element by element; those in `skipped` come without text.
    `decode` decodes most elements on the way, because that also shows where they end.
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
            name = _member_name(text)
            if name in arrays and text.peek() == b"[":
                yield Piece(name, None, b"[]")
                yield from _elements(text, name, decode)
            elif name in skipped:
                yield Piece(name, None, b"")
                text.value(keep=False)
            else:
                yield Piece(name, None, text.value())
            if text.take(b",}") == b"}":
                break
    text.end()


def _member_name(text: _Text) -> str:
    if text.peek() != b'"':
        raise text.unexpected()
    raw = text.value()
    text.take(b":")
    # escapes are left as they are: no name that a caller asks for has any
    return raw[1:-1].decode(errors="replace")


def _elements(text: _Text, name: str, decode: Callable[[bytes], object] | None) -> Iterator[Piece]:
    text.take(b"[")
    if text.peek() == b"]":
        text.take(b"]")
        return
    index = 0
    while True:
        yield Piece(name, index, text.value()) if decode is None else Piece(name, index, *text.decoded_value(decode))
        index += 1
        if text.take(b",]") == b"]":
            return


class _Text:
    """The text from the current position on; what was consumed is dropped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = b""
        self._position = 0
        self._passed = 0

    def peek(self) -> bytes:
        """Return the next character that is not white space."""
        here = self._held[self._position : self._position + 1]
        if here and here not in _WHITE_SPACE:
            return here
        while True:
            space = _SPACE.match(self._held, self._position)
            assert space is not None, "the pattern also matches the empty string"
            self._position = space.end()
            if self._position < len(self._held):
                return self._held[self._position : self._position + 1]
            self._more()

    def take(self, expected: bytes) -> bytes:
        """Consume one of these characters."""
        found = self.peek()
        if found not in expected:
            raise self.unexpected()
        self._position += 1
        return found

    def value(self, *, keep: bool = True) -> bytes:
        """Consume a whole value; return its text, or nothing unless it is to be kept."""
        opening = self.peek()
        start = self._position
        if keep and opening in b"{[" and (indented := self._indented_value()):
            self._position += len(indented)
            return indented
        if opening == b'"' or opening not in b"{[":
            pattern = _STRING if opening == b'"' else _PLAIN
            while not (found := pattern.match(self._held, self._position)):
                if opening != b'"' and _PLAIN.match(self._held + b" ", self._position) is None:
                    raise self.unexpected()
                start -= self._more()
            self._position = found.end()
        else:
            depth = 0
            while True:
                found = _BRACKET.match(self._held, self._position)
                if found is None:
                    start -= self._more(keep_from=start if keep else self._position)
                    continue
                self._position = found.end()
                depth += 1 if found.group(1) in b"{[" else -1
                if depth == 0:
                    break
        return self._held[start : self._position] if keep else b""

    def decoded_value(self, decode: Callable[[bytes], object]) -> tuple[bytes, object]:
        """Consume a whole value; return its text, and what `decode` makes of it, or None if that has to be tried."""
        if self.peek() in b"{[" and (likely := self._likely_value()):
            try:
                decoded = decode(likely)
            except (msgspec.DecodeError, RecursionError):
                pass  # it is not the whole value, or not one of that type
            else:
                self._position += len(likely)
                return likely, decoded
        return self.value(), None

    def _indented_value(self) -> bytes | None:
        """Return an indented value without scanning it; None if it is not indented as usual, or not complete."""
        likely = self._likely_value()
        try:
            if likely is not None:
                _whole.decode(likely)
        except (msgspec.DecodeError, RecursionError):
            return None
        return likely

    def _likely_value(self) -> bytes | None:
        """Return the text up to the closing bracket with the indentation of the first line; None if there is none.

        JSON strings contain no line breaks, so only odd indentation can mislead: it is the value if it is complete.
        """
        line = self._held.rfind(b"\n", 0, self._position)
        indent = self._held[line + 1 : self._position]
        if line < 0 or indent.strip(b" ") or self._held[self._position + 1 : self._position + 2] != b"\n":
            return None
        closing = b"\n" + indent + (b"}" if self._held[self._position : self._position + 1] == b"{" else b"]")
        end = self._held.find(closing, self._position)
        if end < 0:
            return None
        return self._held[self._position : end + len(closing)]

    def end(self) -> None:
        """Check that nothing follows."""
        try:
            self.peek()
        except NotJsonError:
            return
        raise self.unexpected()

    def unexpected(self) -> NotJsonError:
        """Return an error that names the unexpected character and its position."""
        found = self._held[self._position : self._position + 1].decode("ascii", errors="replace")
        return NotJsonError(f"{found!r} was not expected at byte {self._passed + self._position}")

    def _more(self, keep_from: int | None = None) -> int:
        """Read more, and return by how much positions have moved."""
        start = self._position if keep_from is None else keep_from
        # a long value is scanned again from its start: reading twice as much each time keeps that linear
        chunk = self._stream.read(max(CHUNK, len(self._held) - start))
        if not chunk:
            raise NotJsonError(f"it ends at byte {self._passed + len(self._held)}, in the middle of something")
        self._held = self._held[start:] + chunk
        self._passed += start
        self._position -= start
        return start
