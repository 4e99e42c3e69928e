"""Advisory file locks between processes (flock); the kernel releases one when its holder ends, however it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock of a lock file, which is created if need be; wait for its holder.

    A file that is replaced while it is guarded needs a lock file of its own: a lock stays with the old file.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Lock an open file or folder until its descriptor is closed; return False if another process holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def share(descriptor: int) -> None:
    """Hold a shared lock of an open file or folder until its descriptor is closed."""
    fcntl.flock(descriptor, fcntl.LOCK_SH)


def release(descriptor: int) -> None:
    """Release the lock of an open file or folder, which stays open."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
