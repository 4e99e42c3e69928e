"""A memory cgroup with a limit, in which one sandbox runs at a time; for versions 1 and 2 of the kernel's cgroups."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from forgetest.errors import MachineryError

_SLACK_BYTES = 1 << 20
"""The allocation that the kernel ends a process for may be larger than a page, so the limit is not quite reached."""
_REMOVAL_S = 5.0
"""Time that killed processes may take to be gone; after that, the next forgetest removes the cgroup."""


class MemoryCgroup:
    """The part common to both versions. Its files stay open, because a cgroup is used again and again."""

    def __init__(self, folder: Path, memory_bytes: int) -> None:
        self.folder = folder
        self.memory_bytes = memory_bytes
        self.is_occupied = False
        """True while a sandbox is in it; a sandbox that could not be moved here is left to the watcher."""
        self._open: list[int] = []
        folder.mkdir()
        try:
            self._processes = self._open_file("cgroup.procs")
            self._configure()
            self._read_kill_count()
        except BaseException:
            self.remove()
            raise

    def _configure(self) -> None:
        """Set the limit, and open the files that are read later."""
        raise NotImplementedError

    def _read_kill_count(self) -> int:
        raise NotImplementedError

    def thread_inside(self) -> contextlib.AbstractContextManager[None]:
        """Put this thread inside, so that processes it starts are inside from the beginning, if the version can."""
        return contextlib.nullcontext()

    def add_process(self, process: int) -> None:
        """Move a process here that waits at its gate and has no children yet, unless it was started here."""

    def kill_count(self) -> int:
        """Number of processes that the kernel has killed for lack of memory, here or on the whole machine.

        0 if somebody has removed the cgroup meanwhile, which is no reason to fail.
        """
        try:
            return self._read_kill_count()
        except OSError:
            return 0

    def reached_limit(self) -> bool:
        """True if the memory limit has been reached."""
        raise NotImplementedError

    def is_exhausted(self, step: str) -> bool:
        """True if the step has used up its memory; raises MachineryError if it was the machine that ran out."""
        if not self.is_occupied or not self.kill_count():
            return False
        if not self.reached_limit():
            raise MachineryError(f"{step}: the machine ran out of memory while the step was within its own limit")
        return True

    def is_empty(self) -> bool:
        """True if all its processes are gone, and the cgroup itself still exists."""
        try:
            return not os.pread(self._processes, 16, 0)
        except OSError:
            return False

    def remove(self) -> bool:
        """Kill its processes and remove it; return True if it is gone."""
        while self._open:
            os.close(self._open.pop())
        return remove(self.folder)

    def _open_file(self, name: str, flags: int = os.O_RDONLY) -> int:
        self._open.append(os.open(self.folder / name, flags | os.O_CLOEXEC))
        return self._open[-1]


class CgroupV1(MemoryCgroup):
    """Version 1: a thread, and the processes it starts, can be in another cgroup than the rest of its process."""

    def __init__(self, folder: Path, memory_bytes: int, own_tasks: int) -> None:
        """`own_tasks`: descriptor by which a thread returns to the cgroup of its process."""
        self._own_tasks = own_tasks
        super().__init__(folder, memory_bytes)

    def _configure(self) -> None:
        write(self.folder / "memory.limit_in_bytes", self.memory_bytes)
        self._tasks = self._open_file("tasks", os.O_WRONLY)
        self._members = self._open_file("cgroup.procs", os.O_WRONLY)
        self._oom_control = self._open_file("memory.oom_control")
        self._max_usage = self._open_file("memory.max_usage_in_bytes")
        with contextlib.suppress(FileNotFoundError):  # a kernel may not account for swap
            write(self.folder / "memory.memsw.limit_in_bytes", self.memory_bytes)
            self._max_usage = self._open_file("memory.memsw.max_usage_in_bytes")
        if b"oom_kill_disable 0" not in _read_control_file(self._oom_control):
            raise OSError("the kernel is configured to let processes wait for memory instead of ending them")

    @contextlib.contextmanager
    def thread_inside(self) -> Iterator[None]:
        """Put this thread inside for a while: the one move that the kernel makes without waiting for all processors."""
        with contextlib.suppress(OSError):
            os.write(self._tasks, b"0")
            self.is_occupied = True
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.write(self._own_tasks, b"0")

    def add_process(self, process: int) -> None:
        """Move a process here that no thread of ours has started, such as a container's."""
        if not self.is_occupied:
            with contextlib.suppress(OSError):
                os.write(self._members, str(process).encode())
                self.is_occupied = True

    def _read_kill_count(self) -> int:
        return _field(b"oom_kill", _read_control_file(self._oom_control))

    def reached_limit(self) -> bool:
        """True if the highest usage came close to the limit: newer kernels leave the count of failures at 0."""
        return int(_read_control_file(self._max_usage)) >= self.memory_bytes - _SLACK_BYTES


class CgroupV2(MemoryCgroup):
    """Version 2: a process is moved here as a whole, while it waits at its gate."""

    def _configure(self) -> None:
        write(self.folder / "memory.max", self.memory_bytes)
        for name, value in (("memory.swap.max", 0), ("memory.oom.group", 1)):
            with contextlib.suppress(FileNotFoundError):  # no swap; a kernel before 4.19
                write(self.folder / name, value)
        self._members = self._open_file("cgroup.procs", os.O_WRONLY)
        self._events = self._open_file("memory.events")

    def add_process(self, process: int) -> None:
        """Move a process here. The kernel waits for all processors, for some milliseconds in which it uses none."""
        with contextlib.suppress(OSError):
            os.write(self._members, str(process).encode())
            self.is_occupied = True

    def _read_kill_count(self) -> int:
        return _field(b"oom_kill", _read_control_file(self._events))

    def reached_limit(self) -> bool:
        """True if memory ran out here, and not in a cgroup around it."""
        return _field(b"oom", _read_control_file(self._events)) > 0


def write(file: Path, value: int | str) -> None:
    """Write to a file of the kernel's. Never creates it: a folder that is no cgroup must not look like one."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, str(value).encode())
    except OSError as error:
        error.filename = str(file)
        raise
    finally:
        os.close(descriptor)


def processes(folder: Path) -> list[int]:
    """Return the processes in a cgroup."""
    return [int(number) for number in (folder / "cgroup.procs").read_text().split()]


def remove(folder: Path) -> bool:
    """Kill the processes in a cgroup and remove it; return True if it is gone."""
    deadline = time.monotonic() + _REMOVAL_S
    while folder.exists():
        try:
            folder.rmdir()
        except OSError:
            if time.monotonic() > deadline:
                return False
            with contextlib.suppress(OSError):  # its processes may have ended meanwhile
                _kill_all(folder)
            time.sleep(0.001)
    return True


def _kill_all(folder: Path) -> None:
    try:
        write(folder / "cgroup.kill", 1)
    except OSError:  # version 1, or Linux before 5.14
        for process in processes(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def _read_control_file(descriptor: int) -> bytes:
    return os.pread(descriptor, 4096, 0)


def _field(name: bytes, text: bytes) -> int:
    value = (b"\n" + text).partition(b"\n" + name + b" ")[2]
    if not value:
        raise OSError(f"the kernel does not count `{name.decode()}`")
    return int(value.partition(b"\n")[0])
