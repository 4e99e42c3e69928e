"""Containers: each step in one of its own, by podman or docker, for those who would rather trust an engine they know.

What a step sees is what it sees in bubblewrap. An engine brings more along than that (`/proc`, `/sys`, devices,
files in `/etc`), and starts what it is given at once; so the first process in there is ours (`init.c`). It waits
until limits can be watched, closes by Landlock what was not listed, and becomes the command or its parent.
"""

from __future__ import annotations

import contextlib
import os
import platform
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from forgetest import config
from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Isolation, landlock
from forgetest.sandboxes.container import engines, init, owner
from forgetest.sandboxes.container.engines import Engine, Place
from forgetest.sandboxes.container.supervision import Attendance
from forgetest.sandboxes.filesystem import idmapped_mounts, readable_copies, workdir
from forgetest.sandboxes.memory.pool import Seats
from forgetest.sandboxes.process import orphans, seccomp
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.process.supervise import run
from forgetest.sandboxes.proof import cache, probe
from forgetest.sandboxes.proof.probe import AbandonedSandbox
from forgetest.verdict import Execution, Mount, Step

_PATIENCE_S = 10.0
"""How long what is killed may take to end."""
_TMP_BYTES = 64 << 20
_WORK_BYTES = 512 << 20
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def podman() -> Container:
    """Containers by podman, or what it lacks."""
    return _ready(engines.found(engines.Podman, config.engine_environment()))


def docker() -> Container:
    """Containers by docker, or what it lacks."""
    return _ready(engines.found(engines.Docker, config.engine_environment()))


def _ready(engine: Engine) -> Container:
    if not init.held_back(landlock.abi()):
        raise UserError(
            f"a container engine brings `/proc` and more along, which Landlock hides: Linux {platform.release()} has "
            "none that will do, or has it switched off; Linux 5.19 has it"
        )
    orphans.sweep()
    container = Container(engine)
    try:
        container.furnish()
        container.settle()
    except BaseException:
        container.close()
        raise
    return container


