"""Pool of memory cgroups: one for each sandbox that runs at a time, made when needed and used again.

In a cgroup the kernel counts the memory of all processes of a sandbox together, in-memory folders included, and never
lets it exceed the limit, not even for a moment. Where no cgroup can be made, there is the watcher (`process_tree`).
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from forgetest.sandboxes import orphans
from forgetest.sandboxes.memory import cgroup, cgroup_paths
from forgetest.sandboxes.memory.cgroup import CgroupV1, CgroupV2, MemoryCgroup
from forgetest.sandboxes.memory.cgroup_paths import CgroupParent

_PREFIX = "forgetest-"


class CgroupPool:
    """The memory cgroups of one sandbox. `lease` yields None where no cgroup can be made."""

    def __init__(self) -> None:
        self._unusable_because = "none is seen on this machine"
        self._group: _PoolGroup | None = None
        self._free: dict[int, list[MemoryCgroup]] = defaultdict(list)
        self._leased = 0
        self._lock = threading.Lock()
        for parent in cgroup_paths.find():
            try:
                self._group = _PoolGroup(parent)
            except OSError as error:
                self._unusable_because = f"{error.filename or parent.folder}: {error.strerror or error}"
            else:
                self._unusable_because = ""
                atexit.register(self.close)
                return

    @property
    def is_usable(self) -> bool:
        """True if cgroups can be made."""
        return not self._unusable_because

    @property
    def folder(self) -> Path | None:
        """The cgroup around those of this pool; None where there is none."""
        return self._group.folder if self._group else None

    @property
    def allows_other_cgroups(self) -> bool:
        """True if a process can be in one of these and in somebody else's cgroup for another resource."""
        return self._group is not None and self._group.version == 1

    @property
    def mechanism(self) -> str:
        """The mechanism that limits the memory of all processes of a sandbox together."""
        if self._group and self.is_usable:
            return f"a memory cgroup (version {self._group.version})"
        return "a watcher, which looks ten times a second"

    @property
    def description(self) -> str:
        """The mechanism, and why it is not a cgroup where it is not."""
        if self.is_usable:
            return self.mechanism
        return f"{self.mechanism}; no memory cgroup can be used: {self._unusable_because}"

    @property
    def watched(self) -> tuple[str, ...]:
        """Promises that are left to the watcher."""
        return () if self.is_usable else ("tree_memory",)

    def verify(self, find_breaches: Callable[[], Sequence[str]]) -> None:
        """Stop using cgroups if memory can be taken in spite of them, which leaves the watcher."""
        if self.is_usable and (breaches := find_breaches()):
            self.close(f"it was tried, and did not hold ({', '.join(breaches)})")

    @contextlib.contextmanager
    def lease(self, memory_bytes: int) -> Iterator[MemoryCgroup | None]:
        """Lend a cgroup with this limit to one sandbox; None where there is none."""
        leased = self._take(memory_bytes)
        succeeded = False
        try:
            yield leased
            succeeded = True
        finally:
            if leased:
                self._give_back(leased, reusable=succeeded)

    def close(self, reason: str = "the pool is closed") -> None:
        """Make no more cgroups; those that are leased are removed when they are given back."""
        with self._lock:
            self._unusable_because = reason
            for unused in itertools.chain.from_iterable(self._free.values()):
                unused.remove()
            self._free.clear()
            self._remove_group_if_unused()

    def _take(self, memory_bytes: int) -> MemoryCgroup | None:
        with self._lock:
            if not self._group or not self.is_usable:
                return None
            free = self._free[memory_bytes]
            # killed processes may take a moment to be gone, and would be counted with the next sandbox's
            empty = next((candidate for candidate in free if candidate.is_empty()), None)
            try:
                taken = empty or self._group.make_cgroup(memory_bytes)
            except OSError:  # the machine allows no more of them: the watcher looks after this sandbox
                return None
            if empty:
                free.remove(empty)
            self._leased += 1
            return taken

    def _give_back(self, used: MemoryCgroup, *, reusable: bool) -> None:
        keep = False
        with contextlib.suppress(OSError):  # somebody may have removed it
            keep = reusable and used.is_occupied and not used.reached_limit() and not used.kill_count()
        used.is_occupied = False
        if not keep:
            used.remove()
        with self._lock:
            self._leased -= 1
            if keep and self.is_usable:
                self._free[used.memory_bytes].append(used)
            elif keep:
                used.remove()
            self._remove_group_if_unused()

    def _remove_group_if_unused(self) -> None:
        if self._group and not self.is_usable and not self._leased:
            self._group.close()
            self._group = None
            atexit.unregister(self.close)


class _PoolGroup:
    """The cgroup around those of one pool, which is locked so that other processes see that it is in use."""

    def __init__(self, parent: CgroupParent) -> None:
        self.version = parent.version
        self.folder = parent.folder / f"{_PREFIX}{os.getpid()}-{id(self):x}"
        self._numbers = itertools.count()
        self._open: list[int] = []
        _remove_orphans(parent.folder)
        if self.version == 2:
            cgroup.write(parent.folder / "cgroup.subtree_control", "+memory")
        try:
            self.folder.mkdir()
        except OSError as error:
            error.filename = str(parent.folder)  # the name of a folder that was not made would help nobody
            raise
        try:
            self._open.append(orphans.lock_folder(self.folder))
            if self.version == 2:
                cgroup.write(self.folder / "cgroup.subtree_control", "+memory")
            else:
                self._open.append(os.open(parent.own / "tasks", os.O_WRONLY | os.O_CLOEXEC))
            self.make_cgroup(1 << 30).remove()  # if anything is missing, fail now and not when a sample runs
        except BaseException:
            self.close()
            raise

    def make_cgroup(self, memory_bytes: int) -> MemoryCgroup:
        folder = self.folder / str(next(self._numbers))
        return CgroupV1(folder, memory_bytes, self._open[1]) if self.version == 1 else CgroupV2(folder, memory_bytes)

    def close(self) -> None:
        """Remove it, unless a cgroup is still leased; then the next forgetest removes it."""
        cgroup.remove(self.folder)
        while self._open:
            os.close(self._open.pop())


def _remove_orphans(folder: Path) -> None:
    for orphan in orphans.orphaned_folders(folder, _PREFIX):
        with contextlib.suppress(OSError):  # another forgetest that is starting may be quicker
            for inner in orphan.iterdir():
                if inner.is_dir():
                    cgroup.remove(inner)
            cgroup.remove(orphan)
