"""A seccomp filter against system calls that no honest compiler or sample needs.

It is a deny list rather than an allow list: compilers and their libraries change the calls they make, and isolation
comes from the namespaces. Refused are calls in which kernel vulnerabilities were found, and calls that would get
around a limit: memory that no process maps, access to other processes, sockets other than Unix sockets (and TCP and
UDP, for a step with a loopback of its own). `sync` is refused because it concerns the whole host. A call that is newer
than this list is reported as missing, until somebody has looked at it.
"""

from __future__ import annotations

import platform
import struct
from typing import Literal

from forgetest.errors import UserError

REFUSED = {
    # name: number on (x86_64, aarch64)
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_cancel": (210, 3),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_pgetevents": (333, 292),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "listmount": (458, 458),
    "lookup_dcookie": (212, 18),
    "lsm_get_self_attr": (459, 459),
    "lsm_list_modules": (461, 461),
    "lsm_set_self_attr": (460, 460),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "semget": (64, 190),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "splice": (275, 76),
    "statmount": (457, 457),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "syslog": (103, 116),
    "tee": (276, 77),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
    "vmsplice": (278, 75),
}
NEWEST_CALL = 469
"""`file_setattr` of Linux 6.17, the newest call that was looked at; new calls have the same number everywhere."""
_UNUSED = ((337, 423), (295, 423))
"""First and last of the numbers that no call has had so far, on (x86_64, aarch64)."""
_CLONE = (56, 220)
_CLONE3 = 435
_SOCKET = (41, 198)
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_NEW_NAMESPACES = 0x7E020000
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_STREAM, _DATAGRAM, _KIND_OF_SOCKET = 1, 2, 0xF
_ANY_PROTOCOL, _TCP, _UDP = 0, 6, 17
_X32 = 0x40000000

_LOAD, _RETURN, _EQUAL, _AT_LEAST, _ANY_BIT, _AND = 0x20, 0x06, 0x15, 0x35, 0x45, 0x54
_ALLOW, _KILL, _EPERM, _ENOSYS, _EPROTONOSUPPORT = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026, 0x0005005D
_NUMBER, _ARCHITECTURE, _ARGUMENT_0, _ARGUMENT_1, _ARGUMENT_2 = 0, 4, 16, 24, 32

_Instruction = tuple[int, int, int, int]

Sockets = Literal["none", "unix", "unix, tcp, udp"]
"""What sockets can be made. Without namespaces they would all be the host's."""


def program(machine: str | None = None, *, sockets: Sockets = "unix") -> bytes:
    """Return the filter for a machine (this one by default) in the form that the kernel and `bwrap --seccomp` take."""
    machine = machine or platform.machine()
    if machine not in _ARCHITECTURES:
        raise UserError(
            f"the sandbox supports {', '.join(_ARCHITECTURES)}; the system calls of {machine} are not known to it"
        )
    column, architecture = _ARCHITECTURES[machine]
    instructions = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":
        instructions += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _EPERM)]
    # libraries try new calls and do without them if they are missing, but not if they are forbidden
    first, last = _UNUSED[column]
    instructions += [(_AT_LEAST, 0, 1, NEWEST_CALL + 1), (_RETURN, 0, 0, _ENOSYS)]
    instructions += [(_AT_LEAST, 0, 2, first), (_AT_LEAST, 1, 0, last + 1), (_RETURN, 0, 0, _ENOSYS)]
    for numbers in REFUSED.values():
        if (number := numbers[column]) is not None:
            instructions += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _EPERM)]
    # clone3 hides its flags behind a pointer; when it is reported missing, libc falls back to clone
    instructions += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _ENOSYS)]
    instructions += [
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _ARGUMENT_0),
        (_ANY_BIT, 0, 1, _NEW_NAMESPACES),
        (_RETURN, 0, 0, _EPERM),
        (_RETURN, 0, 0, _ALLOW),
        (_EQUAL, 1, 0, _SOCKET[column]),
        (_RETURN, 0, 0, _ALLOW),
        *_allow_sockets(sockets),
    ]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)


def _allow_sockets(sockets: Sockets) -> list[_Instruction]:
    """Return the end of the filter, for the call `socket`."""
    instructions: list[_Instruction] = [(_LOAD, 0, 0, _ARGUMENT_0)]
    if sockets != "none":
        instructions += [(_EQUAL, 0, 1, _AF_UNIX), (_RETURN, 0, 0, _ALLOW)]
    if sockets == "unix, tcp, udp":
        # of other kinds and protocols, the kernel would load modules that hardly anybody uses
        instructions += [
            (_EQUAL, 2, 0, _AF_INET),
            (_EQUAL, 1, 0, _AF_INET6),
            (_RETURN, 0, 0, _EPERM),
            (_LOAD, 0, 0, _ARGUMENT_1),
            (_AND, 0, 0, _KIND_OF_SOCKET),
            (_EQUAL, 1, 0, _STREAM),
            (_EQUAL, 0, 5, _DATAGRAM),
            (_LOAD, 0, 0, _ARGUMENT_2),
            (_EQUAL, 2, 0, _ANY_PROTOCOL),
            (_EQUAL, 1, 0, _TCP),
            (_EQUAL, 0, 1, _UDP),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _EPROTONOSUPPORT),
        ]
    return [*instructions, (_RETURN, 0, 0, _EPERM)]
