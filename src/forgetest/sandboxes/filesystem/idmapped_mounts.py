"""Id-mapped mounts: show the sandbox's user files that only their owner may read, such as root's own toolchain.

On such a mount, which is read-only, the owner's files belong to the sandbox's user (Linux 5.12 or later). Nothing is
copied, and nobody else sees the mount. `readable_copies` is for file systems that do not support it.
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

from forgetest.sandboxes import libc

_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442
_AT_FDCWD, _AT_EMPTY_PATH = -100, 0x1000
_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _MOVE_MOUNT_F_EMPTY_PATH = 1, os.O_CLOEXEC, 4
_RDONLY, _NOSUID, _NODEV, _IDMAP = 1, 2, 4, 0x00100000
_MAX_ENTRIES = 5000
"""Files of a folder that are examined: more than the parts of a toolchain that a sample sees."""
SYSTEM_FOLDERS = frozenset(
    {"/", "/usr", "/usr/local", "/usr/bin", "/usr/lib", "/usr/lib64", "/etc", "/opt", "/home", "/var"}
)
"""Files in these that only root may read are secrets, and are never shown to a sandbox."""

_WAIT_IN_A_NAMESPACE = """
import ctypes, os, sys
if ctypes.CDLL(None, use_errno=True).unshare(0x10000000) != 0:
    sys.exit(1)
os.write(1, b"x")
os.read(0, 1)
"""


def unreadable_owners(path: Path, user: int) -> set[tuple[int, int]]:
    """Owners (user and group) of everything in a file or folder that `user` cannot read; empty if all is readable."""
    statuses = itertools.islice(_tree_statuses(path), _MAX_ENTRIES)
    return {(status.st_uid, status.st_gid) for status in statuses if _is_unreadable(status, user)}


def is_unreadable(path: Path, user: int) -> bool:
    """True if the user cannot open the file or folder itself."""
    return _is_unreadable(path.stat(), user)


def _is_unreadable(status: os.stat_result, user: int) -> bool:
    wanted = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else stat.S_IROTH
    return status.st_mode & wanted != wanted and status.st_uid != user


def _tree_statuses(path: Path) -> Iterator[os.stat_result]:
    """The status of a file, or of a folder and everything in it, outermost first. Links are left out."""
    yield path.stat()
    folders = [path] if path.is_dir() and str(path.resolve()) not in SYSTEM_FOLDERS else []
    while folders:
        with os.scandir(folders.pop(0)) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if not entry.is_symlink():
                    yield entry.stat(follow_symlinks=False)
                    if entry.is_dir():
                        folders.append(Path(entry.path))


def mount(source: Path, target: Path, owner: tuple[int, int], user: int) -> None:
    """Mount `source` on `target`, read-only, with the owner's files as the user's; raises OSError if unsupported."""
    namespace = _open_user_namespace(owner, user)
    try:
        flags = ctypes.c_uint(_OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC)
        tree = _numbered_call(_OPEN_TREE, ctypes.c_int(_AT_FDCWD), os.fsencode(source), flags)
        try:
            attributes = (ctypes.c_uint64 * 4)(_IDMAP | _RDONLY | _NOSUID | _NODEV, 0, 0, namespace)
            size = ctypes.c_size_t(ctypes.sizeof(attributes))
            _numbered_call(_MOUNT_SETATTR, ctypes.c_int(tree), b"", ctypes.c_uint(_AT_EMPTY_PATH), attributes, size)
            destination = (ctypes.c_int(_AT_FDCWD), os.fsencode(target))
            _numbered_call(_MOVE_MOUNT, ctypes.c_int(tree), b"", *destination, ctypes.c_uint(_MOVE_MOUNT_F_EMPTY_PATH))
        finally:
            os.close(tree)
    finally:
        os.close(namespace)


def _open_user_namespace(owner: tuple[int, int], user: int) -> int:
    """Open a user namespace that maps the owner to the user: the kernel takes the mapping from there."""
    argv = [sys.executable, "-I", "-S", "-c", _WAIT_IN_A_NAMESPACE]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin
        assert process.stdout
        if process.stdout.read(1) != b"x":
            raise OSError("no user namespace can be made")
        for name, number in zip(("uid_map", "gid_map"), owner, strict=True):
            Path(f"/proc/{process.pid}/{name}").write_text(f"{number} {user} 1")
        return os.open(f"/proc/{process.pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)


def _numbered_call(number: int, *arguments: object) -> int:
    result = int(libc.load().syscall(ctypes.c_long(number), *arguments))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result
