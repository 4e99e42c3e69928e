"""Landlock and seccomp: for machines that allow no user namespaces, as most containers do not. Linux 6.12 or later.

Nothing of the host can be opened but what the step lists; no socket of any kind can be made; signals reach nobody
outside. For what it does not promise, see NOT_PROMISED and docs/security.md.
"""

from __future__ import annotations

import ctypes
import platform

from forgetest.errors import UserError
from forgetest.sandboxes import Isolation, SandboxSettings, libc
from forgetest.sandboxes.none import Unconfined
from forgetest.sandboxes.process import seccomp
from forgetest.sandboxes.proof import probe

NOT_PROMISED = ("disk", "namespaces", "privileges", "process_count", "processes")
"""It has the host's namespaces and a user of the host; processes and the size of folders are not limited."""

_CREATE_RULESET = 444
_OLDEST_ABI = 6
"""The first version that keeps signals and abstract sockets inside."""


def create(settings: SandboxSettings) -> Landlock:
    """Return the sandbox; raises UserError with what the kernel lacks."""
    version = abi()
    if version < _OLDEST_ABI:
        found = f"has {version}" if version > 0 else "has none, or it is switched off"
        raise UserError(
            f"the sandbox `landlock` needs Landlock {_OLDEST_ABI}, which Linux has from 6.12 on; "
            f"Linux {platform.release()} {found}"
        )
    return Landlock(settings)


class Landlock(Unconfined):
    """Runs each step behind Landlock and a seccomp filter."""

    kind = "landlock"
    not_promised = NOT_PROMISED

    def __init__(self, settings: SandboxSettings) -> None:
        super().__init__(settings)
        self.seccomp_filter = seccomp.program(sockets="none")

    def probe(self) -> Isolation:
        """Try to break each promise."""
        self.memory.verify(lambda: probe.find_breaches(self, trials={"burst"})["tree_memory"])
        return Isolation(
            kind=self.kind,
            version=f"Landlock {abi()}, Linux {platform.release()}",
            breaches=probe.find_breaches(self, make_disposable=self.disposable),
            not_promised=self.not_promised,
            watched=self.memory.watched,
            held_by={"tree_memory": self.memory.description},
        )


def abi() -> int:
    """Return the kernel's version of Landlock; 0 or less where it has none."""
    return int(libc.load().syscall(ctypes.c_long(_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(1)))
