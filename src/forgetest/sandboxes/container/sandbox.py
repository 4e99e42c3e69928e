"""Containers: each step in one of its own, by podman or docker, for those who prefer to trust an engine they know.

A step sees what it would see in bubblewrap. An engine brings more than that (`/proc`, `/sys`, devices, files in
`/etc`) and starts a command at once; so the first process inside is ours (`init.c`). It waits until limits can be
watched, closes everything that was not listed by Landlock, and becomes the command or its parent.
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
from collections.abc import Iterator
from pathlib import Path

from forgetest.errors import MachineryError, UserError
from forgetest.sandboxes import Isolation, SandboxSettings, landlock, orphans
from forgetest.sandboxes.container import engines, init, monitors, mount_points, owner
from forgetest.sandboxes.container.engines import ContainerSpec, Engine
from forgetest.sandboxes.container.supervision import ContainerSupervision
from forgetest.sandboxes.filesystem import idmapped_mounts, readable_copies, workdir
from forgetest.sandboxes.memory.pool import CgroupPool
from forgetest.sandboxes.process import seccomp
from forgetest.sandboxes.process.parent import Parent
from forgetest.sandboxes.proof import cache, probe
from forgetest.sandboxes.proof.probe import DisposableSandbox
from forgetest.verdict import Execution, Step

_KILL_S = 10.0
"""Time that killed processes may take to end."""


def podman(settings: SandboxSettings) -> Container:
    """Return containers by podman; raises UserError with what it lacks."""
    return _create(engines.find_engine(engines.Podman, settings.engine_environment), settings)


def docker(settings: SandboxSettings) -> Container:
    """Return containers by docker; raises UserError with what it lacks."""
    return _create(engines.find_engine(engines.Docker, settings.engine_environment), settings)


def _create(engine: Engine, settings: SandboxSettings) -> Container:
    if not init.landlock_rights(landlock.abi()):
        raise UserError(
            f"a container engine brings `/proc` and more, which Landlock hides: Linux {platform.release()} has "
            "none that is recent enough, or has it switched off; Linux 5.19 has it"
        )
    orphans.sweep()
    container = Container(engine, settings)
    try:
        container.choose_variant()
    except BaseException:
        container.close()
        raise
    return container


class Container:
    """Runs each step in a container of its own."""

    def __init__(self, engine: Engine, settings: SandboxSettings) -> None:
        self.engine = engine
        self.not_promised = engine.not_promised
        self.seccomp_filters = {False: seccomp.program(), True: seccomp.program(sockets="unix, tcp, udp")}
        """The filters of steps without and with a loopback of their own."""
        self.landlock_rights = init.landlock_rights(landlock.abi())
        """Access rights that Landlock controls in a container; 0 for none."""
        self.memory = CgroupPool()
        """Limits the memory of all processes of a step together."""
        if not engine.own_user and not self.memory.allows_other_cgroups:
            self.memory.close(f"{engine.name} counts processes in cgroups of its own, and a process is in one only")
        self._settings = settings
        self._user = engine.user if os.geteuid() == 0 else None
        self._parent = Parent(user=self._user, cache_folder=settings.cache_folder, switches_user=False)
        self._running: set[ContainerSupervision] = set()
        self._names: set[str] = set()
        self._closed = False
        self._owner = owner.this_process()
        self._stage = Path(tempfile.mkdtemp(prefix=orphans.folder_prefix()))
        self._stage_lock = orphans.lock_folder(self._stage)
        self._stage.chmod(0o711)
        try:
            init.build(self._stage, engine.environment)
        except BaseException:
            self.close()
            raise

    def choose_variant(self) -> None:
        """Find out how the engine can start a container here, and remove what killed processes of ours left."""
        closed = [folder for folder in self._stage.parents if not folder.stat().st_mode & stat.S_IXOTH]
        if closed and self._user is not None:
            raise UserError(
                f"TMPDIR: containers run as a user that may not enter {closed[-1]}; "
                "set TMPDIR to a folder that everybody may enter, such as /tmp"
            )
        step = Step(name="trial", argv=("",))
        with self._specify(step) as spec:
            command = [f"{mount_points.gate_target(step)}/init"]
            self.engine = engines.find_working_variant(self.engine, spec, command)
        owner.sweep(self.engine)

    def run(self, step: Step) -> Execution:
        """Run one step in a new container."""
        if step.keep:
            workdir.write_kept_files(step, Path(step.keep), self._user)
        with self._specify(step) as spec, self._supervise(step, spec) as supervision:
            finished = supervision.start.run(
                [*supervision.supervisor_command(spec, self.engine.user), *self.engine_command(step, spec)],
                env=self.engine.environment,
                stdin=step.stdin,
                parent=self._parent,
                in_cgroup=False,  # the engine and its helpers are not the step's
            )
            if self._closed:
                raise MachineryError(f"{step.name}: the sandbox was closed while it ran")
            ended, exit_code = supervision.ending(finished)
            return Execution(
                step=step.name,
                ended=ended,
                exit_code=exit_code,
                stdout=finished.stdout,
                stderr=finished.stderr,
                outputs=supervision.outputs(),
                wall_ms=finished.wall_ms,
                cpu_ms=supervision.start.cpu_ms,
            )

    def engine_command(self, step: Step, spec: ContainerSpec) -> list[str]:
        """Return the engine's command that starts a step's container."""
        gate = mount_points.gate_target(step)
        return self.engine.run_command(spec, [f"{gate}/init", f"{gate}/socket"])

    def close(self) -> None:
        """Kill everything that is still running, and start no more."""
        running, names, self._closed = list(self._running), sorted(self._names), True
        for supervision in running:
            supervision.kill()
        self._parent.close()
        self.memory.close()
        # an engine that is just making a container must have ended, or it could still make it
        deadline = time.monotonic() + _KILL_S
        while self._running and time.monotonic() < deadline:
            time.sleep(0.01)
        for name in names:
            engines.call(self.engine, "rm", "--force", name)
        monitors.end(self.engine, names)
        if self._stage_lock >= 0:
            os.close(self._stage_lock)
            self._stage_lock = -1
        shutil.rmtree(self._stage, ignore_errors=True)

    @property
    def configuration(self) -> str:
        """The engine, what it uses, and our own files."""
        files = cache.identify_files(Path(self.engine.path), *cache.own_files())
        return f"{self._version()}; {self.landlock_rights}; {self.memory.mechanism}; {files}"

    def probe(self) -> Isolation:
        """Try to break each promise."""
        self.memory.verify(lambda: probe.find_breaches(self, trials={"burst"})["tree_memory"])
        return Isolation(
            kind=self.engine.name,
            version=self._version(),
            breaches=probe.find_breaches(self, make_disposable=self.disposable),
            not_promised=self.not_promised,
            watched=self.memory.watched,
            held_by={"tree_memory": self.memory.description},
        )

    def disposable(self) -> DisposableSandbox:
        """Return another sandbox of the same kind, whose parent can be ended."""
        other = type(self)(self.engine, self._settings)
        return DisposableSandbox(sandbox=other, end_parent=other._parent.end_thread)

    def _version(self) -> str:
        version = engines.call(self.engine, "--version").stdout.decode(errors="replace").strip()
        return f"{version}, {self.engine.variant}"

    @contextlib.contextmanager
    def _specify(self, step: Step) -> Iterator[ContainerSpec]:
        """Make the mount points and the gate of one container, and describe it to an engine."""
        if self._closed:
            raise MachineryError("the sandbox is closed")
        name = f"forgetest-{secrets.token_hex(8)}"
        with tempfile.TemporaryDirectory(dir=self._stage, ignore_cleanup_errors=True) as folder:
            mounts = mount_points.existing_mounts(step)
            points = mount_points.make(step, Path(folder), self._stage / "init")
            self._names.add(name)
            try:
                yield ContainerSpec(
                    name=name,
                    owner=self._owner,
                    root=points.root,
                    gate=points.gate,
                    mounts=[
                        *((self._reachable(mount.source), mount.target) for mount in mounts),
                        *((device, device) for device in mount_points.DEVICES),
                        (str(points.root / "dev"), "/dev"),
                        (str(points.gate), mount_points.gate_target(step)),
                    ],
                    writable=[(self._reachable(step.keep), "/w")] if step.keep else [],
                    sizes=mount_points.memory_folders(step),
                    processes=step.limits.processes,
                )
            finally:
                self._names.discard(name)

    @contextlib.contextmanager
    def _supervise(self, step: Step, spec: ContainerSpec) -> Iterator[ContainerSupervision]:
        def kill_by_engine() -> None:
            engines.call(self.engine, "kill", spec.name)

        with (
            self.memory.lease(step.limits.memory_bytes) as cgroup,
            ContainerSupervision(step, self._instructions(step), cgroup, kill_by_engine) as supervision,
        ):
            self._running.add(supervision)
            try:
                yield supervision
            finally:
                self._running.discard(supervision)

    def _reachable(self, source: str) -> str:
        """Return a path that the containers' user can read; for a daemon, which sees no mount of ours, a copy."""
        path = os.path.realpath(source)
        if self.engine.sees_our_mounts:
            return self._parent.reachable(path)
        if self._user is not None and idmapped_mounts.is_unreadable(Path(path), self._user):
            return str(readable_copies.copy(Path(path), self._settings.cache_folder))
        return path

    def _instructions(self, step: Step) -> bytes:
        readable = {mount.target: Path(mount.source).is_dir() for mount in mount_points.existing_mounts(step)}
        return init.instructions(
            step,
            files=step.files if step.workdir and not step.keep else {},
            own_user=self.engine.own_user,
            rights=self.landlock_rights,
            rules=init.landlock_rules(step, readable=readable),
            seccomp_filter=self.seccomp_filters[step.loopback],
        )
