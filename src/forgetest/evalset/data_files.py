"""Files beside an eval set that `[cases.io]` names. Inputs and outputs may be large: they are hashed, never kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forgetest.evalset.io_tests import DataFile
from forgetest.files.toml_lines import KeyPath


@dataclass(slots=True)
class CaseFiles:
    """The files that one case names."""

    data: dict[str, DataFile] = field(default_factory=dict)
    """Inputs and outputs by name."""
    code: dict[str, str] = field(default_factory=dict)
    """Sources of checkers by name."""
    errors: list[tuple[KeyPath, str]] = field(default_factory=list)
    """Keys of the case's table, and what is wrong with the files that they name."""


def read_case_files(io: Mapping[str, Any], folder: Path) -> CaseFiles:
    """Look at the files that a checked `[cases.io]` names, in the folder of the eval set."""
    found = CaseFiles()
    for key, name in _named_files(io):
        path = folder / name
        try:
            if not path.resolve().is_relative_to(folder.resolve()):  # a link may lead anywhere
                found.errors.append((key, f"{path} leads out of the eval set's folder"))
            elif path.exists() and not path.is_file():  # a pipe or a device may never end
                found.errors.append((key, f"{path} is not a file"))
            elif key[-1] == "file":
                found.code[name] = path.read_text(encoding="utf-8")
            elif name not in found.data:
                found.data[name] = _describe(path, name)
        except OSError as error:
            found.errors.append((key, f"{path} cannot be read: {error.strerror}"))
        except UnicodeDecodeError:
            found.errors.append((key, f"{path} is not UTF-8"))
    return found


def _named_files(io: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    for position, test in enumerate(io["tests"]):
        for key in ("input_file", "output_file"):
            if key in test:
                yield ("io", "tests", position, key), test[key]
    if "file" in io.get("checker_program", {}):
        yield ("io", "checker_program", "file"), io["checker_program"]["file"]


def _describe(path: Path, name: str) -> DataFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return DataFile(name=name, sha256=digest, size=file.tell(), path=str(path.absolute()))
