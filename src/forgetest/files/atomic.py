"""Atomic writes: a reader sees the old file or the new one, never a part of either.

Content goes into a temporary file beside the target, which then takes the target's name. A symbolic link at that name
is replaced, not followed. Nothing is left behind when writing fails.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

_TEMPORARY = re.compile(r"\.forgetest-[0-9a-f]{16}\.new")


def write_bytes(path: Path, content: bytes, *, sync: bool = False) -> None:
    """Replace a file's content; with `sync`, wait until it is on the disk."""
    with _temporary(path) as temporary, temporary.open("xb") as stream:
        stream.write(content)
        _flush_to_disk(stream, sync=sync)


@contextlib.contextmanager
def open_text(path: Path, *, sync: bool = False) -> Iterator[IO[str]]:
    """Open a stream whose UTF-8 text becomes the file when the block ends without an error.

    Line endings are written as given.
    """
    with _temporary(path) as temporary, temporary.open("x", encoding="utf-8", newline="") as stream:
        yield stream
        _flush_to_disk(stream, sync=sync)


def is_temporary(name: str) -> bool:
    """True for the name of one of our temporary files; a process that is killed leaves it behind."""
    return _TEMPORARY.fullmatch(name) is not None


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Make an empty folder that replaces the one at `path` when the block ends without an error.

    The caller must hold a lock: the unfinished folder's name is fixed, so that the next caller removes what a process
    that was killed left behind.
    """
    unfinished = path.with_name(f"{path.name}.new")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    yield unfinished
    shutil.rmtree(path, ignore_errors=True)
    unfinished.replace(path)


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Yield an unused name beside `path`; what is written there takes its place in the end."""
    # independent of the target's name, which may already be as long as the file system allows
    temporary = path.with_name(f".forgetest-{secrets.token_hex(8)}.new")
    try:
        yield temporary
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _flush_to_disk(stream: IO[str] | IO[bytes], *, sync: bool) -> None:
    stream.flush()
    if sync:
        os.fsync(stream.fileno())
