"""A step's limits as the kernel's resource limits of a process."""

from __future__ import annotations

import resource

from forgetest.verdict import Limits

PROCESSES = resource.RLIMIT_NPROC
"""Counted per user, so only meaningful where a sandbox has a user namespace of its own."""


def from_limits(limits: Limits) -> dict[int, tuple[int, int]]:
    """Return each resource limit, soft and hard."""
    cpu_s = max(1, round(limits.cpu_s))
    address_space = limits.address_space_bytes or limits.memory_bytes
    return {
        resource.RLIMIT_AS: (address_space, address_space),
        resource.RLIMIT_CPU: (cpu_s, cpu_s + 5),  # SIGXCPU comes first, unlike a kill by the host
        resource.RLIMIT_FSIZE: (limits.file_bytes, limits.file_bytes),
        PROCESSES: (limits.processes, limits.processes),
        resource.RLIMIT_NOFILE: (limits.open_files, limits.open_files),
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (65536, 65536),
    }
