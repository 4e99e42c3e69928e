"""Steps as processes of the host: kind `none`, which isolates nothing, and the foundation of kind `landlock`.

Limits hold in both. Without namespaces, a step's paths are translated (see `filesystem/path_translation.py`),
processes are counted with all others of their user, and the size of a folder is not limited.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import os
import signal
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from forgetest.errors import MachineryError
from forgetest.sandboxes import Isolation, SandboxSettings, orphans
from forgetest.sandboxes.filesystem import path_translation, workdir
from forgetest.sandboxes.filesystem.path_translation import Layout
from forgetest.sandboxes.memory import process_tree
from forgetest.sandboxes.memory.pool import CgroupPool
from forgetest.sandboxes.process import exit_status, rlimits, start_gate
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.process.start import SandboxStart
from forgetest.sandboxes.process.supervise import FinishedProcess
from forgetest.sandboxes.proof import cache, probe
from forgetest.sandboxes.proof.probe import DisposableSandbox
from forgetest.verdict import Ending, Execution, Step

_UID = 61001  # a user that exists nowhere, and not bubblewrap's


def create(settings: SandboxSettings) -> Unconfined:
    """Return no sandbox at all, which the caller has asked for explicitly."""
    return Unconfined(settings)


class Unconfined:
    """Runs each step as a process of the host, within limits."""

    kind = "none"
    not_promised: tuple[str, ...] = tuple(sorted(probe.PROMISES))
    seccomp_filter: bytes = b""

    def __init__(self, settings: SandboxSettings) -> None:
        self.memory = CgroupPool()
        """Limits the memory of all processes of a step together."""
        self._settings = settings
        self._user = _UID if os.geteuid() == 0 else None
        self._parent = Parent(user=self._user, cache_folder=settings.cache_folder)
        self._running: set[_ConfinedTree] = set()
        self._closed = False

    def run(self, step: Step) -> Execution:
        """Run one step."""
        tree = _ConfinedTree()
        with (
            orphans.locked_temporary_folder() as root,
            self.memory.lease(step.limits.memory_bytes) as cgroup,
            SandboxStart(step, cgroup, on_ready=tree.begin, stop=tree.kill) as start,
        ):
            if step.keep and self._user is not None:
                os.chown(step.keep, self._user, self._user)  # as its own, it needs no id-mapped, read-only mount
            layout = path_translation.lay_out(step, root, self._parent.reachable)
            self._give_to_user(root, step)
            self._running.add(tree)
            try:
                finished = start.run(
                    [*self._confiner(), self._confiner_configuration(layout, start)],
                    env={},
                    stdin=layout.step.stdin,
                    parent=self._parent,
                )
            finally:
                self._running.discard(tree)
            if self._closed:
                raise MachineryError(f"{step.name}: the sandbox was closed while it ran")
            ended, exit_code = _process_ending(step, finished, start)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=path_translation.translate_back(finished.stdout, layout),
                stderr=path_translation.translate_back(finished.stderr, layout),
                outputs=workdir.collect_from(step, layout.work) if step.workdir else {},
                wall_ms=finished.wall_ms,
                cpu_ms=start.cpu_ms,
            )

    def probe(self) -> Isolation:
        """Report that nothing is promised; nothing is tried."""
        return Isolation(kind=self.kind, version="no sandbox", not_promised=self.not_promised)

    def close(self) -> None:
        """Kill everything that is still running, and start no more."""
        self._closed = True
        for tree in list(self._running):
            tree.kill()
        self._parent.close()
        self.memory.close()

    @property
    def configuration(self) -> str:
        """Our own files, and the mechanism that limits memory."""
        return f"{self.kind}; {self.memory.mechanism}; {cache.identify_files(*cache.own_files())}"

    def disposable(self) -> DisposableSandbox:
        """Return another sandbox of the same kind, whose parent can be ended."""
        other = type(self)(self._settings)
        return DisposableSandbox(sandbox=other, end_parent=other._parent.end_thread)

    def _confiner(self) -> list[str]:
        return [self._parent.reachable(os.path.realpath(sys.executable)), "-I", "-S", "-c", _confine_program()]

    def _confiner_configuration(self, layout: Layout, start: SandboxStart) -> str:
        step = layout.step
        limits = rlimits.from_limits(step.limits)
        configuration: dict[str, Any] = {
            "argv": step.argv,
            "env": dict(step.env),
            "folder": layout.start,
            "limits": [(which, pair) for which, pair in limits.items() if which != rlimits.PROCESSES],
            "confined": bool(self.seccomp_filter),
            "filter": base64.b64encode(self.seccomp_filter).decode(),
            "readable": [*layout.readable, *(["/proc"] if step.proc else [])],
            "writable": layout.writable,
            "status": start.status_fd,
            "gate": start.gate_fd,
        }
        return msgspec.json.encode(configuration).decode()

    def _give_to_user(self, root: Path, step: Step) -> None:
        folders = [root, *([Path(step.keep)] if step.keep else [])]
        if self._user is not None:
            for path in [*folders, *(inner for folder in folders for inner in folder.rglob("*"))]:
                os.chown(path, self._user, self._user, follow_symlinks=False)


class _ConfinedTree:
    """The processes of one step: the confiner, and all below it."""

    def __init__(self) -> None:
        self._confiner = 0

    def begin(self, confiner: int) -> None:
        self._confiner = confiner
        start_gate.prefer_for_oom_kill(confiner)

    def kill(self) -> None:
        """Kill everything below the confiner, which goes last: processes become its children when their parents end."""
        while self._confiner and (running := process_tree.descendants(self._confiner)):
            for process in running:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


@functools.cache
def _confine_program() -> str:
    return resources.files("forgetest.sandboxes.process").joinpath("confine.py").read_text(encoding="utf-8")


def _process_ending(step: Step, finished: FinishedProcess, start: SandboxStart) -> tuple[Ending, int]:
    if start.memory_is_exhausted():
        return "memory_limit", finished.exit_code
    status = start_gate.parse_status(finished.status)
    if "failed" in status or not start.began:
        raise MachineryError(f"{step.name} could not be started: {start.failure(finished)}")
    if finished.ended not in ("exited", "signalled"):
        return finished.ended, finished.exit_code
    if "exit-code" not in status:
        raise MachineryError(f"{step.name}: its supervisor was killed")
    return exit_status.decode(status["exit-code"])
