"""Memory and CPU time of all processes of a sandbox together, read from /proc while they run.

The kernel's resource limits are per process; eight processes that take half a limit each would exceed it.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from forgetest.sandboxes.memory.cgroup import MemoryCgroup
from forgetest.verdict import Ending, Limits

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_IDLE_SHARE = 0.001
"""Of a core: timers and loops that look whether something has come use less, tests that sleep now and then use more."""
_RESIDENT = re.compile(rb"^Rss(?:Anon|Shmem):\s+(\d+) kB", re.MULTILINE)
"""Memory of the process's own, without files that it has mapped."""


class TreeWatcher:
    """Looks, each time it is called, whether the tree below a process has exceeded a limit."""

    def __init__(self, first: int, limits: Limits, cgroup: MemoryCgroup | None = None) -> None:
        """With a cgroup, the kernel counts the memory."""
        self.cpu_s = 0.0
        """CPU time that all processes together have used, as far as it was seen."""
        self._first = first
        self._limits = limits
        self._cgroup = cgroup
        self._is_idle = _idleness(limits.idle_s)

    def __call__(self) -> Ending | None:
        """Return the limit that was exceeded, or None."""
        memory, cpu_s = usage(self._first)
        self.cpu_s = max(self.cpu_s, cpu_s)  # it may also fall, when a process ends that nobody has waited for
        # with a cgroup, the kernel has enforced the limit already; this ends the rest of the sandbox
        if self._cgroup.kill_count() if self._cgroup else memory > self._limits.memory_bytes:
            return "memory_limit"
        # a second later than the kernel's own limit, which is exact
        if cpu_s > max(1, self._limits.cpu_s) + 1:
            return "cpu_limit"
        return "wall_limit" if self._is_idle(cpu_s) else None


def _idleness(idle_s: float | None) -> Callable[[float], bool]:
    """Return a function that takes the CPU time so far, and returns whether hardly any was used for `idle_s`."""
    if idle_s is None:
        return lambda _: False
    longest, since, used = idle_s, time.monotonic(), 0.0

    def is_idle(cpu_s: float) -> bool:
        nonlocal since, used
        # it may also fall, when a process ends that nobody has waited for
        if abs(cpu_s - used) > _IDLE_SHARE * longest:
            since, used = time.monotonic(), cpu_s
        return time.monotonic() - since > longest

    return is_idle


def usage(first: int) -> tuple[int, float]:
    """Return the bytes of memory and seconds of CPU time of a process and all its descendants."""
    memory, ticks = 0, 0
    for process in _tree(Path("/proc", str(first))):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            status = (process / "status").read_bytes()
            memory += sum(int(kilobytes) for kilobytes in _RESIDENT.findall(status)) * 1024
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])  # its own, and of children that it has waited for
    return memory, ticks / _TICKS_PER_S


def descendants(first: int) -> list[int]:
    """Return the descendants of a process that still run."""
    running = []
    for process in _tree(Path("/proc", str(first))):
        with contextlib.suppress(OSError):
            state = (process / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if process.name != str(first) and state not in (b"Z", b"X"):
                running.append(int(process.name))
    return running


def _tree(first: Path) -> Iterator[Path]:
    left = [first]  # no recursion: a program may start one process from another a thousand times
    while left:
        process = left.pop()
        yield process
        with contextlib.suppress(OSError):
            for task in (process / "task").iterdir():
                left += (process.with_name(child.decode()) for child in (task / "children").read_bytes().split())
