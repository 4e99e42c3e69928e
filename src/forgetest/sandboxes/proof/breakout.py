"""Runs inside a sandbox and tries to break out. It is ours, and honest: it prints what it managed to do.

Passed to a Python interpreter as text, so it uses nothing but the standard library. `breakout.py TRIAL FACTS`: FACTS
is JSON, and says what there is on the host to reach.
"""

# each attempt is explained by its name, and `os` imports faster than `pathlib`
# ruff: noqa: D103, SIM115, PTH108, PTH115, PTH123, PTH208

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Callable

Way = Callable[[], object]
"""A way to break a promise; raises OSError or MemoryError if it does not work."""

FACTS = json.loads(sys.argv[2])
LIBC = ctypes.CDLL(None, use_errno=True)
NUMBERS = {
    "x86_64": {
        "ptrace": 101,
        "keyctl": 250,
        "shmget": 29,
        "memfd_create": 319,
        "userfaultfd": 323,
        "bpf": 321,
        "io_setup": 206,
        "vmsplice": 278,
        "sync": 162,
    },
    "aarch64": {
        "ptrace": 117,
        "keyctl": 219,
        "shmget": 194,
        "memfd_create": 279,
        "userfaultfd": 282,
        "bpf": 280,
        "io_setup": 0,
        "vmsplice": 75,
        "sync": 81,
    },
}
NUMBERS_EVERYWHERE = {"io_uring_setup": 425, "statmount": 457, "lsm_list_modules": 461, "open_tree_attr": 467}
FUTURE_CALLS = 32
"""How many numbers beyond the newest known call are tried."""


