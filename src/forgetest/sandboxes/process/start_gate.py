"""Start gate: stops a bwrap when its sandbox is complete and nothing runs in it yet, to set limits and to look inside.

bwrap copies a "file" into the sandbox that is really a full pipe. As soon as the pipe is no longer full, bwrap has
got that far; until the other end is closed, bwrap keeps reading.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
from collections.abc import Mapping

import msgspec

from forgetest.sandboxes.process import thread_ids


class StartGate:
    """The pipe. `sandbox_end` is for bwrap; `our_end` becomes writable when bwrap has arrived."""

    def __init__(self) -> None:
        self.sandbox_end, our_end = os.pipe()
        with contextlib.suppress(OSError):  # where the pipe cannot be made smaller, there is more to write
            fcntl.fcntl(our_end, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(our_end, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(our_end, bytes(65536))
        self.our_end = os.fdopen(our_end, "wb", buffering=0)


def parse_status(status: bytes) -> dict[str, int]:
    """Parse the JSON lines that bwrap reports; only whole lines, since a killed one may leave half a line."""
    values: dict[str, int] = {}
    for line in status[: status.rfind(b"\n") + 1].splitlines():
        values |= msgspec.json.decode(line, type=dict[str, int])
    return values


def first_process(status: bytes) -> int:
    """Return the id on the host of the sandbox's first process; 0 if bwrap has not reported it."""
    return parse_status(status).get("child-pid", 0)


def set_limits(pid: int, limits: Mapping[int, tuple[int, int]], user: int | None) -> None:
    """Set resource limits of the waiting process, so that each sandbox is counted on its own."""
    with thread_ids.access_files_as(user):
        prefer_for_oom_kill(pid)
        for which, (soft, hard) in limits.items():
            allowed = resource.prlimit(pid, which)[1]
            most = hard if allowed == resource.RLIM_INFINITY else min(hard, allowed)
            resource.prlimit(pid, which, (min(soft, most), most))


def prefer_for_oom_kill(pid: int) -> None:
    """Let the kernel end this process, and not forgetest, when the whole machine runs out of memory."""
    with contextlib.suppress(OSError):  # without the right to say so, the kernel chooses
        descriptor = os.open(f"/proc/{pid}/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(descriptor, b"1000")
        finally:
            os.close(descriptor)


def open_folder(pid: int, folder: str, user: int | None) -> int:
    """Open a folder of the sandbox; it stays readable through the descriptor when the sandbox is gone."""
    with thread_ids.access_files_as(user):
        return os.open(f"/proc/{pid}/root/newroot{folder}", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
