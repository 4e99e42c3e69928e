"""Zygotes for programs.

A template has imported what samples usually import. It forks a zygote for each sample, which compiles that sample and
forks each of its runs.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import struct

# not `socket`, which imports much that is not needed here
from _socket import AF_UNIX, CMSG_LEN, SCM_RIGHTS, SOCK_SEQPACKET, SOL_SOCKET, socket, socketpair
from collections.abc import Sequence
from typing import Any

from . import confine, program_process

_MODULES = """
bisect collections copy datetime decimal fractions functools heapq io itertools json linecache math operator random re
string traceback typing
"""
"""Modules that programs often import; importing any of them has no effect that a sample could see."""
_DESCRIPTOR = struct.Struct("i")
_DESCRIPTORS = struct.Struct("iii")
_STARTED = struct.Struct("i")
_ENDED = struct.Struct("id")
_PART = 1 << 15
_MOST_REQUEST = 1 << 16
_NOT_STARTED = 98


class ZygoteTemplate:
    """Forks a zygote for each sample. It has imported what samples import, and never sees the code of any."""

    def __init__(self, modules: Sequence[str]) -> None:
        """Fork it, before the launcher has read anything. `modules`: further ones to import."""
        ours, theirs = socketpair(AF_UNIX, SOCK_SEQPACKET)
        for name in _MODULES.split():
            __import__(name)
        for name in modules:
            with contextlib.suppress(Exception):  # the sample will say
                __import__(name)
        self._pid = os.fork()
        if not self._pid:
            try:
                ours.close()
                _serve_zygotes(theirs)
            finally:
                os._exit(_NOT_STARTED)
        theirs.close()
        self._socket = ours

    def start_zygote(self, code: str) -> ProgramZygote:
        """Fork a zygote, and hand it the sample's source. The one before it has to be closed."""
        self._socket.send(b"+")
        _, ancillary, _, _ = self._socket.recvmsg(1, CMSG_LEN(_DESCRIPTOR.size))
        (descriptor,) = _DESCRIPTOR.unpack(ancillary[0][2])
        link = socket(AF_UNIX, SOCK_SEQPACKET, 0, descriptor)
        content = code.encode("utf-8", "surrogatepass")
        for first in range(0, len(content), _PART):
            link.send(b"+" + content[first : first + _PART])
        link.send(b".")
        return ProgramZygote(link)

    def close(self) -> None:
        """End the template."""
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


class ProgramZygote:
    """The launcher's handle of the zygote of one sample."""

    def __init__(self, link: socket) -> None:
        self._socket = link

    @property
    def descriptor(self) -> int:
        """Readable when the run has ended."""
        return int(self._socket.fileno())

    def start(self, request: dict[str, Any], descriptors: Sequence[int]) -> int:
        """Start a run with these standard streams, and return the number of its process."""
        streams = [(SOL_SOCKET, SCM_RIGHTS, _DESCRIPTORS.pack(*descriptors))]
        self._socket.sendmsg([json.dumps(request).encode()], streams)
        (pid,) = _STARTED.unpack(self._socket.recv(_STARTED.size))
        return int(pid)

    def wait(self) -> tuple[int, float]:
        """Wait for the end of the run, and return its status and its CPU time in seconds."""
        status, used_s = _ENDED.unpack(self._socket.recv(_ENDED.size))
        return status, used_s

    def close(self) -> None:
        """End the zygote."""
        self._socket.close()


def _serve_zygotes(link: socket) -> None:
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    confine.make_ready()
    gc.collect()
    gc.freeze()
    while link.recv(1):
        theirs, ours = socketpair(AF_UNIX, SOCK_SEQPACKET)
        pid = os.fork()
        if not pid:
            try:
                link.close()
                theirs.close()
                _serve_runs(ours)
            finally:
                os._exit(_NOT_STARTED)
        ours.close()
        link.sendmsg([b"+"], [(SOL_SOCKET, SCM_RIGHTS, _DESCRIPTOR.pack(theirs.fileno()))])
        theirs.close()
        os.waitpid(pid, 0)


def _serve_runs(link: socket) -> None:
    source = b""
    while (part := link.recv(_PART + 1)) != b".":
        if not part:
            os._exit(0)
        source += part[1:]
    program = program_process.load(source.decode("utf-8", "surrogatepass"))
    gc.collect()
    gc.freeze()
    while True:
        data, ancillary, _, _ = link.recvmsg(_MOST_REQUEST, CMSG_LEN(_DESCRIPTORS.size))
        if not data:
            os._exit(0)
        descriptors = _DESCRIPTORS.unpack(ancillary[0][2])
        pid = os.fork()
        if not pid:
            status = 1
            try:
                request = json.loads(data)
                _become_run(request, descriptors)
                status = _run(program, request)
            finally:
                os._exit(status)
        for each in descriptors:
            os.close(each)
        link.send(_STARTED.pack(pid))
        _, status, usage = os.wait4(pid, 0)
        link.send(_ENDED.pack(status, usage.ru_utime + usage.ru_stime))


def _become_run(request: dict[str, Any], descriptors: Sequence[int]) -> None:
    """Become the process of a run. A failure here is ours, and ends the zygote, which the launcher notices."""
    try:
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.closerange(3, 4096)
        os.chdir(request["folder"])
        confine.set_limits(request["memory_bytes"], request["cpu_s"])
        confine.forbid_other_processes()
    except BaseException:
        os.kill(os.getppid(), signal.SIGKILL)
        raise


def _run(program: program_process.Source, request: dict[str, Any]) -> int:
    if request["call"] is None:
        return program_process.run_program(program, request["arguments"])
    return program_process.run_call(program, request["call"])
