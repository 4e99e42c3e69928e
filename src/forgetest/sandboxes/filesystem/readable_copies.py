"""Readable copies of files that only their owner may read, where an id-mapped mount is not possible.

For sandboxes started by root. A copy is made once, in the cache folder, and used until a file's size, mode or
modification time changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_READ, _READ_AND_RUN = 0o444, 0o555


def copy(source: Path, cache_folder: Path) -> Path:
    """Return a copy that everybody may read and nobody may write; raises OSError where there is no room for it."""
    name = hashlib.sha256(os.fsencode(source)).hexdigest()[:16]
    target = cache_folder / "readable" / f"{name}-{_fingerprint(source)}"
    copied = target / source.name
    if copied.exists():
        return copied
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, ignore_cleanup_errors=True) as unfinished:
        folder = Path(unfinished, "copy")
        folder.mkdir()
        if source.is_dir():
            shutil.copytree(source, folder / source.name, symlinks=True)
        else:
            shutil.copy2(source, folder / source.name)
        _make_readable(folder)
        for outdated in target.parent.glob(f"{name}-*"):
            shutil.rmtree(outdated, ignore_errors=True)
        folder.rename(target)
    return copied


def _fingerprint(source: Path) -> str:
    """Hash of the names, sizes, modes and times of all files."""
    digest = hashlib.sha256()
    for path in sorted(_files_below(source)):
        status = path.lstat()
        fields = (path.relative_to(source), status.st_size, status.st_mtime_ns, status.st_mode)
        digest.update("\0".join(str(field) for field in fields).encode(errors="surrogateescape") + b"\n")
    return digest.hexdigest()[:16]


def _files_below(source: Path) -> Iterator[Path]:
    if not source.is_dir():
        yield source
        return
    for folder, _, names in os.walk(source):
        yield from (Path(folder, name) for name in names)


def _make_readable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & 0o100
            # folders stay writable for their owner, who may want to remove them
            path.chmod((_READ_AND_RUN | 0o200 if path.is_dir() else _READ_AND_RUN) if runs else _READ)
