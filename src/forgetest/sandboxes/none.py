"""Steps as processes of the host: kind `none`, which holds nothing back, and what kind `landlock` is built on.

Limits hold in both. Without namespaces, a step's paths are translated (see `layout.py`), processes are counted
with all others of their user, and the size of a folder is not limited.
"""

from __future__ import annotations

import base64
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from forgetest.errors import MachineryError
from forgetest.sandboxes import Isolation
from forgetest.sandboxes.filesystem import path_translation, workdir
from forgetest.sandboxes.filesystem.path_translation import Layout
from forgetest.sandboxes.memory import process_tree
from forgetest.sandboxes.memory.cgroup import Seat
from forgetest.sandboxes.memory.pool import Seats
from forgetest.sandboxes.process import orphans, rlimits, start_gate
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.process.supervise import Finished, Supervision, run
from forgetest.sandboxes.proof import cache, probe
from forgetest.sandboxes.proof.probe import AbandonedSandbox
from forgetest.verdict import Ending, Execution, Step

_UID = 61001  # as for bubblewrap, another


def create() -> Plain:
    """No sandbox. Whoever calls this has said that it is wanted."""
    return Plain()


class Plain:
    """Runs each step as a process of the host, within limits."""

    kind = "none"
    not_promised: tuple[str, ...] = tuple(sorted(probe.PROMISES))
    filter: bytes = b""

    def __init__(self) -> None:
        self._user = _UID if os.geteuid() == 0 else None
        self._parent = Parent(user=self._user)
        self._seats = Seats()
        self._attending: set[_Attendance] = set()
        self._closed = False

    def run(self, step: Step) -> Execution:
        """Run one step."""
        with (
            _folder() as root,
            self._seats.taken(step.limits.memory_bytes) as seat,
            _Attendance(step, self._attending, seat) as attendance,
        ):
            if step.keep and self._user is not None:
                os.chown(step.keep, self._user, self._user)  # its own: nothing to be lent, which is for reading only
            laid = path_translation.lay_out(step, root, self._parent.staged)
            self._hand_over(root, step)
            finished = run(
                [*self._confiner(), self._configuration(laid, attendance)],
                env={},
                stdin=laid.step.stdin,
                wall_s=step.limits.wall_s,
                output_bytes=step.limits.output_bytes,
                supervision=attendance.supervision(),
                spawn=lambda begin: self._parent.spawn(begin, seat.entered) if seat else self._parent.spawn(begin),
            )
            if self._closed:
                raise MachineryError(f"{step.name}: the sandbox was closed while it ran")
            exhausted = attendance.begun and seat and seat.check(step.name)
            ended, exit_code = _ending(step, finished, exhausted=bool(exhausted), begun=attendance.begun)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=path_translation.translated_back(finished.stdout, laid),
                stderr=path_translation.translated_back(finished.stderr, laid),
                outputs=workdir.collect_from(step, laid.work) if step.workdir else {},
                wall_ms=finished.wall_ms,
            )

    def probe(self) -> Isolation:
        """Nothing is tried: nothing is promised."""
        return Isolation(kind=self.kind, version="no sandbox", not_promised=self.not_promised)

    def close(self) -> None:
        """Kill what is still running, and start nothing more."""
        self._closed = True
        for attendance in list(self._attending):
            attendance.stop()
        self._parent.close()
        self._seats.close()

    @property
    def configuration(self) -> str:
        """Our own files, and what holds memory."""
        return f"{self.kind}; {self._seats.kind}; {cache.files_identity(*cache.own_files())}"

    def _abandoned(self) -> AbandonedSandbox:
        other = type(self)()
        return AbandonedSandbox(other, other._parent.abandon)

    def _configuration(self, laid: Layout, attendance: _Attendance) -> str:
        step = laid.step
        words: dict[str, Any] = {
            "argv": step.argv,
            "env": dict(step.env),
            "folder": laid.start,
            "limits": [(which, pair) for which, pair in rlimits.of(step.limits).items() if which != rlimits.PROCESSES],
            "confined": bool(self.filter),
            "filter": base64.b64encode(self.filter).decode(),
            "readable": [*laid.readable, *(["/proc"] if step.proc else [])],
            "writable": laid.writable,
            "status": attendance.status,
            "gate": attendance.gate,
        }
        return msgspec.json.encode(words).decode()

    def _confiner(self) -> list[str]:
        program = resources.files("forgetest.sandboxes.process").joinpath("confine.py").read_text(encoding="utf-8")
        return [self._parent.staged(os.path.realpath(sys.executable)), "-I", "-S", "-c", program]

    def _hand_over(self, root: Path, step: Step) -> None:
        folders = [root, *([Path(step.keep)] if step.keep else [])]
        if self._user is not None:
            for path in [*folders, *(inner for folder in folders for inner in folder.rglob("*"))]:
                os.chown(path, self._user, self._user, follow_symlinks=False)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=orphans.prefix(), ignore_cleanup_errors=True) as folder:
        held = orphans.hold(Path(folder))
        try:
            yield Path(folder)
        finally:
            os.close(held)


