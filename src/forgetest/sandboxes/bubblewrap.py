"""bubblewrap: namespaces of its own for every step, and nothing of the host but what the step lists.

A step sees its mounts read-only, an empty `/tmp`, `/dev/null`, `/dev/zero` and `/dev/urandom`; with a work folder also
`/w`, without one an empty `/x`. All of these are in memory, limited in size, and gone with the sandbox. No `/proc`, no
network, no home, no environment but the step's own. If root starts it, steps run as a user that owns nothing, because
limits mean nothing for root.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Isolation, SandboxSettings, orphans
from forgetest.sandboxes.filesystem import workdir
from forgetest.sandboxes.memory.cgroup import MemoryCgroup
from forgetest.sandboxes.memory.pool import CgroupPool
from forgetest.sandboxes.process import exit_status, rlimits, seccomp, start_gate
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.process.start import SandboxStart
from forgetest.sandboxes.process.supervise import FinishedProcess
from forgetest.sandboxes.proof import cache, probe
from forgetest.sandboxes.proof.probe import DisposableSandbox
from forgetest.verdict import Ending, Execution, Step

_UID = 61000  # a user that exists nowhere, for steps started by root
_TMP_BYTES = 64 << 20
_WORK_BYTES = 512 << 20
BWRAP_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
"""Environment of bwrap itself, which a sandbox with a `/proc` could read."""


def create(settings: SandboxSettings) -> Bubblewrap:
    """Return the sandbox; raises UserError with what to install."""
    path = shutil.which("bwrap")
    if path is None:
        raise UserError(
            "bubblewrap is not installed, and untrusted code is not run without it: "
            "install the package `bubblewrap` (Debian: apt-get install bubblewrap)"
        )
    orphans.sweep()
    return Bubblewrap(os.path.realpath(path), settings)


class Bubblewrap:
    """Runs each step in a bwrap of its own."""

    def __init__(self, path: str, settings: SandboxSettings) -> None:
        self.memory = CgroupPool()
        """Limits the memory of all processes of a step together."""
        self._bwrap = path
        self._settings = settings
        self._user = _UID if os.geteuid() == 0 else None
        self._filters = {False: seccomp.program(), True: seccomp.program(sockets="unix, tcp, udp")}
        """The filters of steps without and with a loopback of their own."""
        self._parent = Parent(user=self._user, cache_folder=settings.cache_folder)

    def run(self, step: Step) -> Execution:
        """Run one step in new namespaces."""
        if step.keep:
            workdir.write_kept_files(step, Path(step.keep), self._user)
        with self.memory.lease(step.limits.memory_bytes) as cgroup, self._start(step, cgroup) as start:
            finished = start.process.run(
                [self._parent.reachable(self._bwrap), *self.options(step, start), "--", *step.argv],
                env=BWRAP_ENVIRONMENT,
                stdin=step.stdin,
                parent=self._parent,
            )
            ended, exit_code = _bwrap_ending(step, finished, start.process)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=finished.stdout,
                stderr=finished.stderr,
                outputs=start.outputs(),
                wall_ms=finished.wall_ms,
                cpu_ms=start.process.cpu_ms,
            )

    def close(self) -> None:
        """Kill the sandboxes that are still running, and start no more."""
        self._parent.close()
        self.memory.close()

    @property
    def configuration(self) -> str:
        """The bwrap program, our own files, and the mechanism that limits memory."""
        files = cache.identify_files(Path(self._bwrap), *cache.own_files())
        return f"bubblewrap; {self.memory.mechanism}; {files}"

    def probe(self) -> Isolation:
        """Try to break each promise."""
        version = subprocess.run([self._bwrap, "--version"], capture_output=True, text=True, check=False).stdout
        self.memory.verify(lambda: probe.find_breaches(self, trials={"burst"})["tree_memory"])
        return Isolation(
            kind="bubblewrap",
            version=version.strip(),
            breaches=probe.find_breaches(self, make_disposable=self.disposable),
            watched=self.memory.watched,
            held_by={"tree_memory": self.memory.description},
        )

    def disposable(self) -> DisposableSandbox:
        """Return another sandbox of the same kind, whose parent can be ended."""
        other = type(self)(self._bwrap, self._settings)
        return DisposableSandbox(sandbox=other, end_parent=other._parent.end_thread)

    def options(self, step: Step, start: BwrapStart) -> list[str]:
        """Return bwrap's options for a step."""
        options = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
        options += ["--unshare-cgroup-try", "--uid", "65534", "--gid", "65534", "--disable-userns"]
        options += ["--die-with-parent", "--new-session", "--clearenv"]
        options += ["--json-status-fd", str(start.process.status_fd), *orphans.owner_arguments()]
        options += ["--as-pid-1"] if step.init else []
        options += ["--proc", "/proc"] if step.proc else []
        for name, value in sorted(step.env.items()):
            options += ["--setenv", name, value]
        for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
            options += ["--dev-bind", device, device]
        for mount in step.mounts:
            if not mount.optional or os.path.lexists(mount.source):
                options += ["--ro-bind", self._parent.reachable(mount.source), mount.target]
        if step.keep:
            options += ["--bind", self._parent.reachable(step.keep), "/w"]
        elif step.workdir:
            options += ["--size", str(_WORK_BYTES), "--tmpfs", "/w"]
            for name, descriptor in start.file_fds.items():
                options += ["--file", str(descriptor), f"/w/{name}"]
        else:
            options += ["--size", str(_TMP_BYTES), "--tmpfs", "/x"]
        # the gate's file is hidden: an empty folder is mounted over it
        options += ["--file", str(start.process.gate_fd), "/tmp/gate", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]
        options += ["--chdir", "/w" if step.workdir else "/tmp", "--remount-ro", "/"]
        return [*options, "--cap-drop", "ALL", "--seccomp", str(start.filter_fd)]

    @contextlib.contextmanager
    def _start(self, step: Step, cgroup: MemoryCgroup | None) -> Iterator[BwrapStart]:
        start = BwrapStart(step, self._filters[step.loopback], self._user, cgroup)
        with start.process, contextlib.closing(start):
            yield start


