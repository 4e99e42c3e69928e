"""Container engines, podman and docker: in which words each is asked for the same container.

A container holds nothing: podman starts it on a folder with empty mount points, docker from an image of one empty
folder, made here. No registry is asked for anything.
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
"""Every container of ours has it; its value says which process it belongs to."""
_INSIDE = 65534
_USER = 61002  # a user that exists nowhere, as for bubblewrap
_ROOT_INSIDE = 61003  # owns what the engine itself makes in a container
_IMAGE = "forgetest-empty:1"
_PATIENCE_S = 120.0
_MANY = 1 << 14
"""More open files and processes than any step is allowed; its own limits are set within."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What one container is made of, on the host."""

    name: str
    owner: str
    root: Path
    """Empty mount points."""
    gate: Path
    """Where the first process is, and where it comes to."""
    mounts: Sequence[tuple[str, str]]
    """Read-only: source and target."""
    writable: Sequence[tuple[str, str]]
    sizes: Mapping[str, int]
    """Folders in memory, and how many bytes each holds."""
    processes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Podman:
    """As root with ids that exist nowhere; for a user, on that user's own account and subordinate ids."""

    path: str
    environment: Mapping[str, str]
    runtime: str = ""
    """Empty: the one that podman is configured for."""
    cgroups: Literal["limited", "enabled", "disabled"] = "limited"
    """Whether it may count a container's processes in a cgroup, make one at all, or none."""
    name: str = "podman"
    user: int = field(default_factory=lambda: _USER if os.geteuid() == 0 else os.geteuid())
    """Whom a container's processes are for the host."""
    own_user: bool = True
    """That user is in a namespace of its own in each container."""
    sees_our_mounts: bool = True
    """It makes containers by processes below ours, not by a daemon."""
    not_promised: tuple[str, ...] = ()

    def words(self, *words: str) -> list[str]:
        """A call of podman."""
        return [self.path, *(["--runtime", self.runtime] if self.runtime else []), *words]

    def starting(self, place: Place, command: Sequence[str]) -> list[str]:
        """`podman run` on a folder. Root in there, whom nobody is, must be somebody, for the engine's own mounts."""
        is_root = os.geteuid() == 0
        words = [*_common(place), "--no-hosts", "--passwd=false", "--read-only-tmpfs=false"]
        words += ["--interactive"]  # without, its input is the host's /dev/null, of which crun changes the owner
        for option in ("--uidmap", "--gidmap"):
            words += [option, f"0:{_ROOT_INSIDE if is_root else 1}:1"]
            words += [option, f"{_INSIDE}:{_USER if is_root else 0}:1"]
        words += ["--user", f"{_INSIDE}:{_INSIDE}"]
        words += ["--pids-limit", str(place.processes + 1)] if self.cgroups == "limited" else []
        words += ["--cgroups", "disabled"] if self.cgroups == "disabled" else []
        return [*self.words("run"), *words, "--rootfs", str(place.root), *command]

    def ways(self) -> Iterable[Podman]:
        """The configured runtime first; then whichever there is. Without cgroups only where none can use them."""
        found = [name for name in ("crun", "runc") if shutil.which(name, path=self.environment.get("PATH"))]
        for cgroups in ("limited", "enabled", "disabled"):
            for runtime in ("", *found):
                yield replace(self, runtime=runtime, cgroups=cgroups)

    @property
    def way(self) -> str:
        """How it is used, for people and for proofs."""
        return f"runtime {self.runtime or 'as configured'}, cgroups {self.cgroups}"

    def prepare(self) -> None:
        """Nothing: a container is started on a folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Docker:
    """A daemon of root's, so whoever may ask it is root already; its containers share the host's users."""

    path: str
    environment: Mapping[str, str]
    name: str = "docker"
    user: int = field(default_factory=lambda: _USER if os.geteuid() == 0 else os.geteuid())
    own_user: bool = False
    sees_our_mounts: bool = False
    not_promised: tuple[str, ...] = ("namespaces", "privileges")

    def words(self, *words: str) -> list[str]:
        """A call of docker."""
        return [self.path, *words]

    def starting(self, place: Place, command: Sequence[str]) -> list[str]:
        """`docker run` from the empty image."""
        words = [*_common(place), "--pull", "never", "--userns", "host", "--no-healthcheck"]
        words += ["--user", f"{self.user}:{self.user}", "--pids-limit", str(place.processes + 1)]
        return [*self.words("run"), *words, _IMAGE, *command]

    def ways(self) -> Iterable[Docker]:
        """The daemon decides which runtime it uses."""
        return (self,)

    @property
    def way(self) -> str:
        """How it is used, for people and for proofs."""
        return f"daemon at {self.environment.get('DOCKER_HOST', 'its usual place')}"

    def prepare(self) -> None:
        """Make the image, where it is not there yet."""
        if ask(self, "image", "inspect", _IMAGE).returncode == 0:
            return
        image = io.BytesIO()
        with tarfile.open(fileobj=image, mode="w") as tar:
            folder = tarfile.TarInfo("tmp")
            folder.type, folder.mode = tarfile.DIRTYPE, 0o1777
            tar.addfile(folder)
        made = ask(self, "import", "-", _IMAGE, stdin=image.getvalue())
        if made.returncode != 0:
            raise UserError(f"docker cannot be used: {complaint(made)}; {_advice(self)}")


Engine = Podman | Docker


def found(kind: type[Engine], environment: Mapping[str, str]) -> Engine:
    """The engine, or what to install."""
    name = kind.__name__.lower()
    path = shutil.which(name, path=environment.get("PATH"))
    if path is None:
        raise UserError(f"{name} is not installed: install the package `{name}`, or use another --sandbox")
    return kind(path=os.path.realpath(path), environment=environment)


def ask(engine: Engine, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Ask the engine for something that it does at once."""
    try:
        return subprocess.run(
            engine.words(*words),
            input=stdin,
            env=dict(engine.environment),
            capture_output=True,
            check=False,
            cwd="/",
            timeout=_PATIENCE_S,
        )
    except subprocess.TimeoutExpired as error:
        raise MachineryError(f"{engine.name} {words[0]} did not answer within {_PATIENCE_S:.0f} s") from error


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """What it said last."""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    said = [line for line in said if "rror" in line] or said  # some add where help is to be found
    return said[-1] if said else f"it ended with {done.returncode}"