def connect(family: int, address: object, kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(family, kind) as connection:
        connection.settimeout(5)
        connection.connect(address)  # type: ignore[arg-type]
        connection.send(b"x")


def own_loopback() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect(socket.AF_INET, server.getsockname())


def write(path: str) -> None:
    with open(path, "w") as file:
        file.write("x")


def look_around() -> None:
    unknown = set(os.listdir("/")) - set(FACTS["known"])
    if not unknown:
        raise OSError("nothing but what was listed")


def foreign_environment() -> None:
    if not set(os.environ) - {"PWD", "LC_CTYPE"}:  # bwrap and Python set these two
        raise OSError("nothing")


def other_devices() -> None:
    if not set(os.listdir("/dev")) - {"null", "zero", "urandom"}:
        raise OSError("no other device")


def see_others() -> None:
    if os.getppid() > 1:
        return  # its parent is visible: in a namespace of its own, that would be process 1 or nobody
    for number in {*range(2, 1 << 15)} - {os.getpid()}:  # process 1 is the sandbox's own
        with contextlib.suppress(ProcessLookupError):
            with contextlib.suppress(PermissionError):
                os.kill(number, 0)
            return
    raise OSError("nobody")


def outer_session() -> None:
    if os.getsid(0) != 0:
        raise OSError("a session of its own")


def known_user() -> None:
    if os.getuid() == os.getgid() == 65534:
        raise OSError("nobody")


def bounding_set() -> None:
    if not any(LIBC.prctl(23, number, 0, 0, 0) == 1 for number in range(41)):
        raise OSError("no capability")


def no_new_privileges() -> None:
    if LIBC.prctl(39, 0, 0, 0, 0) == 1:
        raise OSError("set")


def call(name: str, *arguments: object) -> None:
    if getattr(LIBC, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def raw_call(number: int, *arguments: int) -> None:
    if LIBC.syscall(ctypes.c_long(number), *(ctypes.c_long(argument) for argument in arguments)) < 0:
        if ctypes.get_errno() != errno.EPERM:
            return  # the kernel looked at it: the filter did not
        raise OSError(errno.EPERM, "refused")


def newer_call() -> None:
    newest = FACTS["newest_call"]
    for number in range(newest + 1, newest + 1 + FUTURE_CALLS):
        # arguments that no call accepts: nobody knows what a future call does
        failed = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6) < 0
        if not failed or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
            return
    raise OSError(errno.ENOSYS, "missing")


def fill(folder: str) -> None:
    block, names = bytes(1 << 20), [f"{folder}/{number}" for number in range(FACTS["fill_mb"])]
    try:
        for name in names:
            with open(name, "wb") as file:
                file.write(block)
    finally:
        for name in names:
            with contextlib.suppress(OSError):
                os.unlink(name)


def large_file() -> None:
    with open("/tmp/large", "wb", buffering=0) as file:
        for _ in range(FACTS["file_mb"] + 1):
            if file.write(bytes(1 << 20)) < 1 << 20:
                raise OSError(errno.EFBIG, "cut")


def many_files() -> None:
    opened = [os.open("/dev/null", os.O_RDONLY) for _ in range(FACTS["open_files"] + 1)]
    for descriptor in opened:
        os.close(descriptor)


def many_processes() -> None:
    started = []
    try:
        for _ in range(FACTS["processes"] + 1):
            child = os.fork()
            if child == 0:
                time.sleep(600)
                os._exit(0)
            started.append(child)
    finally:
        for child in started:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def walls() -> dict[str, dict[str, Way]]:
    numbers = NUMBERS[os.uname().machine] | NUMBERS_EVERYWHERE
    shown, home = FACTS["shown"], FACTS["home"]
    return {
        "network": {
            "IPv4": lambda: connect(socket.AF_INET, ("127.0.0.1", FACTS["ipv4"])),
            "IPv6": lambda: connect(socket.AF_INET6, ("::1", FACTS["ipv6"])),
            "UDP": lambda: connect(socket.AF_INET, ("127.0.0.1", FACTS["udp"]), socket.SOCK_DGRAM),
            "an abstract socket": lambda: connect(socket.AF_UNIX, "\0" + FACTS["abstract"]),
            "a Unix socket": lambda: connect(socket.AF_UNIX, FACTS["unix"]),
            "its own loopback": own_loopback,
            "a netlink socket": lambda: socket.socket(16, socket.SOCK_RAW).close(),
        },
        "files": {
            "a file in /tmp": lambda: open(FACTS["canary"]).close(),
            "home": lambda: os.listdir(home),
            "/etc/passwd": lambda: open("/etc/passwd").close(),
            "/proc": lambda: os.listdir("/proc/self"),
            "/sys": lambda: os.listdir("/sys"),
            "something in /": look_around,
        },
        "writing": {
            "into /": lambda: write("/x-written"),
            "into /usr": lambda: write("/usr/x-written"),
            "into /dev": lambda: write("/dev/x-written"),
            "into a folder that it was shown": lambda: write(f"{shown}/x-written"),
            "a link in a folder that it was shown": lambda: os.link(f"{shown}/file", f"{shown}/linked"),
        },
        "environment": {"a variable": foreign_environment},
        "processes": {
            "others in its namespace": see_others,
            "a signal to the host": lambda: os.kill(FACTS["host_pid"], 0),
            "the session it was started from": outer_session,
        },
        "devices": {"other devices": other_devices, "/dev/shm": lambda: os.listdir("/dev/shm")},
        "privileges": {
            "being a user of the host": known_user,
            "a capability to gain": bounding_set,
            "privileges by exec": no_new_privileges,
            "mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
            "chroot": lambda: call("chroot", b"/tmp"),
            "sethostname": lambda: call("sethostname", b"x", 1),
        },
        "namespaces": {
            "a user namespace": lambda: call("unshare", 0x10000000),
            "a mount namespace": lambda: call("unshare", 0x00020000),
        },
        "system_calls": {
            "ptrace": lambda: raw_call(numbers["ptrace"], 99, 0, 0, 0),
            "keyctl": lambda: raw_call(numbers["keyctl"], 0, -1, 0),
            "shmget": lambda: raw_call(numbers["shmget"], 0, 4096, 0o1600),
            "memfd_create": lambda: raw_call(numbers["memfd_create"], 0, 0),
            "io_uring_setup": lambda: raw_call(numbers["io_uring_setup"], 1, 0),
            "userfaultfd": lambda: raw_call(numbers["userfaultfd"], 1),
            "bpf": lambda: raw_call(numbers["bpf"], 0, 0, 0),
            "io_setup": lambda: raw_call(numbers["io_setup"], 0, 0),
            "vmsplice": lambda: raw_call(numbers["vmsplice"], -1, 0, 0, 0),
            "statmount": lambda: raw_call(numbers["statmount"], 0, 0, 0, 0),
            "lsm_list_modules": lambda: raw_call(numbers["lsm_list_modules"], 0, 0, 0),
            "open_tree_attr": lambda: raw_call(numbers["open_tree_attr"], -1, 0, 0, 0, 0),
            "sync": lambda: raw_call(numbers["sync"]),
            "a call that is newer than the filter": newer_call,
        },
        "memory": {"more than allowed": lambda: mmap.mmap(-1, FACTS["memory"] + 1).close()},
        "disk": {"all of /tmp": lambda: fill("/tmp"), "all of /x": lambda: fill("/x")},
        "file_size": {"a large file": large_file},
        "open_files": {"many": many_files},
        "process_count": {"many": many_processes},
    }


def shared_namespaces() -> None:
    shared = [name for name, host in FACTS["namespaces"].items() if os.readlink(f"/proc/self/ns/{name}") == host]
    if not shared:
        raise OSError("none")


def environment_of_others() -> None:
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            variables = {pair.split(b"=")[0] for pair in open(f"/proc/{process}/environ", "rb").read().split(b"\0")}
            if variables - {b"", b"PATH", b"PWD", b"LC_CTYPE"}:
                return
    raise OSError("nothing")


def others_in_proc() -> None:
    if len([name for name in os.listdir("/proc") if name.isdigit()]) <= 2:
        raise OSError("nobody else")


def through_proc() -> dict[str, dict[str, Way]]:
    return {
        "namespaces": {"one of the host's": shared_namespaces},
        "environment": {"of another process": environment_of_others},
        "processes": {"others in /proc": others_in_proc},
        "writing": {"a kernel setting": lambda: write("/proc/sys/kernel/core_pattern")},
    }


def through_loopback() -> dict[str, dict[str, Way]]:
    ways = walls()["network"]
    del ways["its own loopback"]  # that one it may have
    with contextlib.suppress(OSError):
        ways.pop("UDP")()  # sent without an error to nobody, too: the listener on the host knows
    return {"network": {**ways, "a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close()}}


def work_folder() -> dict[str, dict[str, Way]]:
    return {"disk": {"all of the work folder": lambda: fill("/w")}}


def crowd() -> None:
    """Take twice the memory that is allowed, in eight processes that stay."""
    for _ in range(8):
        if os.fork() == 0:
            taken = bytearray(FACTS["memory"] // 4)
            taken[::4096] = bytes([1]) * len(taken[::4096])
            time.sleep(600)
    time.sleep(600)


def burst() -> None:
    """Take twice the memory that is allowed, in eight processes, and end before the watcher has looked."""
    for _ in range(8):
        reading, writing = os.pipe()
        if os.fork() == 0:
            taken = bytearray(FACTS["memory"] // 4)
            taken[::4096] = bytes([1]) * len(taken[::4096])
            os.write(writing, b"x")
            time.sleep(600)
        os.close(writing)
        os.read(reading, 1)  # returns nothing if it was killed


def busy_crowd() -> None:
    """Use up CPU time in many processes, none of which uses too much."""
    while True:
        if os.fork() == 0:
            while time.process_time() < 0.3:
                pass
            os._exit(0)
        os.wait()


def daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 3)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        os._exit(0)
    os.wait()


def flood() -> None:
    while True:
        os.write(1, bytes(65536))


def works(way: Way) -> bool:
    try:
        way()
    except (OSError, MemoryError):
        return False
    return True


REPORTING_TRIALS: dict[str, Callable[[], dict[str, dict[str, Way]]]] = {
    "walls": walls,
    "through_proc": through_proc,
    "through_loopback": through_loopback,
    "work_folder": work_folder,
}
LIMIT_TRIALS: dict[str, Way] = {
    "crowd": crowd,
    "burst": burst,
    "busy_crowd": busy_crowd,
    "daemon": daemon,
    "flood": flood,
    "sleep": lambda: time.sleep(600),
}

if sys.argv[1] in LIMIT_TRIALS:
    LIMIT_TRIALS[sys.argv[1]]()
else:
    promises = REPORTING_TRIALS[sys.argv[1]]()
    print(
        json.dumps({promise: [name for name, way in ways.items() if works(way)] for promise, ways in promises.items()})
    )
