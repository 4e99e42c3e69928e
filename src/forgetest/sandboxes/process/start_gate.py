"""Stops a bwrap when its sandbox is made and nothing runs in it yet: the moment to set limits and to look in.

bwrap copies a "file" into the sandbox that is in truth a full pipe. As soon as the pipe is not full any more,
bwrap has come so far; until its other end is closed, bwrap reads on.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
from collections.abc import Iterator, Mapping

import msgspec

from forgetest.sandboxes.process import thread_ids

_SET_REAL_IDS = {"x86_64": (119, 117), "aarch64": (149, 147)}
"""The system calls setresgid and setresuid."""


class Gate:
    """The pipe. `far` is for bwrap; `near` becomes writable when bwrap is there."""

    def __init__(self) -> None:
        self.far, near = os.pipe()
        with contextlib.suppress(OSError):  # where it cannot be made smaller, there is more to write
            fcntl.fcntl(near, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(near, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(near, bytes(65536))
        self.near = os.fdopen(near, "wb", buffering=0)


def told(status: bytes) -> dict[str, int]:
    """What bwrap says of itself, in whole lines: one that is killed may leave half of its last."""
    found: dict[str, int] = {}
    for line in status[: status.rfind(b"\n") + 1].splitlines():
        found |= msgspec.json.decode(line, type=dict[str, int])
    return found


def first_process(status: bytes) -> int:
    """The number of the sandbox's process 1 on the host, from what bwrap says of itself; 0 if it said nothing."""
    return told(status).get("child-pid", 0)


def limit(pid: int, limits: Mapping[int, tuple[int, int]], user: int | None) -> None:
    """Set resource limits of the process that waits, so that each sandbox is counted by itself."""
    with _acting_as(user):
        offer(pid)
        for which, (soft, hard) in limits.items():
            allowed = resource.prlimit(pid, which)[1]
            most = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
            resource.prlimit(pid, which, (min(soft, most), most))


def offer(pid: int) -> None:
    """Let the kernel end this, and not forgetest, where the whole machine runs out of memory."""
    with contextlib.suppress(OSError):  # where it may not be said, chance decides
        descriptor = os.open(f"/proc/{pid}/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, b"1000")
        finally:
            os.close(descriptor)


def open_folder(pid: int, folder: str, user: int | None) -> int:
    """A folder of the sandbox; it stays readable through this descriptor when all else of the sandbox is gone."""
    with _acting_as(user):
        return os.open(f"/proc/{pid}/root/newroot{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


@contextlib.contextmanager
def _acting_as(user: int | None) -> Iterator[None]:
    """Let this thread alone have the ids of the sandbox's user: root in a container may lack the right without."""
    if user is None:
        yield
        return
    libc = thread_ids.libc()
    try:
        _set_real_ids(libc, user)
        libc.setfsgid(user)
        libc.setfsuid(user)
        yield
    finally:
        # in this order: only setfsuid gives back the capabilities that it took
        libc.setfsuid(0)
        libc.setfsgid(0)
        _set_real_ids(libc, 0)


def _set_real_ids(libc: ctypes.CDLL, number: int) -> None:
    keep = ctypes.c_int(-1)
    for call in _SET_REAL_IDS[platform.machine()]:
        # by number: the functions of libc change the ids of every thread
        if libc.syscall(ctypes.c_long(call), ctypes.c_int(number), keep, keep) != 0:
            raise OSError(ctypes.get_errno(), "changing the ids of a thread")
