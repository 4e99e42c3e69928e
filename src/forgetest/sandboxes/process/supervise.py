"""Runs one process to its end, within limits: the one place where a step is run."""

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

Spawn = Callable[[Callable[[], "subprocess.Popen[bytes]"]], "subprocess.Popen[bytes]"]
"""Calls its argument and returns the process; lets a sandbox choose the thread that becomes the parent."""

_WATCH_S = 0.1
"""How often the watcher looks."""
_FIRST_LOOK_S = 0.3
"""When it looks first: most steps are over by then, and nothing fills a machine's memory so quickly."""
_START_S = 120.0
"""How long a sandbox may take to be made, on a machine that is busy; only then does the step's own clock start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supervision:
    """How a sandbox takes part while its process runs. All descriptors here are closed by `run`."""

    inherited: tuple[int, ...]
    """Further descriptors that the process gets."""
    status: FileIO
    """Read to its end, beside the outputs."""
    gate: FileIO
    """When it becomes writable, `begin` is called with the status so far, and then it is closed."""
    begin: Callable[[bytes], Callable[[], Ending | None] | None]
    """Returns the watcher, which says when a limit is passed; or None if the process is to be killed at once.

    The clock for `wall_s` starts here."""
    stop: Callable[[], None] = lambda: None
    """Ends what killing the process group would leave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a process went."""

    ended: Ending
    exit_code: int
    stdout: bytes
    stderr: bytes
    status: bytes
    """What came through the extra descriptor, where there was one."""
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
    spawn: Spawn = lambda start: start(),
) -> Finished:
    """Run `argv`, feed it, keep its output up to a limit, and end its whole process group when it is over."""
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
            conversation = _Conversation(process, stdin, supervision, output_bytes, wall_s)
            try:
                stopped = conversation.hold()
            finally:
                if supervision:
                    supervision.stop()
                _kill_group(process.pid)
                exit_code = process.wait()
    return Finished(
        ended=stopped or ("signalled" if exit_code < 0 else "exited"),
        exit_code=exit_code,
        stdout=bytes(conversation.stdout),
        stderr=bytes(conversation.stderr),
        status=bytes(conversation.status),
        wall_ms=(time.monotonic() - started) * 1000,
    )


class _Conversation:
    """Feeds a process and drains it until it has ended, or has to be."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        feed: bytes,
        supervision: Supervision | None,
        limit: int,
        wall_s: float,
    ) -> None:
        self.stdout, self.stderr, self.status = bytearray(), bytearray(), bytearray()
        self._process = process
        self._waiting = memoryview(feed)
        self._supervision = supervision
        self._limit = limit
        self._wall_s = wall_s
        self._deadline = time.monotonic() + (_START_S if supervision else wall_s)
        self._watch: Callable[[], Ending | None] = lambda: None
        self._next_look = math.inf

    def hold(self) -> Ending | None:
        """What stopped the process early, if anything did."""
        process, supervision = self._process, self._supervision
        assert process.stdin
        assert process.stdout
        assert process.stderr
        streams = {process.stdout.fileno(): self.stdout, process.stderr.fileno(): self.stderr}
        if supervision:
            streams[supervision.status.fileno()] = self.status
        gate = supervision.gate.fileno() if supervision else -1
        writer = process.stdin.fileno()
        os.set_blocking(writer, False)
        ended = os.pidfd_open(process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                for stream in (*streams, ended):
                    selector.register(stream, selectors.EVENT_READ)
                selector.register(writer, selectors.EVENT_WRITE)
                if supervision:
                    selector.register(gate, selectors.EVENT_WRITE)
                open_streams = {*streams, ended}
                while open_streams:
                    now = time.monotonic()
                    if now >= self._deadline:
                        return "wall_limit"
                    if now >= self._next_look:
                        self._next_look = now + _WATCH_S
                        if passed := self._watch():
                            return passed
                    # in slices: a Ctrl-C that comes just as a long wait begins would not be noticed
                    for key, _ in selector.select(min(self._deadline, self._next_look, now + 1.0) - now):
                        if key.fd == writer:
                            self._feed(selector, writer)
                            continue
                        if supervision and key.fd == gate:
                            self._begin(selector, supervision)
                            continue
                        if key.fd == ended:
                            _kill_group(process.pid)  # what it left running must not keep the pipes open
                        elif chunk := os.read(key.fd, 65536):
                            streams[key.fd].extend(chunk)
                            if len(streams[key.fd]) > self._limit:
                                del streams[key.fd][self._limit :]
                                return "output_limit"
                            continue
                        selector.unregister(key.fd)
                        open_streams.discard(key.fd)
        finally:
            os.close(ended)
        return None

    def _begin(self, selector: selectors.BaseSelector, supervision: Supervision) -> None:
        status = supervision.status.fileno()
        os.set_blocking(status, False)  # it may have been read already
        with contextlib.suppress(BlockingIOError):
            self.status.extend(os.read(status, 65536))
        os.set_blocking(status, True)
        watch = supervision.begin(bytes(self.status))
        if watch is None:
            _kill_group(self._process.pid)
        else:
            now = time.monotonic()
            self._watch, self._next_look, self._deadline = watch, now + _FIRST_LOOK_S, now + self._wall_s
        selector.unregister(supervision.gate)
        supervision.gate.close()

    def _feed(self, selector: selectors.BaseSelector, writer: int) -> None:
        """Write what the pipe takes; nothing more once the reader has gone."""
        try:
            self._waiting = self._waiting[os.write(writer, self._waiting[:65536]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._waiting = self._waiting[:0]
        if not self._waiting:
            selector.unregister(writer)
            assert self._process.stdin
            self._process.stdin.close()


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
