"""What goes between us and the attendant of one container (`attend.py`): its orders, its end, what it says of it."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from importlib import resources

import msgspec

from forgetest.errors import MachineryError
from forgetest.sandboxes.container.engines import Place
from forgetest.sandboxes.memory import process_tree
from forgetest.sandboxes.memory.cgroup import Seat
from forgetest.sandboxes.process import start_gate
from forgetest.sandboxes.process.supervise import Finished, Supervision
from forgetest.verdict import Ending, Step

_PATIENCE_S = 120.0
"""How long an engine may take to put away a container that has ended, on a machine that is busy."""


class Attendance:
    """What goes between us and the attendant of one container."""

    def __init__(self, step: Step, all_of_them: set[Attendance], orders: bytes, seat: Seat | None) -> None:
        self.begun = False
        self.stopped = False
        """It was killed by us before it ended."""
        self.folder: int | None = None
        self._heard = b""
        self._step = step
        self._seat = seat
        self._all_of_them = all_of_them
        self._first = -1
        self._lock = threading.Lock()  # closing the sandbox kills from another thread
        self._kill: Callable[[], None] = lambda: None
        self._gate = start_gate.Gate()
        read, status = os.pipe()
        self._status = os.fdopen(read, "rb", buffering=0)
        self._line, far = socket.socketpair()
        descriptor = os.memfd_create("orders")
        with os.fdopen(os.dup(descriptor), "wb") as file:
            file.write(orders)
        self._inherited = (self._gate.far, status, far.detach(), descriptor)
        self._handed_over = False

    def __enter__(self) -> Attendance:
        self._all_of_them.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._all_of_them.discard(self)
        self._line.close()
        with self._lock:
            first, self._first = self._first, -1
        for descriptor in (self.folder, first):
            if descriptor is not None and descriptor >= 0:
                os.close(descriptor)
        if not self._handed_over:
            self._gate.near.close()
            self._status.close()
            for descriptor in self._inherited:
                os.close(descriptor)

    def attendant(self, place: Place, user: int) -> list[str]:
        """The call of the attendant, but for what starts the container; `user` is whom it is for the host."""
        numbers = dict(zip(("gate", "status", "line", "orders"), self._inherited, strict=True))
        orders = msgspec.json.encode({**numbers, "name": place.name, "user": user}).decode()
        return [os.path.realpath(sys.executable), "-I", "-S", "-c", _program(), orders, str(place.gate)]

    def supervision(self, kill: Callable[[], None]) -> Supervision:
        """What the attendant is run with, which closes the descriptors; `kill` is for where we may not."""
        self._handed_over = True
        self._kill = kill
        return Supervision(
            inherited=self._inherited, status=self._status, gate=self._gate.near, begin=self._begin, stop=self.stop
        )

    def _begin(self, status: bytes) -> Callable[[], Ending | None] | None:
        first = start_gate.first_process(status)
        if not first:
            return None
        try:
            self._first = os.pidfd_open(first)
        except ProcessLookupError:
            return None
        start_gate.offer(first)
        if self._seat:
            self._seat.admit(first)
        self.begun = True
        return process_tree.watcher(first, self._step.limits, self._seat if self._seat and self._seat.holds else None)

    def stop(self) -> None:
        """Kill the container, unless it has ended, and wait until the engine has put it away."""
        if not self.begun:
            return
        self._listen(0)
        if b"ended\n" not in self._heard:
            self.stopped = True
            self.kill()
        self._listen(_PATIENCE_S)

    def kill(self) -> None:
        """Kill the container: all its processes end with the first."""
        with self._lock:
            if self._first < 0:
                return
            try:
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            except ProcessLookupError:
                return
            except PermissionError:
                self._kill()

    def _words(self) -> dict[str, str]:
        """What the attendant said: each word and what stood behind it."""
        lines = self._heard.decode(errors="replace").splitlines()
        return {word: rest for word, _, rest in (line.partition(" ") for line in lines)}

    def _listen(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if not select.select([self._line], [], [], max(0.0, min(1.0, left)))[0]:
                if left <= 0:
                    return
                continue
            chunk, descriptors, _, _ = socket.recv_fds(self._line, 4096, 1)
            if descriptors:
                self.folder = descriptors[0]
            if not chunk:
                return
            self._heard += chunk

    def ending(self, finished: Finished) -> tuple[Ending, int]:
        """How the command itself ended; raises where it was the sandbox that failed."""
        name, words = self._step.name, self._words()
        if not self.begun:
            said = finished.stderr.decode(errors="replace").strip().splitlines()
            raise MachineryError(f"the sandbox did not run {name}: {said[-1] if said else finished.ended}")
        if self._seat and self._seat.check(name):
            return "memory_limit", finished.exit_code
        if "failed" in words:
            number, _, what = words["failed"].partition(" ")
            raise MachineryError(f"{name} could not be started: {what}: {os.strerror(int(number))}")
        if self.stopped or finished.ended == "output_limit":
            return finished.ended, finished.exit_code
        if "exit" in words:
            return "exited", int(words["exit"])
        if "signal" in words:
            return _of_code(128 + int(words["signal"]))
        # where the command has become process 1, nobody but the engine has seen it end
        if not self._step.init or int(words.get("engine", "-1")) < 0:
            raise MachineryError(f"{name}: what looked after it was killed")
        return _of_code(int(words["engine"]))


def _program() -> str:
    return resources.files(__package__).joinpath("supervisor.py").read_text(encoding="utf-8")


def _of_code(code: int) -> tuple[Ending, int]:
    if code == 128 + signal.SIGXCPU:
        return "cpu_limit", 128 - code
    return ("exited", code) if code <= 128 else ("signalled", 128 - code)
