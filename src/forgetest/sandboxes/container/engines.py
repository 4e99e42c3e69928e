"""Container engines, podman and docker: the commands by which each starts the same container.

A container holds nothing: podman starts it on a folder with empty mount points, docker from an image of one empty
folder, made here. Nothing is fetched from a registry.
"""

from __future__ import annotations

import csv
import io
import os
import resource
import shutil
import subprocess
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from forgetest.errors import MachineryError, UserError

LABEL = "forgetest.owner"
"""Label of every container of ours; its value identifies the process that it belongs to."""
_INSIDE = 65534
_USER = 61002  # a user that exists nowhere, as for bubblewrap
_ROOT_INSIDE = 61003  # owns what the engine itself makes in a container
_IMAGE = "forgetest-empty:1"
_CALL_S = 120.0
_MAX_ULIMIT = 1 << 14
"""More open files and processes than any step is allowed; the step's own limits are set inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerSpec:
    """Everything that one container is made of, with paths of the host."""

    name: str
    owner: str
    root: Path
    """Folder with empty mount points."""
    gate: Path
    """Folder with the first process's program, and the socket that it connects to."""
    mounts: Sequence[tuple[str, str]]
    """Read-only: source and target."""
    writable: Sequence[tuple[str, str]]
    sizes: Mapping[str, int]
    """Folders in memory, and their sizes in bytes."""
    processes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Podman:
    """Podman: for root with ids that exist nowhere; for a user with that user's own and subordinate ids."""

    path: str
    environment: Mapping[str, str]
    runtime: str = ""
    """Empty for the one that podman is configured to use."""
    cgroups: Literal["limited", "enabled", "disabled"] = "limited"
    """It counts a container's processes in a cgroup, makes one without a limit, or makes none."""
    name: str = "podman"
    user: int = field(default_factory=lambda: _USER if os.geteuid() == 0 else os.geteuid())
    """User id on the host of a container's processes."""
    own_user: bool = True
    """Each container has that user in a namespace of its own."""
    sees_our_mounts: bool = True
    """Containers are made by our descendants, not by a daemon."""
    not_promised: tuple[str, ...] = ()

    def command(self, *arguments: str) -> list[str]:
        """Return a command line of podman."""
        return [self.path, *(["--runtime", self.runtime] if self.runtime else []), *arguments]

    def run_command(self, spec: ContainerSpec, command: Sequence[str]) -> list[str]:
        """Return the `podman run` of a command. Root inside must be mapped to somebody, for the engine's mounts."""
        is_root = os.geteuid() == 0
        options = [*_common_options(spec), "--no-hosts", "--passwd=false", "--read-only-tmpfs=false"]
        options += ["--interactive"]  # otherwise its input is the host's /dev/null, and crun changes its owner
        for option in ("--uidmap", "--gidmap"):
            options += [option, f"0:{_ROOT_INSIDE if is_root else 1}:1"]
            options += [option, f"{_INSIDE}:{_USER if is_root else 0}:1"]
        options += ["--user", f"{_INSIDE}:{_INSIDE}"]
        options += ["--pids-limit", str(spec.processes + 1)] if self.cgroups == "limited" else []
        options += ["--cgroups", "disabled"] if self.cgroups == "disabled" else []
        return [*self.command("run"), *options, "--rootfs", str(spec.root), *command]

    def variants(self) -> Iterable[Podman]:
        """Yield ways to use podman: the configured runtime first, and without cgroups only if nothing else works."""
        runtimes = [name for name in ("crun", "runc") if shutil.which(name, path=self.environment.get("PATH"))]
        for cgroups in ("limited", "enabled", "disabled"):
            for runtime in ("", *runtimes):
                yield replace(self, runtime=runtime, cgroups=cgroups)

    @property
    def variant(self) -> str:
        """The way it is used, for reports and proofs."""
        return f"runtime {self.runtime or 'as configured'}, cgroups {self.cgroups}"

    def prepare(self) -> None:
        """Do nothing: a container is started on a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Docker:
    """Docker: a daemon of root's, so whoever may use it is root already; its containers share the host's users."""

    path: str
    environment: Mapping[str, str]
    name: str = "docker"
    user: int = field(default_factory=lambda: _USER if os.geteuid() == 0 else os.geteuid())
    own_user: bool = False
    sees_our_mounts: bool = False
    not_promised: tuple[str, ...] = ("namespaces", "privileges")

    def command(self, *arguments: str) -> list[str]:
        """Return a command line of docker."""
        return [self.path, *arguments]

    def run_command(self, spec: ContainerSpec, command: Sequence[str]) -> list[str]:
        """Return the `docker run` of a command, from the empty image."""
        options = [*_common_options(spec), "--pull", "never", "--userns", "host", "--no-healthcheck"]
        options += ["--user", f"{self.user}:{self.user}", "--pids-limit", str(spec.processes + 1)]
        return [*self.command("run"), *options, _IMAGE, *command]

    def variants(self) -> Iterable[Docker]:
        """Yield the only way to use docker: its daemon decides which runtime it uses."""
        return (self,)

    @property
    def variant(self) -> str:
        """The way it is used, for reports and proofs."""
        return f"daemon at {self.environment.get('DOCKER_HOST', 'its usual place')}"

    def prepare(self) -> None:
        """Make the empty image, if it does not exist yet."""
        if call(self, "image", "inspect", _IMAGE).returncode == 0:
            return
        image = io.BytesIO()
        with tarfile.open(fileobj=image, mode="w") as tar:
            folder = tarfile.TarInfo("tmp")
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777
            tar.addfile(folder)
        imported = call(self, "import", "-", _IMAGE, stdin=image.getvalue())
        if imported.returncode != 0:
            raise UserError(f"docker cannot be used: {error_line(imported)}; {_advice(self)}")


Engine = Podman | Docker


def find_engine(kind: type[Engine], environment: Mapping[str, str]) -> Engine:
    """Return the engine; raises UserError with what to install."""
    name = kind.__name__.lower()
    path = shutil.which(name, path=environment.get("PATH"))
    if path is None:
        raise UserError(f"{name} is not installed: install the package `{name}`, or use another --sandbox")
    return kind(path=os.path.realpath(path), environment=environment)


def call(engine: Engine, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a short command of the engine; raises MachineryError if it takes too long."""
    try:
        return subprocess.run(
            engine.command(*arguments),
            input=stdin,
            env=dict(engine.environment),
            capture_output=True,
            check=False,
            cwd="/",
            timeout=_CALL_S,
        )
    except subprocess.TimeoutExpired as error:
        raise MachineryError(f"{engine.name} {arguments[0]} did not answer within {_CALL_S:.0f} s") from error