class BwrapStart:
    """One start of bwrap: the files it is given as descriptors, and the work folder it is asked for at the gate."""

    def __init__(self, step: Step, seccomp_filter: bytes, user: int | None, cgroup: MemoryCgroup | None) -> None:
        self._step = step
        self._user = user
        self._folder: int | None = None
        """The work folder, where it exists in the sandbox alone."""
        self._has_private_folder = step.workdir and not step.keep
        self.filter_fd = _memory_file(seccomp_filter)
        files = step.files if self._has_private_folder else {}
        self.file_fds = {name: _memory_file(content) for name, content in files.items()}
        inherited = (self.filter_fd, *self.file_fds.values())
        self.process = SandboxStart(step, cgroup, inherited=inherited, on_ready=self._limit_and_open)

    def close(self) -> None:
        """Close the work folder."""
        if self._folder is not None:
            os.close(self._folder)

    def outputs(self) -> dict[str, bytes]:
        """Read the step's outputs."""
        if self._folder is not None:
            return workdir.collect(self._step, self._folder)
        return workdir.collect_kept(self._step) if self._step.keep else {}

    def _limit_and_open(self, first: int) -> None:
        start_gate.set_limits(first, rlimits.from_limits(self._step.limits), self._user)
        if self._has_private_folder:
            self._folder = start_gate.open_folder(first, "/w", self._user)


def _memory_file(content: bytes) -> int:
    """Open a nameless file in memory, to be read from its beginning."""
    descriptor = os.memfd_create("forgetest")
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _bwrap_ending(step: Step, finished: FinishedProcess, start: SandboxStart) -> tuple[Ending, int]:
    """Return how the command itself ended; raises MachineryError where it was the sandbox that failed."""
    if start.memory_is_exhausted():
        return "memory_limit", finished.exit_code
    if start.began and finished.ended not in ("exited", "signalled"):
        return finished.ended, finished.exit_code
    status = start_gate.parse_status(finished.status)
    if "exit-code" not in status:
        raise MachineryError(f"the sandbox did not run {step.name}: {start.failure(finished)}")
    return exit_status.decode(status["exit-code"])