def that_works(engine: Engine, place: Place, command: Sequence[str]) -> Engine:
    """The first way in which the engine starts a container, found out by starting one."""
    engine.prepare()
    told = ""
    for way in engine.ways():
        tried = ask(way, *way.starting(place, command)[len(way.words()) :])
        if tried.returncode == 0:
            return way
        told = told or complaint(tried)
    raise UserError(f"{engine.name} cannot start a container here: {told}; {_advice(engine)}")


def _advice(engine: Engine) -> str:
    if engine.name == "docker":
        return "is the daemon running, and may you ask it? `docker info` tells"
    if os.geteuid() != 0:
        return "a user needs a range of ids in /etc/subuid and /etc/subgid, and the package `uidmap`"
    return "`podman info` tells more; another runtime may do (`crun`, `runc`)"


def _common(place: Place) -> list[str]:
    words = ["--rm", "--name", place.name, "--label", f"{LABEL}={place.owner}", "--log-driver", "none"]
    words += ["--network", "none", "--ipc", "none", "--read-only", "--workdir", "/"]
    words += ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--security-opt", "label=disable"]
    for name, which in {"nofile": resource.RLIMIT_NOFILE, "nproc": resource.RLIMIT_NPROC}.items():
        allowed = resource.getrlimit(which)[1]  # engines would raise them, which not every root may
        most = _MANY if allowed == resource.RLIM_INFINITY else min(allowed, _MANY)
        words += ["--ulimit", f"{name}={most}:{most}"]
    for source, target in place.mounts:
        words += ["--mount", _fields("type=bind", f"source={source}", f"target={target}", "readonly")]
    for source, target in place.writable:
        words += ["--mount", _fields("type=bind", f"source={source}", f"target={target}")]
    for folder, size in place.sizes.items():
        words += ["--tmpfs", f"{folder}:rw,exec,nosuid,nodev,mode=1777,size={size}"]
    return words


def _fields(*fields: str) -> str:
    """As engines read them: a path may hold a comma."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(fields)
    return line.getvalue()
