"""Another user's ids for one thread alone: what root starts for a user needs no program that changes ids first."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
from collections.abc import Iterator

from forgetest.errors import MachineryError

_CALLS = {
    "setgroups": {"x86_64": 116, "aarch64": 159},
    "setresgid": {"x86_64": 119, "aarch64": 149},
    "setresuid": {"x86_64": 117, "aarch64": 147},
}
_KEEP = -1


@contextlib.contextmanager
def this_thread_as(user: int) -> Iterator[None]:
    """Let this thread, which is root's, be the user, with a group of that number and no other, for a while.

    The saved ids stay root's, for the way back; a program that is started meanwhile loses them when it begins.
    The thread must be one that needs no further groups of root's: they are not given back.
    """
    _call("setgroups", 0, None)
    try:
        _call("setresgid", user, user, _KEEP)
        _call("setresuid", user, user, _KEEP)
        yield
    finally:
        _call("setresuid", 0, 0, _KEEP)
        _call("setresgid", 0, 0, _KEEP)


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library, which sets errno."""
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: int | None) -> None:
    # by number: the functions of libc change the ids of every thread
    words = [ctypes.c_void_p(None) if word is None else ctypes.c_int(word) for word in arguments]
    if libc().syscall(ctypes.c_long(_CALLS[name][platform.machine()]), *words) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise MachineryError(f"root needs the right to start processes as another user: {name}: {reason}")
