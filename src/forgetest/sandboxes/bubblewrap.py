"""bubblewrap: namespaces of its own for every step, nothing of the host but what the step lists.

A step sees its mounts read-only, an empty `/tmp`, `/dev/null`, `/dev/zero` and `/dev/urandom`; with a work
folder, `/w`; without one, an empty `/x` as well. No `/proc`, no network, no home, no environment but the
step's own. As root, steps run as a user that owns nothing, because limits mean nothing for root.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Isolation, leftovers, probe
from forgetest.sandboxes.parent import Parent
from forgetest.sandboxes.process import Finished, collect_outputs, lay_files, run
from forgetest.verdict import Ending, Execution, Step

_UID = 61000  # a user that exists nowhere, for steps started by root
_TMP_BYTES = 64 << 20
_STATUS = "@status@"


def create() -> Bubblewrap:
    """The sandbox, or what to install."""
    path = shutil.which("bwrap")
    if path is None:
        raise UserError(
            "bubblewrap is not installed, and code that nobody has read is not run without it: "
            "install the package `bubblewrap` (Debian: apt-get install bubblewrap)"
        )
    leftovers.sweep()
    return Bubblewrap(path)


class Bubblewrap:
    """Runs each step by a bwrap of its own."""

    def __init__(self, path: str) -> None:
        self._bwrap = path
        self._root = os.geteuid() == 0
        self._parent = Parent(stage=self._root)

    def run(self, step: Step) -> Execution:
        """Run one step in new namespaces."""
        with _work_folder(step, self._root) as folder:
            argv = [*self._limits(step), *self._user(), self._bwrap, *self._arguments(step, folder), "--", *step.argv]
            finished = run(
                argv,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
                stdin=step.stdin,
                wall_s=step.limits.wall_s,
                output_bytes=step.limits.output_bytes,
                status_option=_STATUS,
                spawn=self._parent.spawn,
            )
            if folder is not None and not folder.is_dir():
                raise MachineryError(f"{step.name}: its work folder {folder} was removed while it ran")
            ended, exit_code = _ending(step, finished)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=finished.stdout,
                stderr=finished.stderr,
                outputs=collect_outputs(step, folder) if folder else {},
                wall_ms=finished.wall_ms,
            )

    def close(self) -> None:
        """Kill the sandboxes that are still running, and start no other."""
        self._parent.close()

    def probe(self) -> Isolation:
        """Try to break each promise."""
        version = subprocess.run([self._bwrap, "--version"], capture_output=True, text=True, check=False).stdout
        return Isolation(kind="bubblewrap", version=version.strip(), held=probe.attempt_everything(self))

    def _limits(self, step: Step) -> list[str]:
        limits, cpu_s = step.limits, max(1, round(step.limits.cpu_s))
        return [
            "prlimit",
            f"--as={limits.memory_bytes}",
            f"--cpu={cpu_s}:{cpu_s + 5}",  # first SIGXCPU, which tells it apart from a kill by the host
            f"--fsize={limits.file_bytes}",
            "--core=0",
            "--",
        ]

    def _user(self) -> list[str]:
        if not self._root:
            return []
        return ["setpriv", f"--reuid={_UID}", f"--regid={_UID}", "--clear-groups", "--"]

    def _arguments(self, step: Step, folder: Path | None) -> list[str]:
        words = ["--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"]
        words += ["--die-with-parent", "--new-session", "--clearenv", "--json-status-fd", _STATUS]
        words += leftovers.mark()
        words += ["--as-pid-1"] if step.init else []
        words += ["--proc", "/proc"] if step.proc else []
        for name, value in sorted(step.env.items()):
            words += ["--setenv", name, value]
        for device in ("/dev/null", "/dev/zero", "/dev/urandom"):
            words += ["--dev-bind", device, device]
        for mount in step.mounts:
            if not mount.optional or os.path.lexists(mount.source):
                words += ["--ro-bind", self._parent.staged(mount.source), mount.target]
        words += ["--size", str(_TMP_BYTES), "--tmpfs", "/tmp"]
        if folder is None:
            words += ["--size", str(_TMP_BYTES), "--tmpfs", "/x", "--chdir", "/tmp"]
        else:
            words += ["--bind", self._parent.staged(str(folder)), "/w", "--chdir", "/w"]
        return [*words, "--remount-ro", "/", "--cap-drop", "ALL"]


@contextlib.contextmanager
def _work_folder(step: Step, root: bool) -> Iterator[Path | None]:
    """A folder with the step's files; gone afterwards, unless it is to be kept."""
    if not step.workdir:
        yield None
        return
    with contextlib.ExitStack() as stack:
        if step.keep:
            folder = Path(step.keep)
        else:
            # in memory where there is room: it is small and short-lived
            place = leftovers.SHM if os.access(leftovers.SHM, os.W_OK) else None
            prefix = leftovers.prefix("work")
            outer = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=prefix, dir=place)))
            stack.callback(os.close, leftovers.hold(outer))
            outer.chmod(0o711)  # other users may pass through to what they own, not look around
            folder = outer / "w"
            folder.mkdir(mode=0o700)
        lay_files(step, folder)
        if root:
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, _UID, _UID)
        yield folder


def _ending(step: Step, finished: Finished) -> tuple[Ending, int]:
    """How the command itself ended; raises where it was the sandbox that failed."""
    if finished.ended in ("wall_limit", "output_limit"):
        return finished.ended, finished.exit_code
    status = {}
    for line in finished.status.splitlines():
        status.update(msgspec.json.decode(line, type=dict[str, int]))
    if "exit-code" not in status:
        told = finished.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(f"the sandbox did not run {step.name}: {told[-1] if told else finished.exit_code}")
    code = status["exit-code"]
    if code == 128 + signal.SIGXCPU:
        return "cpu_limit", 128 - code
    return ("exited", code) if code <= 128 else ("signalled", 128 - code)
