"""Folders that we write into under names that others can guess: they must be real folders, and ours.

Somebody who may write beside them could put a symbolic link there first, and have our files written elsewhere.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from forgetest.errors import UserError


def make(path: Path) -> None:
    """Create the folder unless it exists, and check it. The folder above it must exist."""
    try:
        path.mkdir()
    except FileExistsError:
        check(path)


def make_below(folder: Path, path: Path) -> None:
    """Create `path`, which is below `folder`, with all folders between them, and check each of them."""
    for name in path.relative_to(folder).parts:
        folder /= name
        make(folder)


def check(path: Path) -> None:
    """Raise UserError for a link, for anything else that is no folder, and for a folder of another user."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise UserError(f"{path}: a symbolic link, not a folder of ours; nothing is written through it: remove it")
    if not stat.S_ISDIR(found.st_mode):
        raise UserError(f"{path}: in the way, because it is not a folder; remove it")
    # whoever owns the folder above could replace this one anyway, and on some file systems files get another owner
    if found.st_uid not in (os.geteuid(), path.parent.stat().st_uid):
        raise UserError(f"{path}: a folder of another user; choose another place, or make it yours")
