"""A step's limits as the kernel's limits of a process."""

from __future__ import annotations

import resource

from forgetest.verdict import Limits

PROCESSES = resource.RLIMIT_NPROC
"""Counted for a user, so it means something only where a sandbox has a user namespace of its own."""


def of(limits: Limits) -> dict[int, tuple[int, int]]:
    """Each limit, soft and hard."""
    cpu_s = max(1, round(limits.cpu_s))
    return {
        resource.RLIMIT_AS: (limits.memory_bytes, limits.memory_bytes),
        resource.RLIMIT_CPU: (cpu_s, cpu_s + 5),  # first SIGXCPU, which tells it apart from a kill by the host
        resource.RLIMIT_FSIZE: (limits.file_bytes, limits.file_bytes),
        PROCESSES: (limits.processes, limits.processes),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (65536, 65536),
    }
