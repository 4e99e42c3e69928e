"""Reading a file of samples within bounds: it is opened without waiting, unpacked up to a size, and read line by line.

The file may come from anybody: it may be a device that never ends, a small archive of something huge, or a line that
takes a hundred times its size once it is decoded.
"""

from __future__ import annotations

import gzip
import os
import re
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import IO, Any, Protocol

import msgspec

from forgetest.errors import UserError

LONGEST_LINE = 16 << 20
"""Bytes of the longest line that is read."""
MOST_COPIED = 4 << 30
"""Bytes that are unpacked, or taken from a pipe."""
_LONGEST_VALUE = 1 << 16
"""Bytes of a value that is not text; the largest that is meant has a few numbers."""
_CHUNK = 1 << 18
_GZIP = b"\x1f\x8b"
_MOST_LAYERS = 2
"""How often an archive may be packed again; some archives unpack to themselves."""
_OWN_DESCRIPTOR = re.compile(r"/dev/stdin|(/dev|/proc/(self|\d+))/fd/\d+")
"""Paths of what a shell has opened for us: `<(command)`, or a redirection."""
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TEXTS = ("code", "solution", "completion", "answer")
_ABSENT = msgspec.Raw()


class _Line(msgspec.Struct):
    """The keys that are looked at. All others are skipped without being decoded, however large they are."""

    case_id: msgspec.Raw = _ABSENT
    task_id: msgspec.Raw = _ABSENT
    eval_set: msgspec.Raw = _ABSENT
    code: msgspec.Raw = _ABSENT
    solution: msgspec.Raw = _ABSENT
    completion: msgspec.Raw = _ABSENT
    answer: msgspec.Raw = _ABSENT
    model: msgspec.Raw = _ABSENT
    attempt: msgspec.Raw = _ABSENT
    tokens: msgspec.Raw = _ABSENT
    cost_usd: msgspec.Raw = _ABSENT
    latency_ms: msgspec.Raw = _ABSENT


_KEYS = frozenset(_Line.__struct_fields__)
_NO_OBJECT = "must be an object, { … }, as every line"
_whole = msgspec.json.Decoder(msgspec.Raw)
_decoder = msgspec.json.Decoder(_Line)


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


def open_samples(name: str, longest_line: int | None = None) -> IO[bytes]:
    """Open the file, or standard input for `-`; copy it to an unnamed file if it is packed or cannot be read twice."""
    longest_line = longest_line or LONGEST_LINE
    try:
        if name == "-":
            return _copy_to_unnamed_file(sys.stdin.buffer, name, longest_line)
        file = _open_without_waiting(name)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and os.pread(file.fileno(), 2, 0) != _GZIP:
            return file
        with file:
            return _copy_to_unnamed_file(file, name, longest_line)
    except FileNotFoundError:
        raise UserError(f"{name}: no such file") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UserError(f"{name}: cannot be unpacked: {error}") from None
    except OSError as error:
        raise UserError(f"{name}: cannot be read: {error.strerror}") from None


def lines(file: IO[bytes], name: str, longest_line: int | None = None) -> Iterator[bytes]:
    """Yield the lines of the file; raise UserError at one that is too long."""
    longest_line = longest_line or LONGEST_LINE
    number = 1
    while line := file.readline(longest_line + 1):
        if len(line) > longest_line:
            raise _too_long(name, number, longest_line)
        yield line
        number += 1


def decode(line: bytes) -> dict[str, Any]:
    """Return the values of the known keys of a sample; raise ValueError with a message for the user."""
    line = line.removeprefix(_BYTE_ORDER_MARK)
    try:
        if len(line) <= _LONGEST_VALUE:  # nearly every line: nothing in it can be too long
            return _known_values(msgspec.json.decode(line))
        text = _whole.decode(line)
        if bytes(memoryview(text)[:1]) != b"{":
            raise ValueError(_NO_OBJECT)
        raw = _decoder.decode(text)
        return {key: _value(key, value) for key in _KEYS if (value := getattr(raw, key)) is not _ABSENT}
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except msgspec.DecodeError as error:
        raise ValueError(f"not JSON: {error}") from None


def _known_values(sample: Any) -> dict[str, Any]:
    if not isinstance(sample, dict):
        raise ValueError(_NO_OBJECT)
    return {key: value for key, value in sample.items() if key in _KEYS}


def _value(key: str, raw: msgspec.Raw) -> Any:
    content = memoryview(raw)
    is_text = key in _TEXTS and bytes(content[:1]) == b'"'
    if not is_text and len(content) > _LONGEST_VALUE:
        raise ValueError(f"{key}: longer than {_LONGEST_VALUE >> 10} KiB, the longest value that is read there")
    return msgspec.json.decode(raw)


def _open_without_waiting(name: str) -> IO[bytes]:
    """Open a file; opening a pipe that nobody writes to would wait forever, and a device may never end."""
    descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with ExitStack() as stack:
        stack.callback(os.close, descriptor)
        mode = os.fstat(descriptor).st_mode
        if not _OWN_DESCRIPTOR.fullmatch(name) and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            kind = "a pipe" if stat.S_ISFIFO(mode) else "a device"
            raise UserError(f"{name}: {kind}, not a file; to read from it, write: --samples-from - < {name}")
        os.set_blocking(descriptor, True)
        file = os.fdopen(descriptor, "rb")
        stack.pop_all()
        return file


def _copy_to_unnamed_file(source: _Readable, name: str, longest_line: int, layers: int = 0) -> IO[bytes]:
    with ExitStack() as stack:
        copy = stack.enter_context(tempfile.TemporaryFile())
        _copy_within_bounds(source, copy, name, longest_line)
        copy.seek(0)
        if copy.read(2) == _GZIP:
            if layers == _MOST_LAYERS:
                raise UserError(f"{name}: packed more than {_MOST_LAYERS} times; unpack it first")
            copy.seek(0)
            with copy, gzip.open(copy) as unpacked:
                return _copy_to_unnamed_file(unpacked, name, longest_line, layers + 1)
        copy.seek(0)
        stack.pop_all()
        return copy


def _copy_within_bounds(source: _Readable, copy: IO[bytes], name: str, longest_line: int) -> None:
    """Copy everything; stop early at a line that is too long, because a small archive may hold a huge one."""
    total, number, length = 0, 1, 0
    packed: bool | None = None
    while chunk := source.read(_CHUNK):
        packed = chunk.startswith(_GZIP) if packed is None else packed
        copy.write(chunk)
        total += len(chunk)
        if total > MOST_COPIED:
            raise UserError(f"{name}: more than {MOST_COPIED >> 30} GiB; unpack it into a file, which may be larger")
        if packed:
            continue
        first = chunk.find(b"\n")
        if length + (len(chunk) if first < 0 else first) > longest_line:
            raise _too_long(name, number, longest_line)
        length = length + len(chunk) if first < 0 else len(chunk) - chunk.rfind(b"\n") - 1
        number += chunk.count(b"\n")


def _too_long(name: str, number: int, longest_line: int) -> UserError:
    return UserError(f"{name}:{number}: longer than {longest_line >> 20} MiB, the longest line that is read")
