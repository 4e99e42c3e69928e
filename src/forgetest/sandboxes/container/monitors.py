"""Podman's monitor processes (conmon): one watches each container, and ends when the container's process does.

A podman that is killed between making a container and recording it leaves a process that waits to be started, and the
monitor that watches it. `podman rm` does not know of them.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Collection, Iterator
from pathlib import Path

from forgetest.sandboxes.container import engines
from forgetest.sandboxes.container.engines import Engine

_OURS = re.compile(r"forgetest-[0-9a-f]{16}")
_RUNTIMES = ("runc", "crun")
"""Programs that a container's process runs until it is started."""


def watched_names() -> set[str]:
    """Return the names of containers of ours that a monitor watches, of this and of other processes."""
    return {name for _, name in _monitors() if _OURS.fullmatch(name)}


def end(engine: Engine, names: Collection[str]) -> None:
    """End the monitors of these containers where the container was made, and never started."""
    for monitor, name in _monitors():
        if name in names:
            for child in _waiting_below(monitor):
                _kill(engine, child)


def _monitors() -> Iterator[tuple[int, str]]:
    """Yield the process id of each monitor of this user's, and the name of its container."""
    for process in Path("/proc").glob("[0-9]*"):
        argv = _argv(int(process.name))
        if Path(argv[0]).name == "conmon" and "-n" in argv[:-1]:
            with contextlib.suppress(OSError):  # another user's podman knows of other containers
                if process.stat().st_uid == os.geteuid():
                    yield int(process.name), argv[argv.index("-n") + 1]


def _waiting_below(monitor: int) -> Iterator[int]:
    """Yield the children of a monitor that wait to be started."""
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{monitor}/task/{monitor}/children").read_text().split():
            if Path(_argv(int(child))[0]).name in _RUNTIMES:
                yield int(child)


def _argv(process: int) -> list[str]:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return [""]


def _kill(engine: Engine, process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return
    except PermissionError:  # of a user's containers, most processes have a subordinate id
        engines.call(engine, "unshare", "kill", "-KILL", str(process))
