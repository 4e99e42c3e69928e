"""The thread that is the parent of every sandbox.

One long-lived thread starts them all: "die with the parent" means the thread that forked. As root it has a
mount namespace of its own, in which folders that only root may enter (a toolchain in root's home) are bound
to a place where the sandbox's user may pass, and files that only root may read are lent to that user; the rest of
the machine sees nothing of it.
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

from forgetest import config
from forgetest.errors import MachineryError
from forgetest.sandboxes.filesystem import idmapped_mounts, readable_copies
from forgetest.sandboxes.process import orphans, thread_ids

_CLONE_NEWNS = 0x00020000
_MS_BIND, _MS_REC, _MS_PRIVATE = 0x1000, 0x4000, 0x40000


class Parent:
    """Starts processes from its own thread, and stages what their user cannot reach."""

    def __init__(self, *, user: int | None, becomes: bool = True) -> None:
        """`user`: the one that root's sandboxes run as; None for whoever runs this.

        `becomes`: they are started as that user. Else they turn into it by themselves, as a container's engine does.
        """
        self._user = user
        self._becomes = becomes
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox-parent")
        self._lock = threading.Lock()
        self._place: Path | None = None
        self._held = -1
        self._numbers = itertools.count()
        self._staged: dict[Path, Path] = {}
        self._reachable: dict[str, str] = {}
        self._children: weakref.WeakSet[subprocess.Popen[bytes]] = weakref.WeakSet()

    def spawn(
        self,
        start: Callable[[], subprocess.Popen[bytes]],
        within: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext,
    ) -> subprocess.Popen[bytes]:
        """Start a process as a child of this thread, which is `within` something meanwhile."""
        try:
            return self._thread.submit(self._started, start, within).result()
        except RuntimeError as error:
            raise MachineryError("the sandbox is closed") from error
        except OSError as error:
            raise MachineryError(f"the sandbox cannot be started: {error.filename or ''}: {error.strerror}") from error

    def _started(
        self,
        start: Callable[[], subprocess.Popen[bytes]],
        within: Callable[[], contextlib.AbstractContextManager[None]],
    ) -> subprocess.Popen[bytes]:
        with within(), self._as_the_user():
            child = start()
        self._children.add(child)  # by this thread: whoever has waited for its end knows them all
        return child

    def _as_the_user(self) -> contextlib.AbstractContextManager[None]:
        return (
            thread_ids.this_thread_as(self._user)
            if self._user is not None and self._becomes
            else contextlib.nullcontext()
        )

    def abandon(self) -> None:
        """End the thread alone, as a killed forgetest would: its children are to notice by themselves."""
        self._thread.shutdown(cancel_futures=True)

    def close(self) -> None:
        """Kill the children that are left, and start no other."""
        self.abandon()
        for child in list(self._children):
            child.kill()

    def staged(self, source: str) -> str:
        """A path to `source` that the sandbox's user can reach."""
        if self._user is None:
            return source
        if source not in self._reachable:  # nearly always it is there: the same few, twice a sample
            with self._lock:
                if source not in self._reachable:
                    self._reachable[source] = self._way_to(source)
        return self._reachable[source]

    def _way_to(self, source: str) -> str:
        assert self._user is not None
        path = Path(source)
        try:
            owners = idmapped_mounts.owners(path, self._user)
            if owners:
                try:
                    return str(self._thread.submit(self._lend, path, owners).result())
                except OSError:
                    # what is open but for a file here and there may do as it is, and be far too large to copy
                    if idmapped_mounts.is_closed(path, self._user):
                        path = readable_copies.readable(path.resolve(), config.cache_folder())
            blocked = _blocked_child(path)
        except OSError as error:
            raise MachineryError(f"{source} cannot be shown to a sandbox: {error.strerror or error}") from error
        if blocked is None:
            return str(path)
        if blocked not in self._staged:
            self._staged[blocked] = self._thread.submit(self._bind, blocked).result()
        return str(self._staged[blocked] / path.relative_to(blocked))

    def _lend(self, path: Path, owners: set[tuple[int, int]]) -> Path:
        """Where the sandbox's user can read what is its owner's alone."""
        assert self._user is not None
        if len({user for user, _ in owners}) > 1:
            raise OSError("a mount lends what belongs to one owner")
        target = self._new_target(path)
        try:
            idmapped_mounts.lend(path, target, next(iter(owners)), self._user)
        except OSError:
            target.rmdir() if target.is_dir() else target.unlink()
            raise
        return target

    def _bind(self, folder: Path) -> Path:
        target = self._new_target(folder)
        _call("mount", bytes(folder), bytes(target), None, _MS_BIND, None)
        return target

    def _new_target(self, source: Path) -> Path:
        """Something to mount it on, in the namespace of this thread."""
        if self._place is None:
            self._place = Path(tempfile.mkdtemp(prefix=orphans.prefix()))
            atexit.register(_remove, self._place)
            self._held = orphans.hold(self._place)
            _call("unshare", _CLONE_NEWNS)
            _call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
            _call("mount", b"tmpfs", bytes(self._place), b"tmpfs", 0, b"mode=0755")
        target = self._place / str(next(self._numbers))
        target.mkdir(mode=0o755) if source.is_dir() else target.touch()
        return target


def _blocked_child(path: Path) -> Path | None:
    """The deepest step on the way to `path` whose folder others may not enter; from there on they may."""
    for parent in path.parents:
        if not parent.stat().st_mode & stat.S_IXOTH:
            return parent / path.relative_to(parent).parts[0]
    return None


def _call(name: str, *arguments: object) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise MachineryError(f"root needs a mount namespace of its own for the sandbox: {name}: {reason}")


def _remove(place: Path) -> None:
    # in this thread's namespace it is the empty folder that nothing was ever mounted on
    place.rmdir()
