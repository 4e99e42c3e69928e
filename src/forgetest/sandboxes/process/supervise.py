"""Run one process to its end, within limits. The only place where a step is run."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import FileIO

from forgetest.verdict import Ending

Popen = Callable[[], "subprocess.Popen[bytes]"]
Spawn = Callable[[Popen], "subprocess.Popen[bytes]"]
"""Calls its argument and returns the process; lets a sandbox choose the thread that becomes the parent."""
Watcher = Callable[[], Ending | None]
"""Returns the limit that the process has exceeded, or None."""

_Handler = Callable[[int], Ending | None]
"""Handles a descriptor that is ready; returns the limit that was exceeded, or None."""
_WATCH_INTERVAL_S = 0.1
_FIRST_WATCH_S = 0.3
"""Delay of the watcher's first look: most steps are over by then, and nothing fills a machine's memory so quickly."""
_START_S = 120.0
"""Time that a sandbox may take to be set up on a busy machine; the step's own clock starts after that."""
_CHUNK = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """A sandbox's part in supervising its process. All descriptors here are closed by `run`."""

    inherited: tuple[int, ...]
    """Further descriptors for the process."""
    status: FileIO
    """Read to its end, like the outputs."""
    gate: FileIO
    """When it becomes writable, `on_ready` is called with the status so far, and the gate is closed."""
    on_ready: Callable[[bytes], Watcher | None]
    """Returns the watcher, or None if the process is to be killed at once. The clock for `wall_s` starts here."""
    stop: Callable[[], None] = lambda: None
    """Ends what killing the process group would leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedProcess:
    """A process that has ended, and its output."""

    ended: Ending
    exit_code: int
    stdout: bytes
    stderr: bytes
    status: bytes
    """Everything that came through the status descriptor, where there was one."""
    wall_ms: float


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: str = "/",
    stdin: bytes = b"",
    wall_s: float,
    output_bytes: int,
    supervision: Supervision | None = None,
    spawn: Spawn = lambda popen: popen(),
) -> FinishedProcess:
    """Run `argv` with `stdin`, keep its output up to a limit, and end its whole process group when it is over."""
    started = time.monotonic()
    with contextlib.ExitStack() as descriptors:
        if supervision:
            descriptors.enter_context(supervision.status)
            descriptors.enter_context(supervision.gate)
        try:
            process = spawn(
                lambda: subprocess.Popen(
                    argv,
                    env=dict(env),
                    cwd=cwd,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=supervision.inherited if supervision else (),
                    start_new_session=True,
                )
            )
        finally:
            for descriptor in supervision.inherited if supervision else ():
                os.close(descriptor)
        with process:
            pump = _Pump(process, stdin, supervision, output_bytes, wall_s)
            try:
                stopped = pump.run()
            finally:
                if supervision:
                    supervision.stop()
                _kill_group(process.pid)
                exit_code = process.wait()
    return FinishedProcess(
        ended=stopped or ("signalled" if exit_code < 0 else "exited"),
        exit_code=exit_code,
        stdout=bytes(pump.stdout),
        stderr=bytes(pump.stderr),
        status=bytes(pump.status),
        wall_ms=(time.monotonic() - started) * 1000,
    )


class _Pump:
    """Writes a process's input and reads its output until it has ended or has exceeded a limit."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        stdin: bytes,
        supervision: Supervision | None,
        output_bytes: int,
        wall_s: float,
    ) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self.stdout, self.stderr, self.status = bytearray(), bytearray(), bytearray()
        self._process = process
        self._stdin = process.stdin
        self._unwritten = memoryview(stdin)
        self._supervision = supervision
        self._output_bytes = output_bytes
        self._wall_s = wall_s
        self._deadline = time.monotonic() + (_START_S if supervision else wall_s)
        self._watch: Watcher = lambda: None
        self._next_watch = math.inf
        self._buffers = {process.stdout.fileno(): self.stdout, process.stderr.fileno(): self.stderr}
        if supervision:
            self._buffers[supervision.status.fileno()] = self.status
        self._selector = selectors.DefaultSelector()
        self._unfinished: set[int] = set()
        """Descriptors that must reach their end: the outputs, and the one that tells that the process has ended."""

    def run(self) -> Ending | None:
        """Return the limit that was exceeded; None if the process ended on its own."""
        ended = os.pidfd_open(self._process.pid)
        try:
            with self._selector:
                self._register(ended)
                while self._unfinished:
                    exceeded = self._check_limits() or self._handle_events()
                    if exceeded:
                        return exceeded
        finally:
            os.close(ended)
        return None

    def _register(self, ended: int) -> None:
        self._unfinished = {*self._buffers, ended}
        for descriptor in self._buffers:
            self._selector.register(descriptor, selectors.EVENT_READ, self._read)
        self._selector.register(ended, selectors.EVENT_READ, self._reap)
        os.set_blocking(self._stdin.fileno(), False)
        self._selector.register(self._stdin.fileno(), selectors.EVENT_WRITE, self._write)
        if self._supervision:
            self._selector.register(self._supervision.gate.fileno(), selectors.EVENT_WRITE, self._pass_gate)

    def _check_limits(self) -> Ending | None:
        now = time.monotonic()
        if now >= self._deadline:
            return "wall_limit"
        if now >= self._next_watch:
            self._next_watch = now + _WATCH_INTERVAL_S
            return self._watch()
        return None

    def _handle_events(self) -> Ending | None:
        now = time.monotonic()
        # at most a second: a Ctrl-C that comes just as a long wait begins would not be noticed
        for key, _ in self._selector.select(min(self._deadline, self._next_watch, now + 1.0) - now):
            handle: _Handler = key.data
            if exceeded := handle(key.fd):
                return exceeded
        return None

    def _read(self, descriptor: int) -> Ending | None:
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            self._finish(descriptor)
            return None
        buffer = self._buffers[descriptor]
        buffer.extend(chunk)
        if len(buffer) <= self._output_bytes:
            return None
        del buffer[self._output_bytes :]
        return "output_limit"

    def _reap(self, ended: int) -> None:
        _kill_group(self._process.pid)  # processes that it left running must not keep the pipes open
        self._finish(ended)

    def _finish(self, descriptor: int) -> None:
        self._selector.unregister(descriptor)
        self._unfinished.discard(descriptor)

    def _write(self, descriptor: int) -> None:
        """Write what the pipe takes, and nothing more once the reader has gone."""
        try:
            self._unwritten = self._unwritten[os.write(descriptor, self._unwritten[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._unwritten = self._unwritten[:0]
        if not self._unwritten:
            self._selector.unregister(descriptor)
            self._stdin.close()

    def _pass_gate(self, descriptor: int) -> None:
        """Let the sandbox prepare the waiting process, start the step's clock, and open the gate."""
        assert self._supervision
        status = self._supervision.status.fileno()
        os.set_blocking(status, False)  # it may have been read already
        with contextlib.suppress(BlockingIOError):
            self.status.extend(os.read(status, _CHUNK))
        os.set_blocking(status, True)
        watch = self._supervision.on_ready(bytes(self.status))
        if watch is None:
            _kill_group(self._process.pid)
        else:
            now = time.monotonic()
            self._watch, self._next_watch, self._deadline = watch, now + _FIRST_WATCH_S, now + self._wall_s
        self._selector.unregister(descriptor)
        self._supervision.gate.close()


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
