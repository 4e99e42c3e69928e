"""The CPU time of other processes."""

from __future__ import annotations

import time


def cpu_s(pid: int) -> float:
    """Return the CPU time of another process; 0 where it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | 2)  # as clock_getcpuclockid(3) makes it
    except OSError:
        return 0.0
