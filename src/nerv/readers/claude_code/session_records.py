"""The messages in a log of Claude Code: one a line, or in an array, as `--output-format json --verbose` writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from nerv.readers.source_files import SourceFiles, is_file

_DOCUMENT = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{\s*\n)")
"""An array of objects, or an object over several lines."""
_HEAD = 4_096
_OBJECT = msgspec.json.Decoder(dict[str, Any])


def session_records(file: Path, name: str, files: SourceFiles) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the messages of a log with their lines, or with their numbers in an array."""
    if not _is_document(file):
        yield from files.records(file, name, _OBJECT)
        return
    found = files.document(file, name)
    for number, message in enumerate(found if isinstance(found, list) else [found], 1):
        if isinstance(message, dict):
            yield number, message


def _is_document(file: Path) -> bool:
    if not is_file(file):  # a pipe would block
        return False
    with file.open("rb") as stream:
        return _DOCUMENT.match(stream.read(_HEAD)) is not None
