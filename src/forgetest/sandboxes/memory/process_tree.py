"""What all processes of a sandbox use together: memory and CPU time, read from /proc while they run.

Limits of the kernel are for each process; eight processes of half a limit each pass them.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from forgetest.sandboxes.memory.cgroup import Seat
from forgetest.verdict import Ending, Limits

_TICKS = os.sysconf("SC_CLK_TCK")
_RESIDENT = re.compile(rb"^Rss(?:Anon|Shmem):\s+(\d+) kB", re.MULTILINE)
"""What is a process's own; files that it has mapped are not."""


def watcher(first: int, limits: Limits, seat: Seat | None = None) -> Callable[[], Ending | None]:
    """Says, whenever it is asked, which limit the tree below `first` has passed; with a seat, its memory is counted."""

    def look() -> Ending | None:
        memory, cpu_s = used(first)
        # with a seat, the kernel has held the limit already; this ends what is left of the sandbox
        if seat.kills() if seat else memory > limits.memory_bytes:
            return "memory_limit"
        # a second more: the kernel's own clock, which is exact, comes first
        return "cpu_limit" if cpu_s > max(1, limits.cpu_s) + 1 else None

    return look


def used(first: int) -> tuple[int, float]:
    """Bytes of memory and seconds of CPU time of a process and all below it."""
    memory, ticks = 0, 0
    for process in _below(Path("/proc", str(first))):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            status = (process / "status").read_bytes()
            memory += sum(int(kilobytes) for kilobytes in _RESIDENT.findall(status)) * 1024
            fields = (process / "stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(int(field) for field in fields[11:15])  # its own, and of children that it has waited for
    return memory, ticks / _TICKS


def below(first: int) -> list[int]:
    """The processes below one that still run."""
    found = []
    for process in _below(Path("/proc", str(first))):
        with contextlib.suppress(OSError):
            state = (process / "stat").read_bytes().rpartition(b")")[2].split()[0]
            if process.name != str(first) and state not in (b"Z", b"X"):
                found.append(int(process.name))
    return found


def _below(process: Path) -> Iterator[Path]:
    yield process
    with contextlib.suppress(OSError):
        for task in (process / "task").iterdir():
            for child in (task / "children").read_bytes().split():
                yield from _below(process.with_name(child.decode()))
