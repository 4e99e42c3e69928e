"""The thread that is the parent of every sandbox.

One long-lived thread starts them all, because "die with the parent" means the thread that forked. For root it has a
mount namespace of its own, in which folders that only root may enter (a toolchain in root's home) are bound to a
path that the sandbox's user can reach, and files that only root may read are id-mapped to that user; the rest of the
machine sees nothing of it.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import itertools
import os
import stat
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from forgetest.errors import MachineryError
from forgetest.sandboxes import libc, orphans
from forgetest.sandboxes.filesystem import idmapped_mounts, readable_copies
from forgetest.sandboxes.process import thread_ids
from forgetest.sandboxes.process.supervise import Popen

_CLONE_NEWNS = 0x00020000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000

ThreadContext = Callable[[], contextlib.AbstractContextManager[None]]
"""Makes a context for the thread that forks, such as membership of a cgroup."""


class Parent:
    """Starts processes from its own thread, and makes files reachable for their user."""

    def __init__(self, *, user: int | None, cache_folder: Path, switches_user: bool = True) -> None:
        """`user`: the one that root's sandboxes run as; None for whoever runs this.

        `cache_folder`: for copies of files that cannot be mounted for that user.
        `switches_user`: processes are started as that user; otherwise they switch themselves, as containers do.
        """
        self._user = user
        self._cache_folder = cache_folder
        self._switches_user = switches_user
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox-parent")
        self._lock = threading.Lock()
        self._mount_folder: Path | None = None
        self._folder_lock = -1
        self._numbers = itertools.count()
        self._bound: dict[Path, Path] = {}
        self._reachable: dict[str, str] = {}
        self._children: weakref.WeakSet[subprocess.Popen[bytes]] = weakref.WeakSet()

    def spawn(self, popen: Popen, context: ThreadContext | None = None) -> subprocess.Popen[bytes]:
        """Start a process as a child of this thread, which is in `context` meanwhile."""
        try:
            return self._thread.submit(self._spawn, popen, context or contextlib.nullcontext).result()
        except RuntimeError as error:
            raise MachineryError("the sandbox is closed") from error
        except OSError as error:
            raise MachineryError(f"the sandbox cannot be started: {error.filename or ''}: {error.strerror}") from error

    def _spawn(self, popen: Popen, context: ThreadContext) -> subprocess.Popen[bytes]:
        with context(), self._user_ids():
            child = popen()
        self._children.add(child)  # in this thread: whoever has waited for its end knows all children
        return child

    def _user_ids(self) -> contextlib.AbstractContextManager[None]:
        if self._user is None or not self._switches_user:
            return contextlib.nullcontext()
        return thread_ids.run_thread_as(self._user)

    def end_thread(self) -> None:
        """End the thread alone, as if forgetest had been killed: its children have to notice themselves."""
        self._thread.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Kill the remaining children, and start no more."""
        self.end_thread()
        for child in list(self._children):
            child.kill()

    def reachable(self, source: str) -> str:
        """Return a path to `source` that the sandbox's user can reach."""
        if self._user is None:
            return source
        if source not in self._reachable:  # usually known: the same few paths, twice a sample
            with self._lock:
                if source not in self._reachable:
                    self._reachable[source] = self._make_reachable(source, self._user)
        return self._reachable[source]

    def _make_reachable(self, source: str, user: int) -> str:
        path = Path(source)
        try:
            owners = idmapped_mounts.unreadable_owners(path, user)
            if owners:
                try:
                    return str(self._thread.submit(self._mount_idmapped, path, owners, user).result())
                except OSError:
                    # a folder with a few unreadable files may do as it is, and be far too large to copy
                    if idmapped_mounts.is_unreadable(path, user):
                        path = readable_copies.copy(path.resolve(), self._cache_folder)
            closed = _closed_ancestor(path)
        except OSError as error:
            raise MachineryError(f"{source} cannot be shown to a sandbox: {error.strerror or error}") from error
        if closed is None:
            return str(path)
        if closed not in self._bound:
            self._bound[closed] = self._thread.submit(self._bind, closed).result()
        return str(self._bound[closed] / path.relative_to(closed))

    def _mount_idmapped(self, path: Path, owners: set[tuple[int, int]], user: int) -> Path:
        if len({owner for owner, _ in owners}) > 1:
            raise OSError("an id-mapped mount has a single owner")
        target = self._make_mount_point(path)
        try:
            idmapped_mounts.mount(path, target, next(iter(owners)), user)
        except OSError:
            target.rmdir() if target.is_dir() else target.unlink()
            raise
        return target

    def _bind(self, folder: Path) -> Path:
        target = self._make_mount_point(folder)
        _libc_call("mount", bytes(folder), bytes(target), None, _MS_BIND, None)
        return target

    def _make_mount_point(self, source: Path) -> Path:
        """Make an empty file or folder to mount on, in this thread's mount namespace."""
        if self._mount_folder is None:
            self._mount_folder = Path(tempfile.mkdtemp(prefix=orphans.folder_prefix()))
            atexit.register(_remove, self._mount_folder)
            self._folder_lock = orphans.lock_folder(self._mount_folder)
            _libc_call("unshare", _CLONE_NEWNS)
            _libc_call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
            _libc_call("mount", b"tmpfs", bytes(self._mount_folder), b"tmpfs", 0, b"mode=0755")
        target = self._mount_folder / str(next(self._numbers))
        target.mkdir(mode=0o755) if source.is_dir() else target.touch()
        return target


def _closed_ancestor(path: Path) -> Path | None:
    """The deepest part of `path` in a folder that others may not enter; from there on they may."""
    for parent in path.parents:
        if not parent.stat().st_mode & stat.S_IXOTH:
            return parent / path.relative_to(parent).parts[0]
    return None


def _libc_call(name: str, *arguments: object) -> None:
    if getattr(libc.load(), name)(*arguments) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise MachineryError(f"root needs a mount namespace of its own for the sandbox: {name}: {reason}")


def _remove(folder: Path) -> None:
    # in the main thread's namespace it is an empty folder that nothing was ever mounted on
    folder.rmdir()
