"""The folder that one container is started on: empty mount points, and the gate of its first process."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from forgetest.errors import MachineryError
from forgetest.verdict import Mount, Step

DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_ENGINE_FOLDERS = ("/proc", "/sys")
_ENGINE_FILES = ("/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/run/.containerenv")
"""What engines mount into every container."""
_TMP_BYTES = 64 << 20
_WORK_BYTES = 512 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class MountPoints:
    """Folders on the host for one container."""

    root: Path
    """The container's `/`, with nothing but empty mount points."""
    gate: Path
    """Holds the first process's program, and its socket."""


def gate_target(step: Step) -> str:
    """Path of the gate in a container: of `/w` and `/x`, the one that the step does not have."""
    return "/x" if step.workdir else "/w"


def memory_folders(step: Step) -> dict[str, int]:
    """Folders in memory, and their sizes in bytes."""
    if step.keep:
        return {"/tmp": _TMP_BYTES}
    return {"/tmp": _TMP_BYTES, "/w": _WORK_BYTES} if step.workdir else {"/tmp": _TMP_BYTES, "/x": _TMP_BYTES}


def existing_mounts(step: Step) -> list[Mount]:
    """The step's mounts whose source exists; of two with the same target the later, since engines take only one."""
    mounts = {}
    for mount in step.mounts:
        if os.path.lexists(mount.source):
            mounts[mount.target] = mount
        elif not mount.optional:
            raise MachineryError(f"{step.name}: {mount.source} does not exist, so it cannot be mounted")
    return [*mounts.values()]


def make(step: Step, folder: Path, init: Path) -> MountPoints:
    """Make the mount points and the gate of one container in an empty folder."""
    folder.chmod(0o711)
    points = MountPoints(root=folder / "root", gate=folder / "gate")
    for made in (points.root, points.gate):
        made.mkdir()
        made.chmod(0o755)
    os.link(init, points.gate / "init")
    for target, is_folder in _targets(step).items():
        _make_mount_point(points.root, target, is_folder=is_folder)
    for target in memory_folders(step):
        Path(f"{points.root}{target}").chmod(0o1777)  # podman gives the folder in memory the mode of what it covers
    return points


def _targets(step: Step) -> Mapping[str, bool]:
    """Every path that something is mounted on, outer ones first, with True for folders."""
    targets = {mount.target: Path(mount.source).is_dir() for mount in existing_mounts(step)}
    targets |= dict.fromkeys((gate_target(step), *memory_folders(step), *(["/w"] if step.keep else ())), True)
    targets |= dict.fromkeys(DEVICES, False)  # into a `/dev` that we mount, an engine puts nothing
    return targets | dict.fromkeys(_ENGINE_FOLDERS, True) | dict.fromkeys(_ENGINE_FILES, False)


def _make_mount_point(root: Path, target: str, *, is_folder: bool) -> None:
    """Make a mount point ourselves: the engine's own user in a container may write nowhere."""
    point = root / target.lstrip("/")
    folders = [root / above for above in reversed(point.relative_to(root).parents)]
    for folder in (*folders, point) if is_folder else folders:
        if not folder.exists():
            folder.mkdir()
            folder.chmod(0o755)  # whatever the umask is: users that own nothing pass here
    if not is_folder:
        point.touch()