class Container:
    """Runs each step in a container of its own."""

    def __init__(self, engine: Engine, alter: Callable[[list[str]], list[str]] = lambda words: words) -> None:
        """`alter` has the last word on the engine's options: to show what each of them is there for."""
        self.engine = engine
        self.not_promised = engine.not_promised
        self.filter = seccomp.program()
        self.held_back = init.held_back(landlock.abi())
        self._alter = alter
        self._user = engine.user if os.geteuid() == 0 else None
        self._parent = Parent(user=self._user, becomes=False)
        self._seats = Seats()
        if not engine.own_user and not self._seats.beside_others:
            self._seats.close(f"{engine.name} counts processes in cgroups of its own, and a process is in one only")
        self._attending: set[Attendance] = set()
        self._names: set[str] = set()
        self._closed = False
        self._stage = Path(tempfile.mkdtemp(prefix=orphans.prefix()))
        self._held = orphans.hold(self._stage)
        self._stage.chmod(0o711)
        self._owner = owner.this_process()

    def furnish(self) -> None:
        """Build what every container starts with."""
        init.build(self._stage, self.engine.environment)

    def settle(self) -> None:
        """Find out how the engine can start a container here, and remove what killed processes of ours left."""
        closed = [folder for folder in self._stage.parents if not folder.stat().st_mode & stat.S_IXOTH]
        if closed and self._user is not None:
            raise UserError(
                f"TMPDIR: containers run as a user that may not enter {closed[-1]}; "
                "set TMPDIR to a folder that everybody may enter, such as /tmp"
            )
        step = Step(name="trial", argv=("",))
        with self._place(step) as place:
            self.engine = engines.that_works(self.engine, place, [_gate(step) + "/init"])
        owner.sweep(self.engine)

    def run(self, step: Step) -> Execution:
        """Run one step in a new container."""
        if step.keep:
            workdir.lay_kept(step, Path(step.keep), self._user)
        with (
            self._place(step) as place,
            self._seats.taken(step.limits.memory_bytes) as seat,
            Attendance(step, self._attending, self._orders(step), seat) as attendance,
        ):
            command = [f"{_gate(step)}/init", f"{_gate(step)}/socket"]
            finished = run(
                [*attendance.attendant(place, self.engine.user), *self._alter(self.engine.starting(place, command))],
                env=self.engine.environment,
                stdin=step.stdin,
                wall_s=step.limits.wall_s,
                output_bytes=step.limits.output_bytes,
                supervision=attendance.supervision(lambda: self._kill(place)),
                spawn=self._parent.spawn,
            )
            if self._closed:
                raise MachineryError(f"{step.name}: the sandbox was closed while it ran")
            ended, exit_code = attendance.ending(finished)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=finished.stdout,
                stderr=finished.stderr,
                outputs=self._outputs(step, attendance),
                wall_ms=finished.wall_ms,
            )

    def close(self) -> None:
        """Kill what is still running, and start nothing more."""
        left, names, self._closed = list(self._attending), sorted(self._names), True
        for attendance in left:
            attendance.kill()
        self._parent.close()
        self._seats.close()
        # an engine that is just making a container must have ended, or it could still make it
        deadline = time.monotonic() + _PATIENCE_S
        while self._attending and time.monotonic() < deadline:
            time.sleep(0.01)
        for name in names:
            engines.ask(self.engine, "rm", "--force", name)
        if self._held >= 0:
            os.close(self._held)
            self._held = -1
        shutil.rmtree(self._stage, ignore_errors=True)

    @property
    def configuration(self) -> str:
        """The engine, what it uses, and our own files."""
        files = cache.files_identity(Path(self.engine.path), *cache.own_files())
        return f"{self._version()}; {self.held_back}; {self._seats.kind}; {files}"

    def probe(self) -> Isolation:
        """Try to break each promise."""
        self._seats.prove(lambda: probe.attempt_everything(self, trials={"burst"})["tree_memory"])
        return Isolation(
            kind=self.engine.name,
            version=self._version(),
            breaches=probe.attempt_everything(self, abandoned=self._abandoned),
            not_promised=self.not_promised,
            watched=self._seats.watched,
            held_by={"tree_memory": self._seats.held_by},
        )

    def _version(self) -> str:
        asked = engines.ask(self.engine, "--version").stdout.decode(errors="replace").strip()
        return f"{asked}, {self.engine.way}"

    def _abandoned(self) -> AbandonedSandbox:
        other = Container(self.engine, self._alter)
        other.furnish()
        return AbandonedSandbox(other, other._parent.abandon)

    @contextlib.contextmanager
    def _place(self, step: Step) -> Iterator[Place]:
        """The mount points and the gate of one container."""
        if self._closed:
            raise MachineryError("the sandbox is closed")
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory(dir=self._stage, ignore_cleanup_errors=True))
            Path(folder).chmod(0o711)
            root, door = Path(folder, "root"), Path(folder, "gate")
            for made in (root, door):
                made.mkdir()
                made.chmod(0o755)
            os.link(self._stage / "init", door / "init")
            shown = _shown(step)
            mounts = {mount.target: mount.source for mount in shown} | {_gate(step): str(door)}
            sizes = {"/tmp": _TMP_BYTES} | ({"/w": _WORK_BYTES} if step.workdir else {"/x": _TMP_BYTES})
            if step.keep:
                del sizes["/w"]
            for target in (*mounts, *sizes, *(["/w"] if step.keep else ())):
                _mount_point(root, target, is_folder=target not in mounts or Path(mounts[target]).is_dir())
            for folder_in_memory in sizes:
                Path(f"{root}{folder_in_memory}").chmod(0o1777)  # podman gives it the mode of what it covers
            for device in _DEVICES:  # where `/dev` is somebody's own, an engine puts nothing into it
                _mount_point(root, device, is_folder=False)
            for engines_own in ("/proc", "/sys", "/etc/hostname", "/etc/hosts", "/etc/resolv.conf"):
                _mount_point(root, engines_own, is_folder=not engines_own.startswith("/etc"))
            _mount_point(root, "/run/.containerenv", is_folder=False)
            name = f"forgetest-{secrets.token_hex(8)}"
            self._names.add(name)
            stack.callback(self._names.discard, name)
            yield Place(
                name=name,
                owner=self._owner,
                root=root,
                gate=door,
                mounts=[
                    *((self._seen(mount.source), mount.target) for mount in shown),
                    *((device, device) for device in _DEVICES),
                    (str(root / "dev"), "/dev"),
                    (str(door), _gate(step)),
                ],
                writable=[(self._seen(step.keep), "/w")] if step.keep else [],
                sizes=sizes,
                processes=step.limits.processes,
            )

    def _seen(self, source: str) -> str:
        """Where the containers' user can read it: what only root may read is lent or, for a daemon, copied."""
        path = os.path.realpath(source)
        if self.engine.sees_our_mounts:
            return self._parent.staged(path)
        if self._user is not None and idmapped_mounts.is_closed(Path(path), self._user):
            return str(readable_copies.readable(Path(path), config.cache_folder()))
        return path

    def _orders(self, step: Step) -> bytes:
        readable = {mount.target: Path(mount.source).is_dir() for mount in _shown(step)}
        return init.orders(
            step,
            files=step.files if step.workdir and not step.keep else {},
            own_user=self.engine.own_user,
            held_back=self.held_back,
            rules=init.rules(step, readable=readable),
            filter_=self.filter,
        )

    def _kill(self, place: Place) -> None:
        """Where its processes are not ours to signal, the engine's daemon does it."""
        engines.ask(self.engine, "kill", place.name)

    def _outputs(self, step: Step, attendance: Attendance) -> dict[str, bytes]:
        if attendance.folder is not None:
            return workdir.collect(step, attendance.folder)
        return workdir.collect_kept(step) if step.keep else {}


def _gate(step: Step) -> str:
    """Where the gate is in a container: the one of two folders that the step has not. It is soon an empty one."""
    return "/x" if step.workdir else "/w"


def _shown(step: Step) -> list[Mount]:
    """The mounts of a step that there are; of two in the same place the later one, as engines take none but one."""
    shown = {}
    for mount in step.mounts:
        if os.path.lexists(mount.source):
            shown[mount.target] = mount
        elif not mount.optional:
            raise MachineryError(f"{step.name}: {mount.source} is not there to be shown to the step")
    return [*shown.values()]


def _mount_point(root: Path, target: str, *, is_folder: bool) -> None:
    """Made by us: the engine's own user in a container may write nowhere."""
    point = root / target.lstrip("/")
    folders = [root / above for above in reversed(point.relative_to(root).parents)]
    for folder in (*folders, point) if is_folder else folders:
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)  # whatever the umask is: users that own nothing pass here
    if not is_folder:
        point.touch()
