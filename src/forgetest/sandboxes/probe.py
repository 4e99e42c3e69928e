"""Proves what a sandbox holds back: runs a program in it that tries to break each promise.

The program is ours and honest; it reports what it managed to do.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from forgetest.errors import MachineryError
from forgetest.verdict import Limits, Mount, Step

if TYPE_CHECKING:
    from forgetest.sandboxes import Sandbox

_PREFIX = "/python"
_ATTEMPTS = r"""
import ctypes, json, os, socket, sys
port, canary, home, host_pid = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
libc = ctypes.CDLL(None, use_errno=True)

def reach(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.settimeout(2)
        connection.connect(address)

def write(path):
    with open(path, "w") as file:
        file.write("x")

def allocate():
    bytearray(3 << 30)

def see_others():
    if os.getpid() <= 2:
        raise OSError("the first processes of a namespace: nobody else is in it")

def fill():
    with open("/tmp/fill", "wb") as file:
        for _ in range(256):
            file.write(bytes(1 << 20))

def system_call(name, *arguments):
    if getattr(libc, name)(*arguments) != 0:
        raise OSError(ctypes.get_errno(), name)

breaches = {
    "network": [lambda: reach(socket.AF_INET, ("127.0.0.1", port)),
                lambda: reach(socket.AF_UNIX, "\0forgetest-probe-%d" % host_pid)],
    "files": [lambda: open(canary).close(), lambda: os.listdir(home), lambda: open("/etc/passwd").close(),
              lambda: os.listdir("/proc")],
    "writing": [lambda: write("/x-written"), lambda: write("/usr/x-written"), lambda: write("/etc/x-written")],
    "environment": [lambda: (set(os.environ) - {"PWD", "LC_CTYPE"}).pop()],  # bwrap and Python set these two
    "processes": [see_others],
    "devices": [lambda: open("/dev/kmsg").close(), lambda: open("/dev/mem").close(), lambda: os.listdir("/dev/shm")],
    "privileges": [lambda: system_call("mount", b"none", b"/tmp", b"tmpfs", 0, None),
                   lambda: system_call("chroot", b"/tmp"), lambda: system_call("sethostname", b"x", 1)],
    "namespaces": [lambda: system_call("unshare", 0x10000000)],
    "memory": [allocate],
    "disk": [fill],
}

def held(attempt):
    try:
        attempt()
    except (OSError, KeyError, MemoryError):
        return True
    return False

print(json.dumps({promise: all([held(attempt) for attempt in attempts]) for promise, attempts in breaches.items()}))
"""


def attempt_everything(sandbox: Sandbox) -> Mapping[str, bool]:
    """Each promise, and whether every attempt to break it failed."""
    prefix = os.path.realpath(sys.base_prefix)
    interpreter = f"{_PREFIX}/{Path(sys.executable).resolve().relative_to(prefix)}"
    system = [path for path in ("/usr", "/lib", "/lib64") if Path(path).exists()]
    mounts = [Mount(source=os.path.realpath(path), target=path) for path in system]
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX) as abstract,
        tempfile.NamedTemporaryFile() as canary,
    ):
        abstract.bind(f"\0forgetest-probe-{os.getpid()}")
        abstract.listen()
        arguments = (str(listener.getsockname()[1]), canary.name, str(Path.home()), str(os.getpid()))
        step = Step(
            name="probe",
            argv=(interpreter, "-I", "-S", "-c", _ATTEMPTS, *arguments),
            mounts=(*mounts, Mount(source=prefix, target=_PREFIX)),
            limits=Limits(cpu_s=20, wall_s=60, memory_bytes=2 << 30),
            workdir=False,
        )
        execution = sandbox.run(step)
    if not execution.succeeded:
        told = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(f"the sandbox could not be probed: {told[-1] if told else execution.ended}")
    return msgspec.json.decode(execution.stdout, type=dict[str, bool])
