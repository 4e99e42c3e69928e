"""A report's file, read as a stream: what stands before its results, and the results one after the other."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from forgetest.errors import UserError
from forgetest.files.json_stream import NotAnObjectError, NotJsonError, pieces
from forgetest.report import FILENAME

_LARGE = {"results": b"[]", "aggregate": b"{}"}
_BEFORE_RESULTS = {"format_version", "id", "created_at", "eval_sets", "settings"}
_Known = TypeVar("_Known")


def file_of(path: Path) -> Path:
    """The report's file, where a run's folder may stand for it."""
    file = path / FILENAME if path.is_dir() else path
    if file.exists():
        return file
    if path.is_dir():
        raise UserError(f"{path}: no {FILENAME} in this folder; a run writes it when it ends")
    raise UserError(f"{path}: no such file; give a report, or the folder of a run")


def read_header(file: Path) -> bytes:
    """A report without its results and aggregates, which may be far too large to be held at once."""
    found: dict[str, bytes] = {}
    with _reading(file) as stream:
        for piece in pieces(stream, skipped=(*_LARGE,)):
            # in our own reports all else stands before the results, so that they need not be passed twice
            if piece.name == "results" and found.keys() >= _BEFORE_RESULTS:
                found |= _LARGE
                break
            found[piece.name] = piece.text or _LARGE[piece.name]
    return b"{" + b",".join(msgspec.json.encode(name) + b":" + text for name, text in found.items()) + b"}"


def read_results(file: Path, decoder: msgspec.json.Decoder[_Known]) -> Iterator[_Known]:
    """The results of a report, one after the other."""
    with _reading(file) as stream:
        for piece in pieces(stream, arrays=("results",), skipped=("aggregate",)):
            if piece.element is None:
                if piece.name == "results" and piece.text != b"[]":
                    raise UserError(f"{file}: no report that can be read: Expected `array` - at `$.results`")
                continue
            place = f"$.results[{piece.element}]"
            try:
                yield decoder.decode(piece.text)
            except msgspec.ValidationError as error:
                where = str(error).replace("`$", f"`{place}") if "`$" in str(error) else f"{error} - at `{place}`"
                raise UserError(f"{file}: no report that can be read: {where}") from None
            except (ValueError, RecursionError) as error:
                raise UserError(f"{file}: not JSON, or cut off: {error} - at `{place}`") from None


@contextlib.contextmanager
def _reading(file: Path) -> Iterator[BinaryIO]:
    """The file, open; what is wrong with it becomes the user's error."""
    try:
        with file.open("rb") as stream:
            yield stream
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    except NotAnObjectError as error:
        raise UserError(f"{file}: no report that can be read: {error}") from None
    except NotJsonError as error:
        raise UserError(f"{file}: not JSON, or cut off: {error}") from None


def decode(content: bytes, kind: type[_Known], file: Path) -> _Known:
    """A header as a value; what is wrong with it becomes the user's error."""
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: no report that can be read: {error}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: not JSON, or cut off: {error}") from None
