"""The zygote: a process that has imported what samples usually import, knows no test, and forks samples' processes."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import struct

# not `socket`, which imports much that is not needed here
from _socket import AF_UNIX, CMSG_LEN, SCM_RIGHTS, SOCK_SEQPACKET, SOL_SOCKET, socket, socketpair
from collections.abc import Sequence

from . import confine
from .link import READY
from .sample_process import DisconnectedError, SampleProcess

_MODULES = """
bisect collections copy datetime functools heapq itertools json math operator random re string typing
"""
"""Modules that samples often import; importing any of them has no effect that a sample could see."""
_START = struct.Struct("dq")
_PIPES = struct.Struct("ii")
_STARTED = struct.Struct("i")
_ENDED = struct.Struct("id")
_END = struct.Struct("i")
_ALL = 0
"""In place of the number of a process."""
_NOT_STARTED = 98


class Zygote:
    """The launcher's handle of the zygote."""

    def __init__(self, modules: Sequence[str] = ()) -> None:
        """Fork it, before the launcher has read anything, with further modules imported."""
        ours, theirs = socketpair(AF_UNIX, SOCK_SEQPACKET)
        for name in _MODULES.split():
            __import__(name)
        for name in modules:
            with contextlib.suppress(Exception):  # whoever needs it will see
                __import__(name)
        self._pid = os.fork()
        if not self._pid:
            try:
                ours.close()
                _serve(theirs)
            finally:
                os._exit(_NOT_STARTED)
        theirs.close()
        self._socket = ours

    def start_sample(self, reader: int, writer: int, *, cpu_s: float, memory_bytes: int) -> int:
        """Start a process that waits for a sample at these two pipes, and return its number."""
        pipes = [(SOL_SOCKET, SCM_RIGHTS, _PIPES.pack(reader, writer))]
        self._socket.sendmsg([_START.pack(cpu_s, memory_bytes)], pipes)
        (pid,) = _STARTED.unpack(self._socket.recv(_STARTED.size))
        return int(pid)

    def end_sample(self, pid: int) -> tuple[int, float]:
        """End a process, and return its status and its CPU time in seconds."""
        self._socket.send(_END.pack(pid))
        while len(answer := self._socket.recv(_ENDED.size)) != _ENDED.size:
            pass  # the number of a process, for somebody who did not live to read it
        status, cpu_s = _ENDED.unpack(answer)
        return status, cpu_s

    def end_all(self) -> None:
        """End every process that was started and not ended."""
        self.end_sample(_ALL)

    def close(self) -> None:
        """End the zygote."""
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _serve(link: socket) -> None:
    null = os.open("/dev/null", os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.close(null)
    confine.make_ready()
    gc.freeze()
    started: set[int] = set()
    while True:
        data, ancillary, _, _ = link.recvmsg(_START.size, CMSG_LEN(_PIPES.size))
        if not data:
            for each in started:
                _end(each)
            os._exit(0)
        if len(data) == _END.size:
            (pid,) = _END.unpack(data)
            ended = [_end(each) for each in list(started) if pid in (each, _ALL)]
            started = set() if pid == _ALL else started - {pid}
            link.send(_ENDED.pack(*(ended[0] if ended else (0, 0.0))))
            continue
        descriptors = _PIPES.unpack(ancillary[0][2])
        pid = os.fork()
        if not pid:
            try:
                _run_sample(*descriptors, *_START.unpack(data))
            finally:
                os._exit(_NOT_STARTED)
        started.add(pid)
        for each in descriptors:
            os.close(each)
        link.send(_STARTED.pack(pid))


def _end(pid: int) -> tuple[int, float]:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_utime + usage.ru_stime


def _run_sample(reader: int, writer: int, cpu_s: float, memory_bytes: int) -> None:
    """Become a sample's process. It says so when it is ready for a sample: until then, a failure is ours."""
    kept = sorted((reader, writer))
    os.closerange(3, kept[0])
    os.closerange(kept[0] + 1, kept[1])
    os.closerange(kept[1] + 1, 4096)
    confine.set_limits(memory_bytes, cpu_s)
    confine.forbid_other_processes()
    with contextlib.suppress(DisconnectedError):
        while True:
            os.write(writer, READY)
            SampleProcess(reader, writer).serve()
    os._exit(0)
