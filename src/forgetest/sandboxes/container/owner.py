"""Whose a container is: each has a label that says so, and those whose owner was killed are removed."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from forgetest.sandboxes.container import engines
from forgetest.sandboxes.container.engines import LABEL, Engine


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

    # all labels: not every podman can name one. Docker writes them as NAME=VALUE, podman 4 as NAME:VALUE
    listed = engines.ask(engine, "ps", "--all", "--filter", f"label={LABEL}", "--format", "{{.ID}} {{.Labels}}")
    for line in listed.stdout.decode(errors="replace").splitlines():
        container, _, labels = line.partition(" ")
        owner = re.search(rf"\b{re.escape(LABEL)}[=:]([\w-]+)", labels)
        if owner and is_orphan(owner[1]):
            engines.ask(engine, "rm", "--force", container)
