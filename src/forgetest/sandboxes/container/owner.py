"""The owner of a container: a label names the process, and containers whose owner was killed are removed."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

from forgetest.sandboxes.container import engines, monitors
from forgetest.sandboxes.container.engines import LABEL, Engine


def this_process() -> str:
    """Identify this process among all that ever ran on this machine."""
    namespace = Path("/proc/self/ns/pid").stat().st_ino
    return f"{namespace}-{os.getpid()}-{_start_time(os.getpid())}"


def _start_time(pid: int) -> str:
    """The start time of a process; empty if there is no such process."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def sweep(engine: Engine) -> None:
    """Remove containers whose owner was killed together with the guard that would have ended them.

    Also end the monitors of containers that were removed: whoever had them made is gone.
    """

    def is_orphan(owner: str) -> bool:
        namespace, _, process = owner.partition("-")
        pid, _, started = process.partition("-")
        # for a container that is just being removed, an engine reports no owner
        return namespace == this_process().partition("-")[0] and pid.isdigit() and _start_time(int(pid)) != started

    watched = monitors.watched_names()  # before the list: a container is recorded before it has a monitor
    # all labels: not every podman can select one. Docker writes them as NAME=VALUE, podman 4 as NAME:VALUE
    listed = engines.call(engine, "ps", "--all", "--filter", f"label={LABEL}", "--format", "{{.Names}} {{.Labels}}")
    for line in listed.stdout.decode(errors="replace").splitlines():
        container, _, labels = line.partition(" ")
        watched.discard(container)
        owner = re.search(rf"\b{re.escape(LABEL)}[=:]([\w-]+)", labels)
        if owner and is_orphan(owner[1]):
            engines.call(engine, "rm", "--force", container)
    if engine.name == "podman" and listed.returncode == 0:
        monitors.end(engine, watched)
