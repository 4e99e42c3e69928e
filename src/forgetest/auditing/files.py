"""The files of an audit: JSON, one HTML page, SARIF."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from forgetest.auditing import html, json_form, sarif
from forgetest.auditing.results import Audit
from forgetest.errors import UserError
from forgetest.files import atomic


def _write_json(audit: Audit, stream: IO[str]) -> None:
    json.dump(json_form.encode(audit), stream, indent=1, ensure_ascii=False)
    stream.write("\n")


def _write_sarif(audit: Audit, stream: IO[str]) -> None:
    json.dump(sarif.encode(audit), stream, indent=1, ensure_ascii=False)
    stream.write("\n")


_WRITERS: Mapping[str, tuple[str, Callable[[Audit, IO[str]], None]]] = {
    "json": (json_form.FILENAME, _write_json),
    "html": (html.FILENAME, html.write),
    "sarif": (sarif.FILENAME, _write_sarif),
}


def write(audit: Audit, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write the files into a folder, and return their paths; a reader never sees half a file."""
    written = []
    for name in formats:
        filename, writer = _WRITERS[name]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with atomic.open_text(folder / filename) as stream:
                writer(audit, stream)
        except OSError as error:
            raise UserError(f"{folder / filename}: {error.strerror}") from error
        written.append(folder / filename)
    return written
