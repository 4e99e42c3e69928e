"""Start a command within limits and, if asked to, behind Landlock and a seccomp filter; supervise it to its end.

Passed to a Python interpreter as text, so it uses nothing but the standard library: `confine.py CONFIGURATION` (JSON).
It behaves like bwrap: it reports its own process id and finally the command's exit code as JSON on a descriptor, and
it waits at the start gate, reading, before the command starts.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import resource
import signal
import stat
import sys
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 22, 36, 38
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
MAKE_CHAR, MAKE_BLOCK, IOCTL_DEV = 1 << 6, 1 << 11, 1 << 15
ALL_FILES = (1 << 16) - 1
TCP, SCOPES = 0b11, 0b11
FILE_ACCESS = EXECUTE | WRITE_FILE | READ_FILE | 1 << 14


def checked(result: int, what: str) -> int:
    """Return the result of a system call; raises OSError if it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), what)
    return result


def call(number: int, *arguments: Any) -> int:
    """Make a system call that libc has no function for."""
    return int(LIBC.syscall(ctypes.c_long(number), *arguments))


def landlock(readable: list[str], writable: list[str]) -> None:
    """Allow nothing but these paths to be opened; no TCP, and no signals or abstract sockets to the outside."""
    attributes = (ctypes.c_uint64 * 3)(ALL_FILES, TCP, SCOPES)
    size = ctypes.c_size_t(24)
    ruleset = checked(call(CREATE_RULESET, attributes, size, ctypes.c_uint32(0)), "landlock_create_ruleset")
    any_access = ALL_FILES & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)
    for path in readable:
        allow(ruleset, path, EXECUTE | READ_FILE | READ_DIR)
    for path in writable:
        allow(ruleset, path, any_access)
    for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
        allow(ruleset, device, READ_FILE | WRITE_FILE)
    checked(call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)), "landlock_restrict_self")
    os.close(ruleset)


def allow(ruleset: int, path: str, access: int) -> None:
    """Add one rule: for a file, or for everything below a folder."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
        access &= FILE_ACCESS

    class PathBeneath(ctypes.Structure):
        _pack_ = 1
        _layout_ = "ms"
        _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))

    rule = PathBeneath(access, descriptor)
    added = call(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint32(0))
    checked(added, f"landlock_add_rule {path}")
    os.close(descriptor)


def load_seccomp(program: bytes) -> None:
    """Load a seccomp filter."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    buffer = ctypes.create_string_buffer(program)
    filter_ = Program(len(program) // 8, ctypes.addressof(buffer))
    checked(LIBC.prctl(PR_SET_SECCOMP, 2, ctypes.byref(filter_), 0, 0), "seccomp")


def exec_command(configuration: dict[str, Any]) -> None:
    """Apply the limits to this process, and replace it by the command."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.chdir(configuration["folder"])
    for which, (soft, hard) in configuration["limits"]:
        allowed = resource.getrlimit(which)[1]
        hard = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
        resource.setrlimit(which, (min(soft, hard), hard))
    if configuration["confined"]:
        checked(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        landlock(configuration["readable"], configuration["writable"])
        load_seccomp(base64.b64decode(configuration["filter"]))
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    os.execve(configuration["argv"][0], configuration["argv"], configuration["env"])  # noqa: S606


def kill_descendants() -> None:
    """Kill everything the command left running: this process is the reaper, so all of it becomes its child."""
    while True:
        for task in os.listdir("/proc/self/task"):  # noqa: PTH208
            with open(f"/proc/self/task/{task}/children") as children:  # noqa: PTH123
                for child in children.read().split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(child), signal.SIGKILL)
        try:
            os.wait()
        except ChildProcessError:
            return


def main() -> None:
    """Wait at the gate, run the command, and report how it ended."""
    configuration = json.loads(sys.argv[1])
    status, gate = configuration["status"], configuration["gate"]
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.write(status, json.dumps({"child-pid": os.getpid()}).encode() + b"\n")
    while os.read(gate, 65536):
        pass
    os.close(gate)
    command = os.fork()
    if command == 0:
        os.set_inheritable(status, False)
        try:
            exec_command(configuration)
        except OSError as error:
            os.write(2, f"{configuration['argv'][0]}: {error}\n".encode())
            os.write(status, b'{"failed": 1}\n')
            os._exit(127)
    for stream in (0, 1, 2):
        os.close(stream)
    code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    kill_descendants()
    os.write(status, json.dumps({"exit-code": code if code >= 0 else 128 - code}).encode() + b"\n")


main()
