"""What a killed forgetest leaves behind: a folder, and sandboxes that were just starting. The next one cleans up."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

from forgetest.files import locks

_PREFIX = "forgetest-stage-"
_MARK = "FORGETEST_PID"
"""Stands in the arguments of every bwrap, beside the process that started it."""


def prefix() -> str:
    """How the name of a folder of this process begins."""
    return f"{_PREFIX}{os.getpid()}-"


def mark() -> tuple[str, ...]:
    """Arguments of bwrap that say whose it is; what runs in it sees nothing of them."""
    return ("--setenv", _MARK, str(os.getpid()), "--unsetenv", _MARK)


def hold(folder: Path) -> int:
    """Show other processes, even in other containers, that a folder is in use while this descriptor is open."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    locks.share(handle)
    return handle


def sweep() -> None:
    """End and remove what processes left behind that were killed before they could."""
    for orphan in _orphans():
        with contextlib.suppress(OSError):
            os.kill(orphan, signal.SIGKILL)
    for folder in abandoned(Path(tempfile.gettempdir()), _PREFIX):
        shutil.rmtree(folder, ignore_errors=True)


def abandoned(place: Path, prefix: str) -> Iterator[Path]:
    """The folders with names of this prefix and a process's number, whose process is gone and which nobody holds."""
    for folder in place.glob(f"{prefix}*"):
        pid = folder.name.removeprefix(prefix).partition("-")[0]
        with contextlib.suppress(OSError):
            if pid.isdigit() and not Path("/proc", pid).exists() and not _is_held(folder):
                yield folder


def _orphans() -> Iterator[int]:
    """Those that lost their parent before they had asked to die with it; a bwrap that was starting waits forever."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if not words[0].endswith("bwrap") or _MARK not in words:
                continue
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            maker = Path("/proc", fields[1])
            is_bwrap = _MARK in (maker / "cmdline").read_bytes().decode(errors="replace").split("\0")
            # its number in its own namespace comes last: it may be in a container of which we see the outside
            numbers = (maker / "status").read_text().partition("NSpid:")[2].split("\n")[0].split()
            if not is_bwrap and numbers[-1] != words[words.index(_MARK) + 1]:
                yield int(process.name)


def _is_held(folder: Path) -> bool:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return not locks.try_lock(handle)
    finally:
        os.close(handle)
