"""Reads a repository folder: its paths, and the text of its files within a budget."""

from __future__ import annotations

import os
import re
from pathlib import Path

from nerv.changes import Repository, RepositoryFile
from nerv.location import Location
from nerv.readers.git.patch import is_generated

TEXT_BUDGET = 8 * 1024 * 1024
_LARGEST_FILE = 512 * 1024
_MOST_PATHS = 20_000
_MOST_VISITED = 200_000
_HIDDEN_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".nerv", ".idea", ".vscode", ".cache", ".mypy_cache", ".pytest_cache"}
)
_SOURCE = re.compile(
    r"\.(pyi?|[mc]?[jt]s|[jt]sx|rs|go|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|sql|vue|svelte)$", re.I
)
_DOCUMENTS = re.compile(r"\.(md|rst|txt|html?|css|json|toml|ya?ml|cfg|ini|xml|env|example)$", re.I)


def read_repository(folder: Path, name: str) -> Repository:
    """Read a repository; links are not followed, so nothing outside the folder is read."""
    paths = sorted(_paths(folder))
    files: list[RepositoryFile] = []
    left = TEXT_BUDGET
    wanted = 0
    for path in sorted(paths, key=_reading_order):
        if _reading_order(path)[0] > 2:
            continue
        wanted += 1
        content = _read_text_file(folder / path, min(left, _LARGEST_FILE))
        if content is None:
            continue
        left -= len(content)
        shown = f"{name}/{path}" if name else path
        files.append(RepositoryFile(path=path, text=content.decode("utf-8", "replace"), location=Location(file=shown)))
    files.sort(key=lambda file: file.path)
    return Repository(paths=tuple(paths), files=tuple(files), left_out=wanted - len(files))


def _paths(folder: Path) -> list[str]:
    found: list[str] = []
    visited = 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _HIDDEN_FOLDERS)
        for name in sorted(names):
            visited += 1
            path = (Path(root) / name).relative_to(folder).as_posix()
            if not is_generated(path) and len(found) < _MOST_PATHS:
                found.append(os.fsencode(path).decode("utf-8", "replace"))
        folders[:] = [name for name in folders if not is_generated(f"{name}/")]
        if visited > _MOST_VISITED:
            break
    return found


def _reading_order(path: str) -> tuple[int, str]:
    name = path.rsplit("/", 1)[-1]
    if name.lower().startswith("readme"):
        return 0, path
    if _SOURCE.search(name):
        return 1, path
    if _DOCUMENTS.search(name) or "." not in name:
        return 2, path
    return 3, path


def _read_text_file(file: Path, most: int) -> bytes | None:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            content = stream.read(most + 1)
        except OSError:
            return None
    return None if len(content) > most or b"\0" in content[:8192] else content
