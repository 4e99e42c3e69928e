"""Leftovers of a forgetest that was killed: folders, and sandboxes that were just starting. The next one cleans up."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

_PREFIX = "forgetest-stage-"
_OWNER_VARIABLE = "FORGETEST_PID"
"""Appears in the arguments of every bwrap, followed by the id of the process that started it."""


def folder_prefix() -> str:
    """Prefix of the names of this process's temporary folders."""
    return f"{_PREFIX}{os.getpid()}-"


def owner_arguments() -> tuple[str, ...]:
    """Arguments of bwrap that name its owner and have no effect on what runs in it."""
    return ("--setenv", _OWNER_VARIABLE, str(os.getpid()), "--unsetenv", _OWNER_VARIABLE)


def lock_folder(folder: Path) -> int:
    """Mark a folder as in use for as long as the returned descriptor is open; seen from other containers, too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(handle, fcntl.LOCK_SH)
    return handle


@contextlib.contextmanager
def locked_temporary_folder() -> Iterator[Path]:
    """A temporary folder that is marked as in use, and removed at the end."""
    with tempfile.TemporaryDirectory(prefix=folder_prefix(), ignore_cleanup_errors=True) as folder:
        handle = lock_folder(Path(folder))
        try:
            yield Path(folder)
        finally:
            os.close(handle)


def sweep() -> None:
    """Kill and remove what killed processes left behind."""
    for process in _orphaned_bwraps():
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)
    for folder in orphaned_folders(Path(tempfile.gettempdir()), _PREFIX):
        shutil.rmtree(folder, ignore_errors=True)


def orphaned_folders(parent: Path, prefix: str) -> Iterator[Path]:
    """Folders named by this prefix and a process id, whose process is gone and which nobody has locked."""
    for folder in parent.glob(f"{prefix}*"):
        pid = folder.name.removeprefix(prefix).partition("-")[0]
        with contextlib.suppress(OSError):
            if pid.isdigit() and not Path("/proc", pid).exists() and not _is_locked(folder):
                yield folder


def _orphaned_bwraps() -> Iterator[int]:
    """Processes that lost their parent before they asked to die with it: such a bwrap waits forever."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            argv = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if not argv[0].endswith("bwrap") or _OWNER_VARIABLE not in argv:
                continue
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            parent = Path("/proc", fields[1])
            is_bwrap = _OWNER_VARIABLE in (parent / "cmdline").read_bytes().decode(errors="replace").split("\0")
            # its id in its own namespace comes last: it may run in a container that we see from outside
            pids = (parent / "status").read_text().partition("NSpid:")[2].split("\n")[0].split()
            if not is_bwrap and pids[-1] != argv[argv.index(_OWNER_VARIABLE) + 1]:
                yield int(process.name)


def _is_locked(folder: Path) -> bool:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
