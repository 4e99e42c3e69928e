"""User and group ids of a single thread, so that root can start a process as another user without a helper program."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
from collections.abc import Iterator

from forgetest.errors import MachineryError
from forgetest.sandboxes import libc

_SYSTEM_CALLS = {
    "setgroups": {"x86_64": 116, "aarch64": 159},
    "setresgid": {"x86_64": 119, "aarch64": 149},
    "setresuid": {"x86_64": 117, "aarch64": 147},
}
_UNCHANGED = -1


@contextlib.contextmanager
def run_thread_as(user: int) -> Iterator[None]:
    """Give this thread, which is root's, the ids of `user` and a group of the same number, and no other group.

    The saved ids stay root's, so that the thread can switch back; a program started meanwhile loses them on exec.
    The supplementary groups are not restored, so the thread must be one that does not need them.
    """
    _checked_call("setgroups", 0, None)
    try:
        _checked_call("setresgid", user, user, _UNCHANGED)
        _checked_call("setresuid", user, user, _UNCHANGED)
        yield
    finally:
        _checked_call("setresuid", 0, 0, _UNCHANGED)
        _checked_call("setresgid", 0, 0, _UNCHANGED)


@contextlib.contextmanager
def access_files_as(user: int | None) -> Iterator[None]:
    """Give this thread the real and file-system ids of the sandbox's user; None changes nothing.

    Root in a container may not have the capabilities to inspect another user's process.
    """
    if user is None:
        yield
        return
    library = libc.load()
    try:
        _set_real_ids(user)
        library.setfsgid(user)
        library.setfsuid(user)
        yield
    finally:
        # in this order: only setfsuid gives back the capabilities that it took
        library.setfsuid(0)
        library.setfsgid(0)
        _set_real_ids(0)


def _set_real_ids(number: int) -> None:
    for name in ("setresgid", "setresuid"):
        if _raw_call(name, number, _UNCHANGED, _UNCHANGED) != 0:
            raise OSError(ctypes.get_errno(), "changing the ids of a thread")


def _checked_call(name: str, *arguments: int | None) -> None:
    if _raw_call(name, *arguments) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise MachineryError(f"root needs the right to start processes as another user: {name}: {reason}")


def _raw_call(name: str, *arguments: int | None) -> int:
    # by number: the functions of libc change the ids of every thread
    converted = [ctypes.c_void_p(None) if value is None else ctypes.c_int(value) for value in arguments]
    return int(libc.load().syscall(ctypes.c_long(_SYSTEM_CALLS[name][platform.machine()]), *converted))
