"""Our end of the connection to the supervisor of one container (`supervisor.py`): start, kill, and how it ended."""

from __future__ import annotations

import functools
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
from forgetest.sandboxes.container.engines import ContainerSpec
from forgetest.sandboxes.filesystem import workdir
from forgetest.sandboxes.memory.cgroup import MemoryCgroup
from forgetest.sandboxes.process import exit_status, start_gate
from forgetest.sandboxes.process.start import SandboxStart
from forgetest.sandboxes.process.supervise import FinishedProcess
from forgetest.verdict import Ending, Step

_REMOVAL_S = 120.0
"""Time that an engine may take to remove a container that has ended, on a busy machine."""


class ContainerSupervision:
    """One supervised container, as a context manager. `kill` may be called from any thread."""

    def __init__(
        self, step: Step, instructions: bytes, cgroup: MemoryCgroup | None, kill_by_engine: Callable[[], None]
    ) -> None:
        """`kill_by_engine` kills the container where we may not signal its processes."""
        self._step = step
        self._killed = False
        """True if we killed it before it ended."""
        self._folder: int | None = None
        self._received = b""
        self._first = -1
        self._lock = threading.Lock()
        self._kill_by_engine = kill_by_engine
        self._connection, theirs = socket.socketpair()
        self._connection_fd = theirs.detach()
        self._instructions_fd = os.memfd_create("instructions")
        with os.fdopen(os.dup(self._instructions_fd), "wb") as file:
            file.write(instructions)
        inherited = (self._connection_fd, self._instructions_fd)
        self.start = SandboxStart(step, cgroup, inherited=inherited, on_ready=self._begin, stop=self._stop)

    def __enter__(self) -> ContainerSupervision:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        with self._lock:
            first, self._first = self._first, -1
        for descriptor in (self._folder, first):
            if descriptor is not None and descriptor >= 0:
                os.close(descriptor)
        self.start.__exit__()

    def supervisor_command(self, spec: ContainerSpec, user: int) -> list[str]:
        """Return the supervisor's command line, to which the engine's is appended; `user` is the container's user."""
        configuration = {
            "gate": self.start.gate_fd,
            "status": self.start.status_fd,
            "connection": self._connection_fd,
            "instructions": self._instructions_fd,
            "name": spec.name,
            "user": user,
        }
        encoded = msgspec.json.encode(configuration).decode()
        return [os.path.realpath(sys.executable), "-I", "-S", "-c", supervisor_program(), encoded, str(spec.gate)]

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
                self._kill_by_engine()

    def outputs(self) -> dict[str, bytes]:
        """Read the step's outputs."""
        if self._folder is not None:
            return workdir.collect(self._step, self._folder)
        return workdir.collect_kept(self._step) if self._step.keep else {}

    def ending(self, finished: FinishedProcess) -> tuple[Ending, int]:
        """Return how the command itself ended; raises MachineryError where it was the sandbox that failed."""
        name, reported = self._step.name, self._reported()
        if not self.start.began:
            raise MachineryError(f"the sandbox did not run {name}: {self.start.failure(finished)}")
        if self.start.memory_is_exhausted():
            return "memory_limit", finished.exit_code
        if "failed" in reported:
            number, _, what = reported["failed"].partition(" ")
            raise MachineryError(f"{name} could not be started: {what}: {os.strerror(int(number))}")
        if self._killed or finished.ended == "output_limit":
            return finished.ended, finished.exit_code
        if "exit" in reported:
            return "exited", int(reported["exit"])
        if "signal" in reported:
            return exit_status.decode(128 + int(reported["signal"]))
        # where the command has become process 1, only the engine has seen it end
        if not self._step.init or int(reported.get("engine", "-1")) < 0:
            raise MachineryError(f"{name}: its supervisor was killed")
        return exit_status.decode(int(reported["engine"]))

    def _begin(self, first: int) -> None:
        self._first = os.pidfd_open(first)
        start_gate.prefer_for_oom_kill(first)

    def _stop(self) -> None:
        """Kill the container, unless it has ended, and wait until the engine has removed it."""
        if not self.start.began:
            return
        self._receive(0)
        if b"ended\n" not in self._received:
            self._killed = True
            self.kill()
        self._receive(_REMOVAL_S)

    def _reported(self) -> dict[str, str]:
        """The supervisor's report: the first word of each line, and the rest of it."""
        lines = self._received.decode(errors="replace").splitlines()
        return {word: rest for word, _, rest in (line.partition(" ") for line in lines)}

    def _receive(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            if not select.select([self._connection], [], [], max(0.0, min(1.0, left)))[0]:
                if left <= 0:
                    return
                continue
            chunk, descriptors, _, _ = socket.recv_fds(self._connection, 4096, 1)
            if descriptors:
                self._folder = descriptors[0]
            if not chunk:
                return
            self._received += chunk


@functools.cache
def supervisor_program() -> str:
    """Return the text of `supervisor.py`."""
    return resources.files(__package__).joinpath("supervisor.py").read_text(encoding="utf-8")