def error_line(done: subprocess.CompletedProcess[bytes]) -> str:
    """The line that explains why a command failed."""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    lines = [line for line in lines if "rror" in line] or lines  # some engines add where to find help
    return lines[-1] if lines else f"it ended with {done.returncode}"


def find_working_variant(engine: Engine, spec: ContainerSpec, command: Sequence[str]) -> Engine:
    """Return the first variant of the engine that starts a container, found by starting one."""
    engine.prepare()
    first_error = ""
    for variant in engine.variants():
        done = call(variant, *variant.run_command(spec, command)[len(variant.command()) :])
        if done.returncode == 0:
            return variant
        first_error = first_error or error_line(done)
    raise UserError(f"{engine.name} cannot start a container here: {first_error}; {_advice(engine)}")


def _advice(engine: Engine) -> str:
    if engine.name == "docker":
        return "is the daemon running, and may you use it? See `docker info`"
    if os.geteuid() != 0:
        return "a user needs a range of ids in /etc/subuid and /etc/subgid, and the package `uidmap`"
    return "see `podman info`; another runtime may work (`crun`, `runc`)"


def _common_options(spec: ContainerSpec) -> list[str]:
    options = ["--rm", "--name", spec.name, "--label", f"{LABEL}={spec.owner}", "--log-driver", "none"]
    options += ["--network", "none", "--ipc", "none", "--read-only", "--workdir", "/"]
    options += ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--security-opt", "label=disable"]
    for name, which in {"nofile": resource.RLIMIT_NOFILE, "nproc": resource.RLIMIT_NPROC}.items():
        allowed = resource.getrlimit(which)[1]  # engines would raise them, which not every root may
        most = _MAX_ULIMIT if allowed == resource.RLIM_INFINITY else min(allowed, _MAX_ULIMIT)
        options += ["--ulimit", f"{name}={most}:{most}"]
    for source, target in spec.mounts:
        options += ["--mount", _csv_fields("type=bind", f"source={source}", f"target={target}", "readonly")]
    for source, target in spec.writable:
        options += ["--mount", _csv_fields("type=bind", f"source={source}", f"target={target}")]
    for folder, size in spec.sizes.items():
        options += ["--tmpfs", f"{folder}:rw,exec,nosuid,nodev,mode=1777,size={size}"]
    return options


def _csv_fields(*fields: str) -> str:
    """Join fields as engines read them: a path may contain a comma."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(fields)
    return line.getvalue()
