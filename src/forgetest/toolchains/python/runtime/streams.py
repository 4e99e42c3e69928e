"""Standard streams of a sample: what it prints and reads goes through its tests."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

_MOST_PRINTED = 1 << 20
_MOST_KEPT = 64 << 10


class LimitedText(io.TextIOBase):
    """Keeps what tests and sample print, up to a limit."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._left = _MOST_KEPT

    def write(self, text: str) -> int:
        """Keep the text."""
        if self._left > 0:
            self._parts.append(text[: self._left])
            self._left -= len(text)
        return len(text)

    def text(self) -> str:
        """Return all that was kept."""
        return "".join(self._parts)


class PrintedText(io.TextIOBase):
    """What a sample prints travels with its next message, and so comes in order with what its tests print."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def write(self, text: str) -> int:
        """Keep the text, up to a limit."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._size < _MOST_PRINTED:
            self._parts.append(text[:_MOST_PRINTED])
            self._size += len(text)
        return len(text)

    def take(self) -> str:
        """Return what was printed since the last time."""
        text, self._parts = "".join(self._parts), []
        return text

    def writable(self) -> bool:
        """Return True."""
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """As on most machines."""
        return "utf-8"

    @property
    def buffer(self) -> io.RawIOBase:
        """The stream of bytes below."""
        return _PrintedBytes(self)


class _PrintedBytes(io.RawIOBase):
    def __init__(self, text: PrintedText) -> None:
        self._text = text

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        content = bytes(data)
        self._text.write(content.decode("utf-8", "replace"))
        return len(content)


class TestInput(io.TextIOBase):
    """Standard input of a sample: that of its tests."""

    __test__ = False

    def __init__(self, ask: Callable[..., Any]) -> None:
        self._ask = ask

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int | None = -1) -> str:
        """Read from the tests' standard input."""
        return str(self._ask("stdin", "read", -1 if size is None else size))

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        """Read a line from the tests' standard input."""
        return str(self._ask("stdin", "readline", -1 if size is None else size))
