"""Whose a container is: each has a label that says so, and those whose owner was killed are removed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from forgetest.sandboxes import engines
from forgetest.sandboxes.engines import LABEL, Engine


def this_process() -> str:
    """Which process this is, among all that ever were on this machine."""
    namespace = Path("/proc/self/ns/pid").stat().st_ino
    return f"{namespace}-{os.getpid()}-{_started(os.getpid())}"


def _started(pid: int) -> str:
    """When a process was started; nothing if there is none."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def sweep(engine: Engine) -> None:
    """Remove containers whose process was killed together with all that would have ended them."""

    def is_orphan(owner: str) -> bool:
        namespace, _, process = owner.partition("-")
        pid, _, started = process.partition("-")
        # of one that is just being removed, an engine tells no owner
        return namespace == this_process().partition("-")[0] and pid.isdigit() and _started(int(pid)) != started

    remove(engine, is_orphan)


def remove(engine: Engine, which: Callable[[str], bool]) -> None:
    """End and remove the containers of those owners."""
    shown = f'{{{{.ID}}}} {{{{.Label "{LABEL}"}}}}'
    listed = engines.ask(engine, "ps", "--all", "--filter", f"label={LABEL}", "--format", shown)
    for line in listed.stdout.decode(errors="replace").splitlines():
        container, _, owner = line.partition(" ")
        if which(owner):
            engines.ask(engine, "rm", "--force", container)
