"""One memory cgroup with a limit, in which one sandbox at a time runs; in version 1 or 2 of the kernel's cgroups."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from forgetest.errors import MachineryError

_LESS_THAN_FULL = 1 << 20
"""What the kernel ends a process for is more than a page: that much may be missing then."""
_PATIENCE_S = 5.0
"""How long what was killed may take to be gone; what takes longer is left for the next forgetest to remove."""


class Seat:
    """What both versions have in common. Descriptors stay open: a seat is used again and again."""

    def __init__(self, folder: Path, memory_bytes: int) -> None:
        self.folder = folder
        self.memory_bytes = memory_bytes
        self.holds = False
        """Whether a sandbox is in it; where it could not be moved here, the watcher looks after it."""
        self._open: list[int] = []
        folder.mkdir()
        try:
            self._processes = self._opened("cgroup.procs")
            self._furnish()
            self._count()
        except BaseException:
            self.remove()
            raise

    def _furnish(self) -> None:
        """Set the limit, and open what is read later."""
        raise OSError("a seat is of version 1 or 2")

    def entered(self) -> contextlib.AbstractContextManager[None]:
        """Let what this thread starts be in it from its beginning, where the version allows that."""
        return contextlib.nullcontext()

    def admit(self, process: int) -> None:
        """Move a process here that waits at its gate and has no children yet, if it was not started here."""

    def _count(self) -> int:
        """How many of its processes the kernel has ended for want of memory, here or on the whole machine."""
        raise OSError("a seat is of version 1 or 2")

    def kills(self) -> int:
        """The same; none, if somebody has removed the cgroup meanwhile, which is no reason to fail."""
        try:
            return self._count()
        except OSError:
            return 0

    def was_full(self) -> bool:
        """Whether it has been at its limit."""
        raise OSError("a seat is of version 1 or 2")

    def check(self, step: str) -> bool:
        """Whether the step has used up its memory; raises where it was the machine's that was used up."""
        if not self.holds or not self.kills():
            return False
        if not self.was_full():
            raise MachineryError(f"{step}: the machine ran out of memory while the step was within its own limit")
        return True

    def is_empty(self) -> bool:
        """Whether all that was in it is gone, and it is still there itself."""
        try:
            return not os.pread(self._processes, 16, 0)
        except OSError:
            return False

    def remove(self) -> bool:
        """End what is in it, and remove it; whether it is gone."""
        while self._open:
            os.close(self._open.pop())
        return remove(self.folder)

    def _opened(self, name: str, flags: int = os.O_RDONLY) -> int:
        self._open.append(os.open(self.folder / name, flags | os.O_CLOEXEC))
        return self._open[-1]


class Version1(Seat):
    """A thread can be in another cgroup than its process, and so can what it starts."""

    def __init__(self, folder: Path, memory_bytes: int, home: int) -> None:
        """`home`: the descriptor by which a thread goes back to where its process is."""
        self._home = home
        super().__init__(folder, memory_bytes)

    def _furnish(self) -> None:
        write(self.folder / "memory.limit_in_bytes", self.memory_bytes)
        self._inside = self._opened("tasks", os.O_WRONLY)
        self._members = self._opened("cgroup.procs", os.O_WRONLY)
        self._oom_control = self._opened("memory.oom_control")
        self._most = self._opened("memory.max_usage_in_bytes")
        with contextlib.suppress(FileNotFoundError):  # a kernel may not count swap
            write(self.folder / "memory.memsw.limit_in_bytes", self.memory_bytes)
            self._most = self._opened("memory.memsw.max_usage_in_bytes")
        if b"oom_kill_disable 0" not in _told(self._oom_control):
            raise OSError("the kernel is told to let processes wait for memory, and not to end them")

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """A thread that moves itself is the one move that the kernel makes without waiting for all processors."""
        with contextlib.suppress(OSError):
            os.write(self._inside, b"0")
            self.holds = True
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.write(self._home, b"0")

    def admit(self, process: int) -> None:
        """For what no thread of ours has started, as a container's engine does."""
        if not self.holds:
            with contextlib.suppress(OSError):
                os.write(self._members, str(process).encode())
                self.holds = True

    def _count(self) -> int:
        """As the kernel does."""
        return _number(b"oom_kill", _told(self._oom_control))

    def was_full(self) -> bool:
        """By the most that it ever held: newer kernels leave the count of failures at 0."""
        return int(_told(self._most)) >= self.memory_bytes - _LESS_THAN_FULL


class Version2(Seat):
    """A process is moved here as a whole, when it waits at its gate."""

    def _furnish(self) -> None:
        write(self.folder / "memory.max", self.memory_bytes)
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
            with contextlib.suppress(FileNotFoundError):  # without swap; a kernel before 4.19
                write(self.folder / name, value)
        self._inside = self._opened("cgroup.procs", os.O_WRONLY)
        self._events = self._opened("memory.events")

    def admit(self, process: int) -> None:
        """The kernel waits for all processors here, some milliseconds in which it uses none."""
        with contextlib.suppress(OSError):
            os.write(self._inside, str(process).encode())
            self.holds = True

    def _count(self) -> int:
        """As the kernel does."""
        return _number(b"oom_kill", _told(self._events))

    def was_full(self) -> bool:
        """Whether memory ran out here, and not in a cgroup around it."""
        return _number(b"oom", _told(self._events)) > 0


def write(file: Path, value: int | str) -> None:
    """Tell the kernel something. Never makes the file: what is no cgroup must not become one."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, str(value).encode())
    except OSError as error:
        error.filename = str(file)
        raise
    finally:
        os.close(descriptor)


def processes(folder: Path) -> list[int]:
    """The processes in a cgroup."""
    return [int(number) for number in (folder / "cgroup.procs").read_text().split()]


def remove(folder: Path) -> bool:
    """End what is in a cgroup, and remove it; whether it is gone."""
    deadline = time.monotonic() + _PATIENCE_S
    while folder.exists():
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                return False
            with contextlib.suppress(OSError):  # it may have none left meanwhile
                _end_all(folder)
            time.sleep(0.001)
    return True


def _end_all(folder: Path) -> None:
    try:
        write(folder / "cgroup.kill", 1)
    except OSError:  # version 1, or Linux before 5.14
        for process in processes(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _told(descriptor: int) -> bytes:
    return os.pread(descriptor, 4096, 0)


def _number(name: bytes, text: bytes) -> int:
    found = (b"\n" + text).partition(b"\n" + name + b" ")[2]
    if not found:
        raise OSError(f"the kernel does not count `{name.decode()}`")
    return int(found.partition(b"\n")[0])
