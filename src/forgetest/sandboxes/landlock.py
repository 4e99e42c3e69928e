"""Landlock and seccomp: for machines that allow no user namespaces, as most containers do not. Linux 6.12 or later.

Nothing of the host can be opened but what the step lists, and no socket of any kind; signals reach nobody outside.
What it does not promise: see NOT_PROMISED, and docs/security.md.
"""

from __future__ import annotations

import ctypes
import platform

from forgetest.errors import UserError
from forgetest.sandboxes import Isolation
from forgetest.sandboxes.none import Plain
from forgetest.sandboxes.process import seccomp
from forgetest.sandboxes.proof import probe

NOT_PROMISED = ("disk", "namespaces", "privileges", "process_count", "processes")
"""It has the host's namespaces and is a user of the host; processes and folders are not limited by themselves."""

_CREATE_RULESET = 444
_OLDEST_ABI = 6
"""The first that keeps signals and abstract sockets in."""


def create() -> Landlock:
    """The sandbox, or what the kernel lacks."""
    has = abi()
    if has < _OLDEST_ABI:
        raise UserError(
            f"the sandbox `landlock` needs Landlock {_OLDEST_ABI}, which Linux has from 6.12 on; "
            f"Linux {platform.release()} {f'has {has}' if has > 0 else 'has none, or has it switched off'}"
        )
    return Landlock()


class Landlock(Plain):
    """Runs each step behind Landlock and a filter."""

    kind = "landlock"
    not_promised = NOT_PROMISED

    def __init__(self) -> None:
        super().__init__()
        self.filter = seccomp.program(sockets=False)

    def probe(self) -> Isolation:
        """Try to break each promise."""
        self._seats.prove(lambda: probe.attempt_everything(self, trials={"burst"})["tree_memory"])
        return Isolation(
            kind=self.kind,
            version=f"Landlock {abi()}, Linux {platform.release()}",
            breaches=probe.attempt_everything(self, abandoned=self._abandoned),
            not_promised=self.not_promised,
            watched=self._seats.watched,
            held_by={"tree_memory": self._seats.held_by},
        )


def abi() -> int:
    """The version of Landlock that the kernel has; 0 or less where it has none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(ctypes.c_long(_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint32(1)))
