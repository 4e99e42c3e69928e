"""The memory cgroups of a sandbox kind: a seat for each sandbox that runs at a time, made once and used again.

In them, the kernel counts what all processes of a sandbox use together, its folders in memory included, and lets none
of it pass the limit, not even for a moment. Where no cgroup can be made, there is the watcher (see `tree.py`).
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from forgetest.sandboxes.memory import cgroup, cgroups
from forgetest.sandboxes.memory.cgroup import Seat, Version1, Version2
from forgetest.sandboxes.memory.cgroups import Place
from forgetest.sandboxes.process import orphans

_PREFIX = "forgetest-"


class Seats:
    """Seats are made as they are needed; where none can be made, `taken` gives None."""

    def __init__(self) -> None:
        self._reason = "none is seen on this machine"
        self._group: _Group | None = None
        self._free: dict[int, list[Seat]] = defaultdict(list)
        self._taken = 0
        self._lock = threading.Lock()
        for place in cgroups.find():
            try:
                self._group = _Group(place)
            except OSError as error:
                self._reason = f"{error.filename or place.folder}: {error.strerror or error}"
            else:
                self._reason = ""
                atexit.register(self.close)
                return

    @property
    def usable(self) -> bool:
        """Whether there are any."""
        return not self._reason

    @property
    def beside_others(self) -> bool:
        """Whether a process can be in one of them and in somebody else's cgroup that counts something else."""
        return self._group is not None and self._group.version == 1

    @property
    def kind(self) -> str:
        """What holds the memory of all processes of a sandbox together."""
        if self._group and self.usable:
            return f"a memory cgroup (version {self._group.version})"
        return "a watcher, which looks ten times a second"

    @property
    def held_by(self) -> str:
        """The same, and why it is no better."""
        return self.kind if self.usable else f"{self.kind}; no memory cgroup can be used: {self._reason}"

    @property
    def watched(self) -> tuple[str, ...]:
        """The promises that are left to the watcher."""
        return () if self.usable else ("tree_memory",)

    def prove(self, ways_past: Callable[[], Sequence[str]]) -> None:
        """Do without them if memory can be taken in spite of them: then the watcher is what is left."""
        if self.usable and (ways := ways_past()):
            self.close(f"it was tried, and did not hold ({', '.join(ways)})")

    @contextlib.contextmanager
    def taken(self, memory_bytes: int) -> Iterator[Seat | None]:
        """A seat with this limit, for one sandbox; None where there is none to be had."""
        taken = self._take(memory_bytes)
        fit = False
        try:
            yield taken
            fit = True
        finally:
            if taken:
                self._give_back(taken, fit=fit)

    def close(self, reason: str = "they are closed") -> None:
        """From now on there are none; those that are taken are removed when they are given back."""
        with self._lock:
            self._reason = reason
            for left in itertools.chain.from_iterable(self._free.values()):
                left.remove()
            self._free.clear()
            self._leave()

    def _take(self, memory_bytes: int) -> Seat | None:
        with self._lock:
            if not self._group or not self.usable:
                return None
            free = self._free[memory_bytes]
            # what was stopped may take a moment to be gone, and would be counted with the next one's
            empty = next((one for one in free if one.is_empty()), None)
            try:
                taken = empty or self._group.seat(memory_bytes)
            except OSError:  # there are as many as the machine allows: the watcher looks after this sandbox
                return None
            if empty:
                free.remove(empty)
            self._taken += 1
            return taken

    def _give_back(self, used: Seat, *, fit: bool) -> None:
        again = False
        with contextlib.suppress(OSError):  # where somebody has removed it, there is nothing to use again
            again = fit and used.holds and not used.was_full() and not used.kills()
        used.holds = False
        if not again:
            used.remove()
        with self._lock:
            self._taken -= 1
            if again and self.usable:
                self._free[used.memory_bytes].append(used)
            elif again:
                used.remove()
            self._leave()

    def _leave(self) -> None:
        if self._group and not self.usable and not self._taken:
            self._group.close()
            self._group = None
            atexit.unregister(self.close)


class _Group:
    """The cgroup around those of one `Seats`, by which another process sees that they are in use."""

    def __init__(self, place: Place) -> None:
        self.version = place.version
        self._folder = place.folder / f"{_PREFIX}{os.getpid()}-{id(self):x}"
        self._numbers = itertools.count()
        self._open: list[int] = []
        for left in orphans.abandoned(place.folder, _PREFIX):
            with contextlib.suppress(OSError):  # another forgetest that starts just now may be quicker
                for inner in left.iterdir():
                    if inner.is_dir():
                        cgroup.remove(inner)
                cgroup.remove(left)
        if self.version == 2:
            cgroup.write(place.folder / "cgroup.subtree_control", "+memory")
        try:
            self._folder.mkdir()
        except OSError as error:
            error.filename = str(place.folder)  # the name of what is not there would tell nobody anything
            raise
        try:
            self._open.append(orphans.hold(self._folder))
            if self.version == 2:
                cgroup.write(self._folder / "cgroup.subtree_control", "+memory")
            else:
                self._open.append(os.open(place.home / "tasks", os.O_WRONLY | os.O_CLOEXEC))
            self.seat(1 << 30).remove()  # whatever may be missing is missed now, and not when a sample runs
        except BaseException:
            self.close()
            raise

    def seat(self, memory_bytes: int) -> Seat:
        """A new one."""
        folder = self._folder / str(next(self._numbers))
        return Version1(folder, memory_bytes, self._open[1]) if self.version == 1 else Version2(folder, memory_bytes)

    def close(self) -> None:
        """Remove it, unless a seat is still taken: then whoever comes next does."""
        cgroup.remove(self._folder)
        while self._open:
            os.close(self._open.pop())
