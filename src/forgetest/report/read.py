"""Read a report back from its file: the header at once, the results one at a time, whenever they are iterated.

A report may be far larger than the memory, so nothing here holds more than one result.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

import msgspec

from forgetest.errors import UserError
from forgetest.files.json_stream import NotAnObjectError, NotJsonError, pieces
from forgetest.files.printable import printable
from forgetest.report import FILENAME, FORMAT_VERSION, Report, ReportContent, asked_cases, rust_tool
from forgetest.report.aggregate import aggregate
from forgetest.report.scored import ScoredSample
from forgetest.report.wire import (
    WireFormat,
    WireHeader,
    WireSample,
    WireSettings,
    to_eval_sets,
    to_sample,
    to_scored,
    to_settings,
)
from forgetest.sample import Sample

_LARGE = {"results": b"[]", "aggregate": b"{}"}
_BEFORE_RESULTS = {"format_version", "id", "created_at", "eval_sets", "settings"}
_Known = TypeVar("_Known")
_Converted = TypeVar("_Converted")
_HasAttempt = TypeVar("_HasAttempt", Sample, ScoredSample)


def read_report(path: str | Path) -> Report:
    """Read a report, or the one in a run's folder; its aggregate is computed from its results."""
    content = read_content(path)
    known = {field.name: getattr(content, field.name) for field in fields(content)}
    summary = aggregate(content.results, asked_cases(content.eval_sets), content.settings.pass_k)
    return Report(**known, aggregate=summary)


def read_content(path: str | Path) -> ReportContent:
    """Read a report, or the one in a run's folder, without computing its aggregate.

    Reports of the Rust tool of the same name can be read, too.
    """
    file = _report_file(Path(path))
    header = _read_header(file)
    format_ = _decode(header, WireFormat, file)
    if format_.format_version == FORMAT_VERSION:
        return _read_ours(header, file, printable(path))
    if format_.format_version is not None:
        raise UserError(
            f"{file}: format_version is {format_.format_version}, and this forgetest reads {FORMAT_VERSION}: "
            "read it with the forgetest that wrote it, or run again"
        )
    if format_.eval_set is None:
        raise UserError(f"{file}: no report: it has neither format_version nor eval_set")
    rust_header = _decode(header, rust_tool.RustToolHeader, file)
    return rust_header.to_content(_RustToolResults(file, rust_header), printable(path))


def _read_ours(header: bytes, file: Path, path: str) -> ReportContent:
    known = _decode(header, WireHeader, file)
    settings = _decode(msgspec.json.encode(known.settings), WireSettings, file)
    return ReportContent(
        id=known.id,
        created_at=known.created_at,
        duration_ms=known.duration_ms,
        eval_sets=to_eval_sets(known),
        settings=to_settings(settings, known.settings),
        models_evaluated=known.models_evaluated,
        results=_OurResults(file),
        path=path,
    )


class _OurResults:
    """The samples in a report's file, or their scores, in the order that our reports have."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._decoder = msgspec.json.Decoder(WireSample)

    def __iter__(self) -> Iterator[Sample]:
        return self._in_order(to_sample)

    def scored(self) -> Iterator[ScoredSample]:
        """Yield the scores; what is refused among them is refused among the samples, and the other way round."""
        return self._in_order(to_scored)

    def _in_order(self, convert: Callable[[WireSample], _HasAttempt]) -> Iterator[_HasAttempt]:
        previous = None
        for each in _converted(self._file, self._decoder, convert):
            if previous is not None and each.attempt <= previous:
                name = "/".join(map(str, each.attempt))
                raise UserError(f"{self._file}: results are not sorted, or there twice: {name}")
            previous = each.attempt
            yield each


class _RustToolResults:
    """The samples in a file of the Rust tool."""

    def __init__(self, file: Path, header: rust_tool.RustToolHeader) -> None:
        self._file = file
        self._header = header
        self._decoder = msgspec.json.Decoder(rust_tool.RustToolSample)

    def __iter__(self) -> Iterator[Sample]:
        return _converted(self._file, self._decoder, self._header.to_sample)


def _converted(
    file: Path, decoder: msgspec.json.Decoder[_Known], convert: Callable[[_Known], _Converted]
) -> Iterator[_Converted]:
    for recorded in _read_results(file, decoder):
        try:
            yield convert(recorded)
        except ValueError as error:
            raise UserError(f"{file}: {error}") from None


def _report_file(path: Path) -> Path:
    """Return the report's file; a run's folder may stand for it."""
    file = path / FILENAME if path.is_dir() else path
    if file.is_file():
        return file
    if file.exists():
        raise UserError(f"{file}: a pipe or a device, not a file; a report is read more than once")
    if path.is_dir():
        raise UserError(f"{path}: no {FILENAME} in this folder; a run writes it when it ends")
    raise UserError(f"{path}: no such file; give a report, or the folder of a run")


def _read_header(file: Path) -> bytes:
    """Return the report's JSON with empty results and an empty aggregate."""
    found: dict[str, bytes] = {}
    with _open_report(file) as stream:
        for piece in pieces(stream, skipped=(*_LARGE,)):
            # our own reports have everything else before the results: no need to read through them
            if piece.name == "results" and found.keys() >= _BEFORE_RESULTS:
                found |= _LARGE
                break
            found[piece.name] = piece.text or _LARGE[piece.name]
    return b"{" + b",".join(msgspec.json.encode(name) + b":" + text for name, text in found.items()) + b"}"


def _read_results(file: Path, decoder: msgspec.json.Decoder[_Known]) -> Iterator[_Known]:
    with _open_report(file) as stream:
        for piece in pieces(stream, arrays=("results",), skipped=("aggregate",), decode=decoder.decode):
            if piece.element is None:
                if piece.name == "results" and piece.text != b"[]":
                    raise UserError(f"{file}: no report that can be read: Expected `array` - at `$.results`")
                continue
            if piece.decoded is not None:
                yield cast(_Known, piece.decoded)
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
def _open_report(file: Path) -> Iterator[BinaryIO]:
    """Open the file; turn whatever is wrong with it into a UserError."""
    try:
        with file.open("rb") as stream:
            yield stream
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    except NotAnObjectError as error:
        raise UserError(f"{file}: no report that can be read: {error}") from None
    except NotJsonError as error:
        raise UserError(f"{file}: not JSON, or cut off: {error}") from None


def _decode(content: bytes, kind: type[_Known], file: Path) -> _Known:
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        raise UserError(f"{file}: no report that can be read: {error}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: not JSON, or cut off: {error}") from None