class _Attendance:
    """What goes between us and the confiner, and ends all that came of the step."""

    def __init__(self, step: Step, all_of_them: set[_Attendance], seat: Seat | None) -> None:
        self.begun = False
        self._all_of_them = all_of_them
        self._step = step
        self._seat = seat
        self._gate = start_gate.Gate()
        read, write = os.pipe()
        self._status = os.fdopen(read, "rb", buffering=0)
        self._inherited = (self._gate.far, write)
        self.gate, self.status = self._inherited
        self._handed_over = False
        self._confiner = 0

    def __enter__(self) -> _Attendance:
        self._all_of_them.add(self)
        return self

    def __exit__(self, *_: object) -> None:
        self._all_of_them.discard(self)
        if not self._handed_over:
            self._gate.near.close()
            self._status.close()
            for descriptor in self._inherited:
                os.close(descriptor)

    def supervision(self) -> Supervision:
        """What the process is run with, which closes the descriptors."""
        self._handed_over = True
        return Supervision(
            inherited=self._inherited,
            status=self._status,
            gate=self._gate.near,
            begin=self._begin,
            stop=self.stop,
        )

    def _begin(self, status: bytes) -> Callable[[], Ending | None] | None:
        self._confiner = start_gate.first_process(status)
        if not self._confiner:
            return None
        self.begun = True
        start_gate.offer(self._confiner)
        if self._seat:
            self._seat.admit(self._confiner)
        return process_tree.watcher(
            self._confiner, self._step.limits, self._seat if self._seat and self._seat.holds else None
        )

    def stop(self) -> None:
        """Kill all below the confiner, which goes last: it is where they come to when their parents end."""
        while self._confiner and (left := process_tree.below(self._confiner)):
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)


def _ending(step: Step, finished: Finished, *, exhausted: bool, begun: bool) -> tuple[Ending, int]:
    if exhausted:
        return "memory_limit", finished.exit_code
    status: dict[str, int] = {}
    for line in finished.status.splitlines():
        status.update(msgspec.json.decode(line, type=dict[str, int]))
    told = finished.stderr.decode(errors="replace").strip().splitlines()
    if "failed" in status or not begun:
        raise MachineryError(f"{step.name} could not be started: {told[-1] if told else finished.ended}")
    if finished.ended not in ("exited", "signalled"):
        return finished.ended, finished.exit_code
    if "exit-code" not in status:
        raise MachineryError(f"{step.name}: what looked after it was killed")
    code = status["exit-code"]
    if code == 128 + signal.SIGXCPU:
        return "cpu_limit", 128 - code
    return ("exited", code) if code <= 128 else ("signalled", 128 - code)
