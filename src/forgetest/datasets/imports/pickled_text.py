"""Reading a pickle that holds text, without executing anything.

LiveCodeBench packs its hidden tests as a pickled string. A pickle is a program: unpickling one from elsewhere runs
whatever it says. This reader knows the opcodes for strings and for a dictionary of strings, and refuses every other.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable
from typing import Any

MOST_UNPACKED = 1 << 30
"""Bytes that are unpacked."""
_MOST_VALUES = 1000


def unpack(packed: str) -> str | dict[str, str]:
    """Return the text in a pickle that was compressed by zlib and written as base64; raise ValueError."""
    try:
        compressed = base64.b64decode(packed, validate=True)
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(compressed, MOST_UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise ValueError(f"cannot be unpacked: {error}") from None
    if unpacker.unconsumed_tail:
        raise ValueError(f"more than {MOST_UNPACKED >> 20} MiB when it is unpacked")
    if not unpacker.eof:
        raise ValueError("cannot be unpacked: it is cut off")
    return read(data)


def read(data: bytes) -> str | dict[str, str]:
    """Return the string, or the dictionary of strings, in a pickle; raise ValueError for any other."""
    found = _Reader(data).read()
    if isinstance(found, str):
        return found
    if isinstance(found, dict) and all(isinstance(each, str) for item in found.items() for each in item):
        return found
    raise ValueError("a pickle of something else than text")


class _Reader:
    """Interprets opcodes, each a byte and its argument; see CPython's pickletools."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._memo: dict[int, Any] = {}

    def read(self) -> object:
        while True:
            opcode = self._take(1)
            if opcode == b".":
                if len(self._stack) != 1 or self._marks:
                    raise ValueError("a pickle that is damaged")
                return self._stack[0]
            handle = _OPCODES.get(opcode)
            if handle is None:
                raise ValueError(f"a pickle of something else than text (opcode {opcode!r})")
            handle(self)
            if len(self._stack) + len(self._memo) > _MOST_VALUES:
                raise ValueError("a pickle of too many values")

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) != size:
            raise ValueError("a pickle that is cut off")
        self._at += size
        return taken

    def _number(self, size: int) -> int:
        return int.from_bytes(self._take(size), "little")

    def _line(self) -> bytes:
        end = self._data.find(b"\n", self._at)
        if end < 0:
            raise ValueError("a pickle that is cut off")
        line = self._take(end - self._at)
        self._at += 1
        return line

    def _pop(self) -> Any:
        if len(self._stack) <= (self._marks[-1] if self._marks else 0):
            raise ValueError("a pickle that is damaged")
        return self._stack.pop()

    def push_text(self, size: int) -> None:
        try:
            self._stack.append(self._take(self._number(size)).decode())
        except UnicodeDecodeError:
            raise ValueError("a pickle of text that is not UTF-8") from None

    def push_escaped_text(self) -> None:
        try:
            text = self._line().decode("raw-unicode-escape")
            text.encode()
        except UnicodeError:
            raise ValueError("a pickle of text that is not UTF-8") from None
        self._stack.append(text)

    def push_dictionary(self) -> None:
        self._stack.append({})

    def mark(self) -> None:
        self._marks.append(len(self._stack))

    def set_item(self) -> None:
        value, key = self._pop(), self._pop()
        self._put_into_dictionary([key, value])

    def set_items(self) -> None:
        if not self._marks:
            raise ValueError("a pickle that is damaged")
        start = self._marks.pop()
        items = self._stack[start:]
        del self._stack[start:]
        self._put_into_dictionary(items)

    def _put_into_dictionary(self, items: list[Any]) -> None:
        target = self._stack[-1] if self._stack else None
        if not isinstance(target, dict) or len(items) % 2 or not all(isinstance(each, str) for each in items):
            raise ValueError("a pickle of something else than text")
        target.update(zip(items[::2], items[1::2], strict=True))

    def memoize(self, index: int | None) -> None:
        if not self._stack:
            raise ValueError("a pickle that is damaged")
        self._memo[len(self._memo) if index is None else index] = self._stack[-1]

    def get(self, index: int) -> None:
        if not isinstance(self._memo.get(index), str):
            raise ValueError("a pickle that is damaged")
        self._stack.append(self._memo[index])

    def skip(self, size: int) -> None:
        self._take(size)

    def memoize_by_line(self) -> None:
        line = self._line()
        if not line.isdigit() or len(line) > 9:
            raise ValueError("a pickle that is damaged")
        self.memoize(int(line))

    def memoize_by(self, size: int) -> None:
        self.memoize(self._number(size))

    def get_by(self, size: int) -> None:
        self.get(self._number(size))


_OPCODES: dict[bytes, Callable[[_Reader], None]] = {
    b"\x80": lambda reader: reader.skip(1),  # the protocol
    b"\x95": lambda reader: reader.skip(8),  # the length of a frame
    b"\x8c": lambda reader: reader.push_text(1),
    b"X": lambda reader: reader.push_text(4),
    b"\x8d": lambda reader: reader.push_text(8),
    b"V": lambda reader: reader.push_escaped_text(),
    b"}": lambda reader: reader.push_dictionary(),
    b"(": lambda reader: reader.mark(),
    b"s": lambda reader: reader.set_item(),
    b"u": lambda reader: reader.set_items(),
    b"\x94": lambda reader: reader.memoize(None),
    b"p": lambda reader: reader.memoize_by_line(),
    b"q": lambda reader: reader.memoize_by(1),
    b"r": lambda reader: reader.memoize_by(4),
    b"h": lambda reader: reader.get_by(1),
    b"j": lambda reader: reader.get_by(4),
}
