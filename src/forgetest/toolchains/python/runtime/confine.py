"""What a sample's process may not do, on top of the sandbox around it: touch any other process.

The processes of one launch have the same user, so signals and the like have to be refused by number. Limits of memory
and files are set here, too.
"""

from __future__ import annotations

import ctypes
import functools
import os
import resource
import struct

_LOAD, _RETURN, _EQUAL, _AT_LEAST, _ANY_BIT = 0x20, 0x06, 0x15, 0x35, 0x45
_ALLOW, _KILL, _EPERM, _ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
_NUMBER, _ARCHITECTURE, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24
_CLONE_THREAD = 0x10000
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_SECCOMP = (317, 277)
_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38

_REFUSED = {
    # name: number on (x86_64, aarch64)
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, None),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "recvmsg": (47, 212),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "sched_setaffinity": (203, 122),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "semget": (64, 190),
    "sendmsg": (46, 211),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "setsid": (112, 157),
    "shmget": (29, 194),
    "socket": (41, 198),
    "tkill": (200, 130),
    "vfork": (58, None),
}
_OWN_PROCESS_ONLY = {"kill": (62, 129), "tgkill": (234, 131)}
_CLONE, _CLONE3, _PRLIMIT, _FCNTL = (56, 220), 435, (302, 261), (72, 25)
_SIGNALLING = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: they have signals sent to other processes."""


def set_limits(memory_bytes: int, cpu_s: float) -> None:
    """Limit memory, CPU time, files and core dumps of this process."""
    seconds = int(cpu_s) + 2  # the launcher looks more closely; this is for when it does not get to run
    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 256,
        resource.RLIMIT_FSIZE: 64 << 20,
    }
    for kind, value in limits.items():
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))


def hide_memory() -> None:
    """Keep processes of the same user from reading the memory of this one and its children, where there is a /proc."""
    if _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def forbid_other_processes() -> None:
    """Refuse system calls that make or concern other processes, or leave something for a later one."""
    column, program = _filter()
    program = program.replace(struct.pack("I", _SOME_PROCESS), struct.pack("I", os.getpid()))
    buffer = ctypes.create_string_buffer(program, len(program))
    argument = _Program(len(program) // 8, ctypes.addressof(buffer))
    if _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or _libc.syscall(_SECCOMP[column], 1, 0, ctypes.byref(argument)):
        raise OSError(ctypes.get_errno(), "seccomp")


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


_SOME_PROCESS = 0x7FFFFFF1
"""Stands for the process's own number in the filter that is made once."""


@functools.cache
def _filter() -> tuple[int, bytes]:
    """Return the column of this machine, and the filter. Made before processes are forked, it costs them nothing."""
    column, architecture = _ARCHITECTURES[os.uname().machine]
    program = _program(_SOME_PROCESS, column, architecture)
    assert program.count(struct.pack("I", _SOME_PROCESS)) == len(_OWN_PROCESS_ONLY)
    return column, program


def make_ready() -> None:
    """Do the part of `forbid_other_processes` that is the same for all processes."""
    _filter()


def _program(own: int, column: int, architecture: int) -> bytes:
    out: list[tuple[int, int, int, int]] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if column == 0:
        out += [(_AT_LEAST, 0, 1, 0x40000000), (_RETURN, 0, 0, _EPERM)]  # the x32 numbers
    for numbers in _REFUSED.values():
        number = numbers[column]
        if number is not None:
            out += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    # clone3 hides its flags behind a pointer; where it is missing, libc falls back to clone
    out += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ENOSYS)]
    out += _allow_if(_CLONE[column], _ARGUMENT_0, _ANY_BIT, _CLONE_THREAD)
    out += _allow_if(_PRLIMIT[column], _ARGUMENT_0, _EQUAL, 0)
    for numbers in _OWN_PROCESS_ONLY.values():
        out += _allow_if(numbers[column], _ARGUMENT_0, _EQUAL, own)
    out += [(_EQUAL, 0, 2 + 2 * len(_SIGNALLING), _FCNTL[column]), (_LOAD, 0, 0, _ARGUMENT_1)]
    for command in _SIGNALLING:
        out += [(_EQUAL, 0, 1, command), (_RETURN, 0, 0, _EPERM)]
    out += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("HBBI", *each) for each in out)


def _allow_if(number: int, argument: int, comparison: int, value: int) -> list[tuple[int, int, int, int]]:
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, argument),
        (comparison, 0, 1, value),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _EPERM),
    ]


_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
