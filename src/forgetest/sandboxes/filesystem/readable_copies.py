"""Readable copies of what only its owner may read, for root's sandboxes, where it cannot be lent (see `lending.py`).

Made once, in the cache folder, and used as long as no file's size or time of change is another.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_READ, _READ_AND_RUN = 0o444, 0o555


def readable(source: Path, folder: Path) -> Path:
    """A copy below `folder` that everybody may read and nobody may write; raises OSError where there is no room."""
    name = hashlib.sha256(os.fsencode(source)).hexdigest()[:16]
    place = folder / "readable" / f"{name}-{_stamp(source)}"
    copy = place / source.name
    if copy.exists():
        return copy
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, ignore_cleanup_errors=True) as unfinished:
        made = Path(unfinished, "made")
        made.mkdir()
        if source.is_dir():
            shutil.copytree(source, made / source.name, symlinks=True)
        else:
            shutil.copy2(source, made / source.name)
        _open_up(made)
        for old in place.parent.glob(f"{name}-*"):  # of a toolchain that is no more
            shutil.rmtree(old, ignore_errors=True)
        made.rename(place)
    return copy


def _stamp(source: Path) -> str:
    """What would have to change for another copy."""
    known = hashlib.sha256()
    for path in sorted(_files(source)):
        status = path.lstat()
        words = (path.relative_to(source), status.st_size, status.st_mtime_ns, status.st_mode)
        known.update("\0".join(str(word) for word in words).encode(errors="surrogateescape") + b"\n")
    return known.hexdigest()[:16]


def _files(source: Path) -> Iterator[Path]:
    if not source.is_dir():
        yield source
        return
    for folder, _, names in os.walk(source):
        yield from (Path(folder, name) for name in names)


def _open_up(made: Path) -> None:
    for path in (made, *made.rglob("*")):
        if not path.is_symlink():
            runs = path.is_dir() or path.stat().st_mode & 0o100
            # the owner may still remove it
            path.chmod((_READ_AND_RUN | 0o200 if path.is_dir() else _READ_AND_RUN) if runs else _READ)
