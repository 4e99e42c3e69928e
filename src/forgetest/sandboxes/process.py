"""Runs one process to its end, within limits: the only place that starts subprocesses."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetest.verdict import Ending, Step

Spawn = Callable[[Callable[[], "subprocess.Popen[bytes]"]], "subprocess.Popen[bytes]"]
"""Calls its argument and returns the process; lets a sandbox choose the thread that becomes the parent."""


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
    status_option: str | None = None,
    spawn: Spawn = lambda start: start(),
) -> Finished:
    """Run `argv`, feed it, keep its output up to a limit, and end its whole process group when it is over.

    With `status_option` the number of an extra pipe's write end takes the place of that word in `argv`.
    """
    status_read, status_write = os.pipe() if status_option else (-1, -1)
    words = [str(status_write) if word == status_option else word for word in argv]
    started = time.monotonic()
    try:
        process = spawn(
            lambda: subprocess.Popen(
                words,
                env=dict(env),
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(status_write,) if status_option else (),
                start_new_session=True,
            )
        )
    except BaseException:
        if status_option:
            os.close(status_read)
        raise
    finally:
        if status_option:
            os.close(status_write)
    assert process.stdin
    assert process.stdout
    assert process.stderr
    streams = {pipe.fileno(): bytearray() for pipe in (process.stdout, process.stderr)}
    if status_option:
        streams[status_read] = bytearray()
    try:
        stopped = _communicate(process, stdin, streams, started + wall_s, output_bytes)
    finally:
        _kill_group(process.pid)
        exit_code = process.wait()
        stdout, stderr = (bytes(streams[pipe.fileno()]) for pipe in (process.stdout, process.stderr))
        process.stdin.close()
        process.stdout.close()
        process.stderr.close()
        if status_option:
            os.close(status_read)
    return Finished(
        ended=stopped or ("signalled" if exit_code < 0 else "exited"),
        exit_code=exit_code,
        stdout=stdout,
        stderr=stderr,
        status=bytes(streams.get(status_read, b"")),
        wall_ms=(time.monotonic() - started) * 1000,
    )


def _communicate(
    process: subprocess.Popen[bytes], feed: bytes, streams: dict[int, bytearray], deadline: float, limit: int
) -> Ending | None:
    """Feed and drain until the process has ended; what stopped it early, if anything did."""
    assert process.stdin
    waiting, writer = memoryview(feed), process.stdin.fileno()
    os.set_blocking(writer, False)
    ended = os.pidfd_open(process.pid)
    try:
        with selectors.DefaultSelector() as selector:
            for stream in (*streams, ended):
                selector.register(stream, selectors.EVENT_READ)
            selector.register(writer, selectors.EVENT_WRITE)
            open_streams = {*streams, ended}
            while open_streams:
                left = deadline - time.monotonic()
                if left <= 0:
                    return "wall_limit"
                for key, _ in selector.select(left):
                    if key.fd == writer:
                        waiting = _feed(writer, waiting)
                        if not waiting:
                            selector.unregister(writer)
                            process.stdin.close()
                        continue
                    if key.fd == ended:
                        _kill_group(process.pid)  # what it left running must not keep the pipes open
                    elif chunk := os.read(key.fd, 65536):
                        streams[key.fd].extend(chunk)
                        if len(streams[key.fd]) > limit:
                            del streams[key.fd][limit:]
                            return "output_limit"
                        continue
                    selector.unregister(key.fd)
                    open_streams.discard(key.fd)
    finally:
        os.close(ended)
    return None


def _feed(writer: int, waiting: memoryview) -> memoryview:
    """Write what the pipe takes; what is left, which is nothing once the reader has gone."""
    try:
        return waiting[os.write(writer, waiting[:65536]) :]
    except BlockingIOError:
        return waiting
    except BrokenPipeError:
        return waiting[:0]


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def lay_files(step: Step, folder: Path) -> None:
    """Put the step's files into its work folder."""
    for name, content in step.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def collect_outputs(step: Step, folder: Path) -> dict[str, bytes]:
    """The files asked for. What ran may have left anything: only plain files of a sane size are read."""
    found = {}
    for name in step.outputs:
        try:
            fd = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            continue
        with os.fdopen(fd, "rb") as file:
            if stat.S_ISREG(os.fstat(fd).st_mode):
                found[name] = file.read(step.limits.file_bytes)
    return found
