"""The source of a run, and a reader for its files: one pass, bounded memory, invalid lines are counted."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from forgetest.errors import UserError

LONGEST_LINE = 16 * 1024 * 1024
LARGEST_DOCUMENT = 32 * 1024 * 1024
_CHUNK = 1024 * 1024
_NAMED_LINES = 5
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DOCUMENT = re.compile(rb"\s*(?:\[|\{\s*\n)")
_PACKED = {
    b"SQLite format 3\0": "is a database; export the session, for instance with `opencode export ID`",
    b"\x28\xb5\x2f\xfd": "is compressed; unpack it first, for instance with `zstd -d`",
    b"\x1f\x8b": "is compressed; unpack it first, for instance with `gunzip`",
    b"PK\x03\x04": "is an archive; unpack it first",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSource:
    """A run to read, as the user named it."""

    path: Path
    """A results folder, a session's log, or a folder with one."""
    spec: Path | None = None
    repository: Path | None = None
    base: str | None = None
    """The revision of `repository` that the run began at."""
    diff: Path | None = None
    """A patch of the result, for sources that have none of their own."""


@dataclass(slots=True)
class SourceFiles:
    """Reads the files of a run, and records what was read and what was left out."""

    root: Path | None = None
    """The results folder. The run wrote it, so links in it must not lead out of it."""
    inputs: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @staticmethod
    def digest(content: bytes) -> str:
        """Return the digest by which `inputs` identifies a file."""
        return hashlib.sha256(content).hexdigest()

    def warn(self, message: str) -> None:
        """Add a warning, up to a thousand."""
        if len(self.warnings) < 1_000 and message not in self.warnings:
            self.warnings.append(message)

    def lines(self, file: Path, name: str) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a file with their numbers; excessively long lines are skipped with a warning."""
        digest = hashlib.sha256()
        too_long = _Skipped(f"longer than {_megabytes(LONGEST_LINE)}")
        with self._opened(file) as stream:
            number, rest, skipping = 0, b"", False
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
                if not number and not rest:
                    refuse_utf_16(file, chunk)
                    chunk = chunk.removeprefix(_BYTE_ORDER_MARK)
                parts = (rest + chunk).split(b"\n")
                rest = parts.pop()
                for part in parts:
                    number += 1
                    if skipping:
                        skipping = False
                    elif len(part) > LONGEST_LINE:
                        too_long.add(number)
                    else:
                        yield number, part
                if len(rest) > LONGEST_LINE:
                    if not skipping:
                        too_long.add(number + 1)
                    skipping, rest = True, b""
            if rest and not skipping:
                yield number + 1, rest
        self.inputs[name] = digest.hexdigest()
        too_long.report(self, name)

    def records(self, file: Path, name: str, decoder: msgspec.json.Decoder[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the values of a JSON Lines file; invalid lines are skipped and reported with their numbers."""
        wrong = _Skipped("not JSON")
        encoding = _Skipped("not UTF-8")
        for number, line in self.lines(file, name):
            text = line.strip(b" \t\r\0\f\v")
            if not text:
                continue
            try:
                yield number, decoder.decode(text)
            except UnicodeDecodeError:
                encoding.add(number)
            except (msgspec.DecodeError, RecursionError):
                wrong.add(number)
        wrong.report(self, name)
        encoding.report(self, name)

    def document(self, file: Path, name: str) -> Any:
        """Return a JSON document; None, with a warning, if it is invalid."""
        content = self.content(file, name)
        if content is None:
            return None
        try:
            return msgspec.json.decode(content.removeprefix(_BYTE_ORDER_MARK))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.warn(f"{name}: not JSON, left out: {error}")
            return None

    def mapping(self, file: Path, name: str) -> dict[str, Any] | None:
        """Return a JSON object; None, with a warning, if it is anything else."""
        found = self.document(file, name)
        if found is not None and not isinstance(found, dict):
            self.warn(f"{name}: must be an object, left out")
            return None
        return found

    def inside(self, path: Path) -> bool:
        """Return whether a path of the results folder stays in it after links are resolved."""
        if self.root is None or not path.is_relative_to(self.root):
            return True  # named by the user
        return path.resolve().is_relative_to(self.root.resolve())

    def _opened(self, file: Path) -> Any:
        """Open a regular file: a results folder may contain a pipe, and reading it would block."""
        if not self.inside(file):
            raise UserError(f"{file}: a link that leads out of the results folder; put the file itself there")
        descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise UserError(f"{file}: is not a regular file")
        return os.fdopen(descriptor, "rb", buffering=0)

    def content(self, file: Path, name: str) -> bytes | None:
        """Return a whole file; None if it is absent, None with a warning if it is too large or unreadable."""
        try:
            with self._opened(file) as stream:
                content: bytes = stream.read(LARGEST_DOCUMENT + 1)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, UserError) as error:  # ValueError: a zero byte in the name
            self.warn(f"{name}: cannot be read, left out: {getattr(error, 'strerror', None) or error}")
            return None
        if len(content) > LARGEST_DOCUMENT:
            self.warn(f"{name}: larger than {_megabytes(LARGEST_DOCUMENT)}, left out")
            return None
        self.inputs[name] = self.digest(content)
        return content


def is_file(path: Path) -> bool:
    """Return whether there is a regular file that may be inspected."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False


@dataclass(slots=True)
class _Skipped:
    """Lines that were skipped for the same reason."""

    reason: str
    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, number: int) -> None:
        self.count += 1
        if len(self.first) < _NAMED_LINES:
            self.first.append(number)

    def report(self, files: SourceFiles, name: str) -> None:
        if not self.count:
            return
        which = ", ".join(map(str, self.first)) + (", …" if self.count > len(self.first) else "")
        lines = "line" if self.count == 1 else "lines"
        files.warn(f"{name}: {self.count} {lines} skipped, {self.reason}: {lines} {which}")


def refuse_packed(file: Path, beginning: bytes) -> None:
    """Raise UserError if a file begins like a compressed one or a database, in which a log may be."""
    for signature, advice in _PACKED.items():
        if beginning.startswith(signature):
            raise UserError(f"{file}: {advice}")


def refuse_too_large(file: Path) -> None:
    """Raise UserError if a file that shows no log begins with too long a line, or is too large a document."""
    size = file.stat().st_size
    if size <= LONGEST_LINE:
        return
    with file.open("rb") as stream:
        beginning = stream.read(LONGEST_LINE + 1)
    one_line = b"\n" not in beginning
    if size > LARGEST_DOCUMENT and (_DOCUMENT.match(beginning) or (one_line and file.suffix != ".jsonl")):
        raise UserError(
            f"{file}: is larger than {_megabytes(LARGEST_DOCUMENT)}, the most that nerv reads of a document"
        )
    if one_line:
        raise UserError(f"{file}: begins with a line longer than {_megabytes(LONGEST_LINE)}, the most that nerv reads")


def _megabytes(size: int) -> str:
    return f"{size // 1024**2} MB"


def refuse_utf_16(file: Path, beginning: bytes) -> None:
    """Raise UserError if a file begins like one in UTF-16, as some editors and shells of Windows write them."""
    if beginning.startswith(_UTF_16):
        raise UserError(f"{file}: is UTF-16; convert it to UTF-8, for instance with iconv")
