"""Where this process may make memory cgroups: found by what the kernel says of its mounts and of this process.

Version 1 and 2 both. What is made goes below the cgroup that this process is in already, so that a limit on it (of a
container, of a batch system) holds for sandboxes as well; in version 2, where a cgroup has either processes or
further cgroups, beside it, if it has no such limit.
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
"""Version 1 says a number of about this size where there is no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder of the kernel's where cgroups could be made."""

    version: Literal[1, 2]
    folder: Path
    home: Path
    """The cgroup that this process is in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mount:
    """A hierarchy, and the part of it that is seen."""

    point: Path
    root: PurePosixPath
    kind: str
    options: frozenset[str]

    def place_of(self, path: str) -> Path | None:
        """Where a cgroup is seen; None where this mount does not show it."""
        inner = PurePosixPath(path)
        return self.point / inner.relative_to(self.root) if inner.is_relative_to(self.root) else None


def find() -> list[Place]:
    """Where this process might make cgroups, best first; whether it may is seen by trying."""
    try:
        return places(_MOUNTS.read_text(errors="surrogateescape"), _MEMBERSHIP.read_text(errors="surrogateescape"))
    except OSError:
        return []


def places(mounts: str, membership: str) -> list[Place]:
    """The same, from what `/proc/self/mountinfo` and `/proc/self/cgroup` say."""
    seen = list(_mounts(mounts))
    for line in membership.splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            found = [mount.place_of(path) for mount in seen if mount.kind == "cgroup" and "memory" in mount.options]
            return [Place(version=1, folder=home, home=home) for home in found[:1] if home]
    for line in membership.splitlines():
        if line.startswith("0::"):
            found = [mount.place_of(line[3:]) for mount in seen if mount.kind == "cgroup2"]
            return [place for home in found[:1] if home for place in _version_2(home)]
    return []


def _version_2(home: Path) -> Iterator[Place]:
    if "memory" in _words(home / "cgroup.controllers"):
        yield Place(version=2, folder=home, home=home)
    # beside it: only where that is no way out of a limit
    if _words(home / "memory.max") == ["max"] and "memory" in _words(home.parent / "cgroup.subtree_control"):
        yield Place(version=2, folder=home.parent, home=home)


def memory_bytes() -> int:
    """What all sandboxes have together: the machine's memory, or a container's where that is less."""
    total = re.search(r"^MemTotal:\s+(\d+) kB", _MEMINFO.read_text(), re.MULTILINE)
    limits = [int(total[1]) * 1024] if total else []
    for place in find():
        limits += _limits(place)
    return min((limit for limit in limits if limit < _UNLIMITED), default=0)


def _limits(place: Place) -> Iterator[int]:
    """The limits that are set on our cgroup, and on those around it as far as they are seen."""
    if place.version == 1:  # one line tells of all around it, even of those that a container does not see
        words = _words(place.home / "memory.stat")
        yield from (int(words[at + 1]) for at, word in enumerate(words) if word == "hierarchical_memory_limit")
        return
    for folder in (place.home, *place.home.parents):
        yield from (int(word) for word in _words(folder / "memory.max") if word.isdigit())


def _mounts(text: str) -> Iterator[_Mount]:
    for line in text.splitlines():
        before, _, after = line.partition(" - ")
        fields, kind_of = before.split(" "), after.split(" ")
        if len(fields) > 4 and kind_of[0] in ("cgroup", "cgroup2"):
            yield _Mount(
                point=Path(_plain(fields[4])),
                root=PurePosixPath(_plain(fields[3])),
                kind=kind_of[0],
                options=frozenset(kind_of[-1].split(",")),
            )


def _plain(field: str) -> str:
    """A path without the kernel's way to write spaces."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), field)


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []
