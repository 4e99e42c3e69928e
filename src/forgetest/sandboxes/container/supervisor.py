"""Stands between forgetest and one container: starts it, lets its first process begin, and reports how it ended.

Passed to a Python interpreter as text, so it uses nothing but the standard library.
`supervisor.py CONFIGURATION FOLDER ENGINE…`: CONFIGURATION is JSON, FOLDER is that of the start gate, and the rest is
the command that starts the container. Its own input and outputs become the command's. Should the supervisor die, a
guard that it has left behind kills the container.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
from typing import NoReturn

PR_SET_PDEATHSIG = 1


class Guard:
    """A separate process that kills the container as soon as its supervisor is gone."""

    def __init__(self, kill_command: list[str]) -> None:
        """`kill_command` ends the container where we may not signal its processes."""
        reader, self._writer = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.setsid()
            os.dup2(reader, 0)
            os.closerange(1, 1 << 16)
            for _ in (1, 2):
                os.open("/dev/null", os.O_WRONLY)
            wait_and_kill(kill_command)
            os._exit(0)
        os.close(reader)

    def watch(self, first: int) -> None:
        """Name the container's first process, which is to be killed."""
        os.write(self._writer, f"{first}\n".encode())

    def dismiss(self) -> None:
        """End the guard, because the container has ended."""
        os.write(self._writer, b".")
        os.close(self._writer)
        os.waitpid(self._process, 0)


def wait_and_kill(kill_command: list[str]) -> None:
    """Wait until the supervisor is gone, and kill the container unless it has ended: the guard's work."""
    received, first = b"", -1
    while chunk := os.read(0, 64):
        received += chunk
        if first < 0 and b"\n" in received:
            first = os.pidfd_open(int(received.partition(b"\n")[0]))
    if received.endswith(b".") or first < 0:
        return
    try:
        signal.pidfd_send_signal(first, signal.SIGKILL)
    except ProcessLookupError:
        return
    except PermissionError:
        os.execv(kill_command[0], kill_command)  # noqa: S606


def peer(connection: socket.socket) -> tuple[int, int]:
    """Return process and user at the other end, as the kernel knows them."""
    process, user, _ = struct.unpack("=iii", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return process, user


def give_up(reason: str) -> NoReturn:
    """Report why there is no container, and end."""
    os.write(2, reason.encode(errors="replace") + b"\n")
    os._exit(1)


def accept_init(listener: socket.socket, engine: subprocess.Popen[bytes], errors: int, user: int) -> socket.socket:
    """Wait for the container's first process to connect; anybody else who connects is turned away."""
    ended = os.pidfd_open(engine.pid)
    while listener.fileno() in select.select([listener.fileno(), ended], [], [])[0]:
        connection = listener.accept()[0]
        if peer(connection)[1] == user:
            os.close(ended)
            return connection
        connection.close()
    code = engine.wait()
    lines = os.pread(errors, 65536, 0).decode(errors="replace").strip().splitlines()
    lines = [line for line in lines if "rror" in line] or lines  # some engines add where to find help
    give_up(lines[-1] if lines else f"the container ended with {code} before its first process had connected")


def relay_report(init: socket.socket, first: int, forgetest: socket.socket) -> list[str]:
    """Return what the first process reports until it ends or becomes the command; pass its work folder on."""
    report = b""
    while b"exit " not in report and b"signal " not in report:
        if init.fileno() not in select.select([init.fileno(), first], [], [])[0]:
            break
        try:
            chunk, descriptors, _, _ = socket.recv_fds(init, 4096, 1)
        except ConnectionResetError:
            break
        if descriptors:
            socket.send_fds(forgetest, [b"folder\n"], descriptors)
            os.close(descriptors[0])
        elif not chunk:
            break
        else:
            report += chunk
    if b"failed" not in report and b"exit " not in report and b"signal " not in report:
        select.select([first], [], [])  # it has become the command
    return report.decode(errors="replace").splitlines()


def main() -> None:
    """Supervise one container."""
    configuration, folder, command = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.chdir(folder)  # the name of a socket must be short
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("socket")
    os.chmod("socket", 0o666)  # noqa: PTH101, S103
    listener.listen(1)
    guard = Guard([*command[: command.index("run")], "kill", configuration["name"]])
    errors = os.memfd_create("errors")
    nothing = subprocess.DEVNULL
    engine = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=errors, cwd="/")
    with (
        accept_init(listener, engine, errors, configuration["user"]) as init,
        socket.socket(fileno=configuration["connection"]) as forgetest,
    ):
        listener.close()
        for name in ("socket", "init"):
            os.unlink(name)  # noqa: PTH108
        first = peer(init)[0]
        if first == 0:
            engine.kill()
            give_up("the engine is not on this machine, or in another container: its processes cannot be seen")
        running = os.pidfd_open(first)
        guard.watch(first)
        os.write(configuration["status"], json.dumps({"child-pid": first}).encode() + b"\n")
        while os.read(configuration["gate"], 65536):
            pass
        with contextlib.suppress(OSError):  # somebody has killed it
            socket.send_fds(init, [b"!"], [0, 1, 2, configuration["instructions"]])
        for stream in (0, 1, 2):
            os.dup2(errors, stream)
        report = relay_report(init, running, forgetest)
        forgetest.sendall(b"ended\n")
        code = engine.wait()
        forgetest.sendall("".join(f"{line}\n" for line in (*report, f"engine {code}")).encode(errors="replace"))
        guard.dismiss()


main()
