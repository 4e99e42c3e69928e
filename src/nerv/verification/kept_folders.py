"""Folders of the cache that a verification needs, made once: packages, and what was built of them.

Several processes may use and prune them at the same time. A folder is made under its lock, stays while somebody uses
it, and otherwise goes, least recently used first, once all of them together are larger than the limit.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from forgetest.files import locks

_KEPT_FOR_S = 24 * 3600.0
"""Unfinished folders that are older than this were left by a process that was killed."""
_REMOVED = "removed-"


@dataclass(slots=True)
class FoldersInUse:
    """Locks of the folders that this verification uses, which keep others from removing them."""

    descriptors: dict[Path, int] = field(default_factory=dict)

    def add(self, folder: Path) -> None:
        """Note that a folder is used now; its lock must be held."""
        mark = _mark(folder)
        if folder not in self.descriptors:
            self.descriptors[folder] = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            locks.share(self.descriptors[folder])
        os.utime(mark)

    def close(self) -> None:
        """Let others remove the folders."""
        while self.descriptors:
            os.close(self.descriptors.popitem()[1])


def get_or_make(root: Path, kind: str, key: str, in_use: FoldersInUse, make: Callable[[Path], Path]) -> Path:
    """Return the folder of this key; if there is none yet, `make` makes it in the empty folder that it is given.

    `make` returns the folder to keep, and may raise; then nothing is kept.
    """
    folder = root / kind / key
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locks.exclusive(_lock(folder)):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as unfinished:
                made = make(Path(unfinished))
                size = _size(made)
                made.rename(folder)
            _mark(folder).write_text(str(size))
        in_use.add(folder)
    return folder


def prune(root: Path, most_bytes: int) -> None:
    """Remove the least recently used folders until the others fit; those that are in use or being made stay."""
    found = sorted((_last_used(folder), folder) for folder in _folders(root))
    sizes = {folder: _known_size(folder) for _, folder in found}
    total = sum(sizes.values())
    for _, folder in found:
        if total <= most_bytes:
            break
        if _remove(folder):
            total -= sizes[folder]
    _remove_leftovers(root)


def _folders(root: Path) -> Iterator[Path]:
    """Go through the finished folders: each has its lock beside it."""
    return (lock.with_suffix("") for lock in root.glob("*/*.lock") if lock.with_suffix("").is_dir())


def _lock(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")


def _mark(folder: Path) -> Path:
    """Return the file whose time is that of the last use; it holds the folder's size."""
    return folder.with_name(f"{folder.name}.used")


def _last_used(folder: Path) -> float:
    for path in (_mark(folder), folder):
        with contextlib.suppress(OSError):
            return path.stat().st_mtime
    return 0.0


def _known_size(folder: Path) -> int:
    with contextlib.suppress(OSError, ValueError):
        return int(_mark(folder).read_text())
    size, last_used = _size(folder), _last_used(folder)
    with contextlib.suppress(OSError):
        _mark(folder).write_text(str(size))
        os.utime(_mark(folder), (last_used, last_used))
    return size


def _size(folder: Path) -> int:
    """Return the bytes that a folder takes on the disk."""
    total = 0
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):
                total += (Path(parent) / name).lstat().st_blocks * 512
    return total


def _remove(folder: Path) -> bool:
    """Remove a folder unless somebody makes or uses it; return whether it is gone."""
    with contextlib.ExitStack() as opened:
        for path in (_lock(folder), _mark(folder)):  # in the order of those who use it
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            except OSError:
                return False
            opened.callback(os.close, descriptor)
            if not locks.try_lock(descriptor):
                return False
        on_the_way = folder.with_name(f"{_REMOVED}{folder.name}-{os.getpid()}")
        try:
            folder.rename(on_the_way)  # at once: nobody finds half of it
            _mark(folder).unlink(missing_ok=True)
        except OSError:
            return False
    shutil.rmtree(on_the_way, ignore_errors=True)
    return True


def _remove_leftovers(root: Path) -> None:
    """Remove what processes left that were killed while they made or removed a folder."""
    for path in (*root.glob("*/tmp*"), *root.glob(f"*/{_REMOVED}*")):
        with contextlib.suppress(OSError):
            if path.is_dir() and path.stat().st_mtime < time.time() - _KEPT_FOR_S:
                shutil.rmtree(path, ignore_errors=True)
