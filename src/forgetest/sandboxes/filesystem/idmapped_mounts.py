"""Shows the sandbox's user what only its owner may read: a toolchain that root installed for itself, say.

By a mount of its own on which the owner's files are the user's, read-only (Linux 5.12 or later). Nothing is copied,
and nobody else sees it. Where a filesystem has no such mounts, there is a readable copy (see `copies.py`).
"""

from __future__ import annotations

import ctypes
import itertools
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from forgetest.sandboxes.process import thread_ids

_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_AT_FDCWD, _AT_EMPTY_PATH = -100, 0x1000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _MOVE_MOUNT_F_EMPTY_PATH = 1, os.O_CLOEXEC, 4
_RDONLY, _NOSUID, _NODEV, _IDMAP = 1, 2, 4, 0x00100000
_ENTRIES = 5000
"""How many files of a folder are looked at: more than the parts of a toolchain have that a sample sees."""
_SYSTEM = frozenset({"/", "/usr", "/usr/local", "/usr/bin", "/usr/lib", "/usr/lib64", "/etc", "/opt", "/home", "/var"})
"""In these, what only root may read is root's own: shown to nobody."""

_WAIT_IN_A_NAMESPACE = """
import ctypes, os, sys
if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) != 0:
    sys.exit(1)
os.write(1, b"x")
os.read(0, 1)
"""


def owners(path: Path, user: int) -> set[tuple[int, int]]:
    """Whom what the user cannot read of a file or folder belongs to, with their groups; nobody, if it can be read."""
    seen = itertools.islice(_statuses(path), _ENTRIES)
    return {(status.st_uid, status.st_gid) for status in seen if _is_closed(status, user)}


def is_closed(path: Path, user: int) -> bool:
    """Whether the user can read nothing of it."""
    return _is_closed(path.stat(), user)


def _is_closed(status: os.stat_result, user: int) -> bool:
    wanted = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else stat.S_IROTH
    return status.st_mode & wanted != wanted and status.st_uid != user


def _statuses(path: Path) -> Iterator[os.stat_result]:
    """Of a file, or of a folder and all in it, the outermost first; links lead elsewhere, and are left out."""
    yield path.stat()
    folders = [path] if path.is_dir() and str(path.resolve()) not in _SYSTEM else []
    while folders:
        with os.scandir(folders.pop(0)) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                if not entry.is_symlink():
                    yield entry.stat(follow_symlinks=False)
                    if entry.is_dir():
                        folders.append(Path(entry.path))


def lend(source: Path, target: Path, owner: tuple[int, int], user: int) -> None:
    """Mount `source` on `target`, read-only, the owner's files as the user's; raises OSError where that cannot be."""
    namespace = _namespace(owner, user)
    try:
        flags = ctypes.c_uint(_OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC)
        tree = _call(_OPEN_TREE, ctypes.c_int(_AT_FDCWD), os.fsencode(source), flags)
        try:
            attributes = (ctypes.c_uint64 * 4)(_IDMAP | _RDONLY | _NOSUID | _NODEV, 0, 0, namespace)
            size = ctypes.c_size_t(ctypes.sizeof(attributes))
            _call(_MOUNT_SETATTR, ctypes.c_int(tree), b"", ctypes.c_uint(_AT_EMPTY_PATH), attributes, size)
            place = (ctypes.c_int(_AT_FDCWD), os.fsencode(target))
            _call(_MOVE_MOUNT, ctypes.c_int(tree), b"", *place, ctypes.c_uint(_MOVE_MOUNT_F_EMPTY_PATH))
        finally:
            os.close(tree)
    finally:
        os.close(namespace)


def _namespace(owner: tuple[int, int], user: int) -> int:
    """A user namespace in which the owner is the user: that is how the kernel is told of it."""
    words = [sys.executable, "-I", "-S", "-c", _WAIT_IN_A_NAMESPACE]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin
        assert process.stdout
        if process.stdout.read(1) != b"x":
            raise OSError("no user namespace can be made")
        for name, number in zip(("uid_map", "gid_map"), owner, strict=True):
            Path(f"/proc/{process.pid}/{name}").write_text(f"{number} {user} 1")
        return os.open(f"/proc/{process.pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)


def _call(number: int, *arguments: object) -> int:
    result = int(thread_ids.libc().syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
