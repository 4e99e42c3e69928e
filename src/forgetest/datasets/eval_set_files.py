"""Writing an eval set: a TOML file, and for a large one the cases as JSON lines beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from forgetest.errors import UserError
from forgetest.files import atomic, toml_text

MOST_IN_TOML = 256 << 10
"""Bytes of cases that are written into the TOML file itself: what somebody may want to read and edit."""


def write(
    path: Path, header: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], *, force: bool = False
) -> list[Path]:
    """Write an eval set and return its files; without `force`, none that is there already is replaced."""
    if path.suffix != ".toml":
        raise UserError(f"{path}: an eval set is a .toml file; name it so")
    lines = [json.dumps(case, ensure_ascii=False, allow_nan=False) for case in cases]
    beside = path.with_suffix(".cases.jsonl")
    apart = sum(map(len, lines)) > MOST_IN_TOML or _has_null(cases)
    refuse_existing([path, *([beside] if apart else [])], force=force)
    header = {**header, "cases_from": beside.name} if apart else header
    content = {"eval_set": header} if apart else {"eval_set": header, "cases": list(cases)}
    if apart:
        write_lines(beside, lines)
    _write(path, toml_text.document(content))
    return [path, beside] if apart else [path]


def refuse_existing(paths: Sequence[Path], *, force: bool) -> None:
    """Raise UserError if there is a file already, unless it may be replaced."""
    for path in paths:
        if not force and (path.exists() or path.is_symlink()):
            raise UserError(f"{path}: exists already, and is left as it is; --force replaces it")


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write one line for each text; a reader never sees half a file."""
    _write(path, "".join(f"{line}\n" for line in lines))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic.open_text(path) as stream:
            stream.write(text)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error


def _has_null(value: object) -> bool:
    """Return whether there is a null anywhere, which JSON can hold and TOML cannot."""
    if isinstance(value, Mapping):
        return any(map(_has_null, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_null, value))
    return value is None
