"""Folders in which this process may make memory cgroups, from what the kernel says about mounts and this process.

For versions 1 and 2. New cgroups go below the one that this process is in, so that a limit on it (of a container, of
a batch system) holds for sandboxes as well. In version 2, where a cgroup has either processes or child cgroups, they
go beside it, provided that it has no such limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

_MOUNTS = Path("/proc/self/mountinfo")
_MEMBERSHIP = Path("/proc/self/cgroup")
_MEMINFO = Path("/proc/meminfo")
_UNLIMITED = 1 << 60
"""Version 1 reports a number of about this size where there is no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CgroupParent:
    """A folder of the kernel's in which cgroups could be made."""

    version: Literal[1, 2]
    folder: Path
    own: Path
    """The cgroup that this process is in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _CgroupMount:
    """A mounted hierarchy, and the part of it that is visible."""

    point: Path
    root: PurePosixPath
    kind: str
    options: frozenset[str]

    def folder_of(self, cgroup: str) -> Path | None:
        """Return the folder of a cgroup; None if this mount does not show it."""
        inner = PurePosixPath(cgroup)
        return self.point / inner.relative_to(self.root) if inner.is_relative_to(self.root) else None


def find() -> list[CgroupParent]:
    """Return folders in which this process might make cgroups, best first; only trying shows whether it may."""
    try:
        return parse(_MOUNTS.read_text(errors="surrogateescape"), _MEMBERSHIP.read_text(errors="surrogateescape"))
    except OSError:
        return []


def parse(mountinfo: str, membership: str) -> list[CgroupParent]:
    """Return the same, from the text of `/proc/self/mountinfo` and `/proc/self/cgroup`."""
    mounts = list(_mounts(mountinfo))
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            folders = [
                mount.folder_of(path) for mount in mounts if mount.kind == "cgroup" and "memory" in mount.options
            ]
            return [CgroupParent(version=1, folder=own, own=own) for own in folders[:1] if own]
    for line in membership.splitlines():
        if line.startswith("0::"):
            folders = [mount.folder_of(line[3:]) for mount in mounts if mount.kind == "cgroup2"]
            return [parent for own in folders[:1] if own for parent in _version_2(own)]
    return []


def _version_2(own: Path) -> Iterator[CgroupParent]:
    if "memory" in _read_words(own / "cgroup.controllers"):
        yield CgroupParent(version=2, folder=own, own=own)
    # beside it, only where that does not escape a limit
    siblings = "memory" in _read_words(own.parent / "cgroup.subtree_control")
    if _read_words(own / "memory.max") == ["max"] and siblings:
        yield CgroupParent(version=2, folder=own.parent, own=own)


def memory_bytes() -> int:
    """Return the memory that all sandboxes share: the machine's, or a container's where that is less; 0 if unknown."""
    total = re.search(r"^MemTotal:\s+(\d+) kB", _MEMINFO.read_text(), re.MULTILINE)
    limits = [int(total[1]) * 1024] if total else []
    for parent in find():
        limits += _limits(parent)
    return min((limit for limit in limits if limit < _UNLIMITED), default=0)


def _limits(parent: CgroupParent) -> Iterator[int]:
    """Limits on our own cgroup, and on those around it as far as they are visible."""
    if parent.version == 1:  # one line covers all around it, even those that a container does not see
        words = _read_words(parent.own / "memory.stat")
        yield from (int(words[at + 1]) for at, word in enumerate(words) if word == "hierarchical_memory_limit")
        return
    for folder in (parent.own, *parent.own.parents):
        yield from (int(word) for word in _read_words(folder / "memory.max") if word.isdigit())


def _mounts(mountinfo: str) -> Iterator[_CgroupMount]:
    for line in mountinfo.splitlines():
        before, _, after = line.partition(" - ")
        fields, filesystem = before.split(" "), after.split(" ")
        if len(fields) > 4 and filesystem[0] in ("cgroup", "cgroup2"):
            yield _CgroupMount(
                point=Path(_unescape_octal(fields[4])),
                root=PurePosixPath(_unescape_octal(fields[3])),
                kind=filesystem[0],
                options=frozenset(filesystem[-1].split(",")),
            )


def _unescape_octal(field: str) -> str:
    """Replace the kernel's octal escapes, such as `\\040` for a space."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)


def _read_words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []
