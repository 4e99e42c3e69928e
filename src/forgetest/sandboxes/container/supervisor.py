"""Stands between forgetest and one container: starts it, lets its first process in, tells how it ended.

Given to a Python as text, so it knows nothing but the standard library. `attend.py ORDERS FOLDER ENGINE…`: ORDERS is
JSON, FOLDER is where the gate is, and the rest is what starts the container. Its own input and outputs become the
command's. Should it die, a guard that it has left behind ends the container.
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
    """A process of its own that kills the container as soon as nobody attends to it any more."""

    def __init__(self, otherwise: list[str]) -> None:
        """`otherwise`: what ends the container where it belongs to somebody whom we may not signal."""
        hears, self._tells = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.setsid()
            os.dup2(hears, 0)
            os.closerange(1, 1 << 16)
            for _ in (1, 2):
                os.open("/dev/null", os.O_WRONLY)
            watch(otherwise)
            os._exit(0)
        os.close(hears)

    def look_after(self, first: int) -> None:
        """From now on there is somebody to be killed."""
        os.write(self._tells, f"{first}\n".encode())

    def dismiss(self) -> None:
        """The container has ended."""
        os.write(self._tells, b".")
        os.close(self._tells)
        os.waitpid(self._process, 0)


def watch(otherwise: list[str]) -> None:
    """What the guard does."""
    heard, first = b"", -1
    while chunk := os.read(0, 64):
        heard += chunk
        if first < 0 and b"\n" in heard:
            first = os.pidfd_open(int(heard.partition(b"\n")[0]))
    if heard.endswith(b".") or first < 0:
        return
    try:
        signal.pidfd_send_signal(first, signal.SIGKILL)
    except ProcessLookupError:
        return
    except PermissionError:
        os.execv(otherwise[0], otherwise)  # noqa: S606


def identity(visitor: socket.socket) -> tuple[int, int]:
    """The process and the user at the other end, as the kernel knows them."""
    process, user, _ = struct.unpack("=iii", visitor.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return process, user


def give_up(reason: str) -> NoReturn:
    """Say why there is no container, and end."""
    os.write(2, reason.encode(errors="replace") + b"\n")
    os._exit(1)


def admitted(door: socket.socket, engine: subprocess.Popen[bytes], complaints: int, user: int) -> socket.socket:
    """The first process, when it has come; somebody else, who has found the way here, is sent away."""
    ended = os.pidfd_open(engine.pid)
    while door.fileno() in select.select([door.fileno(), ended], [], [])[0]:
        visitor = door.accept()[0]
        if identity(visitor)[1] == user:
            os.close(ended)
            return visitor
        visitor.close()
    code = engine.wait()
    said = os.pread(complaints, 65536, 0).decode(errors="replace").strip().splitlines()
    said = [line for line in said if "rror" in line] or said  # some add where help is to be found
    give_up(said[-1] if said else f"the container ended with {code}, and nobody of it had come to the gate")


def heard_from(visitor: socket.socket, first: int, line: socket.socket) -> list[str]:
    """What the first process said until it ended, or became the command; the folder that it shows is passed on."""
    said = b""
    while b"exit " not in said and b"signal " not in said:
        if visitor.fileno() not in select.select([visitor.fileno(), first], [], [])[0]:
            break
        try:
            chunk, descriptors, _, _ = socket.recv_fds(visitor, 4096, 1)
        except ConnectionResetError:
            break
        if descriptors:
            socket.send_fds(line, [b"folder\n"], descriptors)
            os.close(descriptors[0])
        elif not chunk:
            break
        else:
            said += chunk
    if b"failed" not in said and b"exit " not in said and b"signal " not in said:
        select.select([first], [], [])  # it has become the command
    return said.decode(errors="replace").splitlines()


def main() -> None:
    """Attend to one container."""
    orders, folder, words = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.chdir(folder)  # the name of a socket must be short
    door = socket.socket(socket.AF_UNIX)
    door.bind("socket")
    os.chmod("socket", 0o666)  # noqa: PTH101, S103
    door.listen(1)
    guard = Guard([*words[: words.index("run")], "kill", orders["name"]])
    complaints = os.memfd_create("complaints")
    nothing = subprocess.DEVNULL
    engine = subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=complaints, cwd="/")
    with admitted(door, engine, complaints, orders["user"]) as visitor, socket.socket(fileno=orders["line"]) as line:
        door.close()
        for name in ("socket", "init"):
            os.unlink(name)  # noqa: PTH108
        first = identity(visitor)[0]
        if first == 0:
            engine.kill()
            give_up("the engine is not on this machine, or in another container: its processes cannot be seen")
        running = os.pidfd_open(first)
        guard.look_after(first)
        os.write(orders["status"], json.dumps({"child-pid": first}).encode() + b"\n")
        while os.read(orders["gate"], 65536):
            pass
        with contextlib.suppress(OSError):  # somebody has killed it
            socket.send_fds(visitor, [b"!"], [0, 1, 2, orders["orders"]])
        for stream in (0, 1, 2):
            os.dup2(complaints, stream)
        said = heard_from(visitor, running, line)
        line.sendall(b"ended\n")
        code = engine.wait()
        line.sendall("".join(f"{word}\n" for word in (*said, f"engine {code}")).encode(errors="replace"))
        guard.dismiss()


main()
