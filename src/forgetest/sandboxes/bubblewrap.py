"""bubblewrap: namespaces of its own for every step, nothing of the host but what the step lists.

A step sees its mounts read-only, an empty `/tmp`, `/dev/null`, `/dev/zero` and `/dev/urandom`; with a work
folder, `/w`; without one, an empty `/x` as well. All of these are in memory, of a limited size, and gone with the
sandbox. No `/proc`, no network, no home, no environment but the step's own. As root, steps run as a user that
owns nothing, because limits mean nothing for root.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Isolation
from forgetest.sandboxes.filesystem import workdir
from forgetest.sandboxes.memory import process_tree
from forgetest.sandboxes.memory.cgroup import Seat
from forgetest.sandboxes.memory.pool import Seats
from forgetest.sandboxes.process import orphans, rlimits, seccomp, start_gate
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.process.supervise import Finished, Supervision, run
from forgetest.sandboxes.proof import cache, probe
from forgetest.sandboxes.proof.probe import AbandonedSandbox
from forgetest.verdict import Ending, Execution, Step

_UID = 61000  # a user that exists nowhere, for steps started by root
_TMP_BYTES = 64 << 20
_WORK_BYTES = 512 << 20
_HOST_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
"""Of bwrap itself, which a sandbox with a `/proc` could read."""


def create() -> Bubblewrap:
    """The sandbox, or what to install."""
    path = shutil.which("bwrap")
    if path is None:
        raise UserError(
            "bubblewrap is not installed, and code that nobody has read is not run without it: "
            "install the package `bubblewrap` (Debian: apt-get install bubblewrap)"
        )
    orphans.sweep()
    return Bubblewrap(os.path.realpath(path))


class Bubblewrap:
    """Runs each step by a bwrap of its own."""

    def __init__(self, path: str, alter: Callable[[list[str]], list[str]] = lambda words: words) -> None:
        """`alter` has the last word on bwrap's options: to show what each of them is there for."""
        self._bwrap = path
        self._alter = alter
        self._user = _UID if os.geteuid() == 0 else None
        self._filter = seccomp.program()
        self._parent = Parent(user=self._user)
        self._seats = Seats()

    def run(self, step: Step) -> Execution:
        """Run one step in new namespaces."""
        if step.keep:
            workdir.lay_kept(step, Path(step.keep), self._user)
        with self._seats.taken(step.limits.memory_bytes) as seat, _Start(step, self._filter, self._user, seat) as start:
            words = self._alter(self._arguments(step, start))
            finished = run(
                [self._parent.staged(self._bwrap), *words, "--", *step.argv],
                env=_HOST_ENVIRONMENT,
                stdin=step.stdin,
                wall_s=step.limits.wall_s,
                output_bytes=step.limits.output_bytes,
                supervision=start.supervision(),
                spawn=lambda begin: self._parent.spawn(begin, seat.entered) if seat else self._parent.spawn(begin),
            )
            ended, exit_code = _ending(step, finished, start)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=finished.stdout,
                stderr=finished.stderr,
                outputs=self._outputs(step, start),
                wall_ms=finished.wall_ms,
            )

    def close(self) -> None:
        """Kill the sandboxes that are still running, and start no other."""
        self._parent.close()
        self._seats.close()

    @property
    def configuration(self) -> str:
        """The file of bwrap, our own, and what holds memory."""
        files = cache.files_identity(Path(self._bwrap), *cache.own_files())
        return f"bubblewrap; {self._seats.kind}; {files}"

    def probe(self) -> Isolation:
        """Try to break each promise."""
        version = subprocess.run([self._bwrap, "--version"], capture_output=True, text=True, check=False).stdout
        self._seats.prove(lambda: probe.attempt_everything(self, trials={"burst"})["tree_memory"])
        return Isolation(
            kind="bubblewrap",
            version=version.strip(),
            breaches=probe.attempt_everything(self, abandoned=self._abandoned),
            watched=self._seats.watched,
            held_by={"tree_memory": self._seats.held_by},
        )

    def _abandoned(self) -> AbandonedSandbox:
        other = Bubblewrap(self._bwrap, self._alter)
        return AbandonedSandbox(other, other._parent.abandon)

    def _outputs(self, step: Step, start: _Start) -> dict[str, bytes]:
        if start.folder is not None:
            return workdir.collect(step, start.folder)
        return workdir.collect_kept(step) if step.keep else {}

    def _arguments(self, step: Step, start: _Start) -> list[str]:
        words = ["--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
        words += ["--unshare-cgroup-try", "--uid", "65534", "--gid", "65534", "--disable-userns"]
        words += ["--die-with-parent", "--new-session", "--clearenv", "--json-status-fd", start.status]
        words += orphans.mark()
        words += ["--as-pid-1"] if step.init else []
        words += ["--proc", "/proc"] if step.proc else []
        for name, value in sorted(step.env.items()):
            words += ["--setenv", name, value]
        for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
            words += ["--dev-bind", device, device]
        for mount in step.mounts:
            if not mount.optional or os.path.lexists(mount.source):
                words += ["--ro-bind", self._parent.staged(mount.source), mount.target]
        if step.keep:
            words += ["--bind", self._parent.staged(step.keep), "/w"]
        elif step.workdir:
            words += ["--size", str(_WORK_BYTES), "--tmpfs", "/w"]
            for name, descriptor in start.files:
                words += ["--file", descriptor, f"/w/{name}"]
        else:
            words += ["--size", str(_TMP_BYTES), "--tmpfs", "/x"]
        # the gate hides itself: an empty folder comes over it
        words += ["--file", start.gate, "/tmp/gate", "--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]
        words += ["--chdir", "/w" if step.workdir else "/tmp", "--remount-ro", "/"]
        return [*words, "--cap-drop", "ALL", "--seccomp", start.filter]


class _Start:
    """One start of bwrap: the descriptors that it is given, and what is done while it waits at the gate."""

    def __init__(self, step: Step, filter_: bytes, user: int | None, seat: Seat | None) -> None:
        self.folder: int | None = None
        """The work folder, where it lives in the sandbox alone."""
        self.begun = False
        self.problem: OSError | None = None
        self._step = step
        self._user = user
        self.seat = seat
        self._private = step.workdir and not step.keep
        self._gate = start_gate.Gate()
        read, write = os.pipe()
        self._status = os.fdopen(read, "rb", buffering=0)
        contents = dict(step.files) if self._private else {}
        self._inherited = (self._gate.far, write, *(_in_memory(content) for content in (filter_, *contents.values())))
        self._handed_over = False
        self.gate, self.status, self.filter, *files = (str(number) for number in self._inherited)
        self.files = list(zip(contents, files, strict=True))

    def __enter__(self) -> _Start:
        return self

    def __exit__(self, *_: object) -> None:
        if self.folder is not None:
            os.close(self.folder)
        if not self._handed_over:
            self._gate.near.close()
            self._status.close()
            for descriptor in self._inherited:
                os.close(descriptor)

    def supervision(self) -> Supervision:
        """What the process is run with, which closes the descriptors."""
        self._handed_over = True
        return Supervision(inherited=self._inherited, status=self._status, gate=self._gate.near, begin=self._begin)

    def _begin(self, status: bytes) -> Callable[[], Ending | None] | None:
        first = start_gate.first_process(status)
        if not first:
            return None  # it has ended before it said anything; and number 0 would be this process
        try:
            start_gate.limit(first, rlimits.of(self._step.limits), self._user)
            if self._private:
                self.folder = start_gate.open_folder(first, "/w", self._user)
            if self.seat:
                self.seat.admit(first)
        except OSError as error:
            self.problem = error
            return None
        self.begun = True
        return process_tree.watcher(first, self._step.limits, self.seat if self.seat and self.seat.holds else None)


def _in_memory(content: bytes) -> int:
    """A file without a name, read from its beginning."""
    descriptor = os.memfd_create("forgetest")
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _ending(step: Step, finished: Finished, start: _Start) -> tuple[Ending, int]:
    """How the command itself ended; raises where it was the sandbox that failed."""
    if start.begun and start.seat and start.seat.check(step.name):
        return "memory_limit", finished.exit_code
    if start.begun and finished.ended not in ("exited", "signalled"):
        return finished.ended, finished.exit_code
    status = start_gate.told(finished.status)
    if "exit-code" not in status:
        said = finished.stderr.decode(errors="replace").strip().splitlines()
        reason = said[-1] if said else start.problem or finished.ended
        raise MachineryError(f"the sandbox did not run {step.name}: {reason}")
    code = status["exit-code"]
    if code == 128 + signal.SIGXCPU:
        return "cpu_limit", 128 - code
    return ("exited", code) if code <= 128 else ("signalled", 128 - code)
