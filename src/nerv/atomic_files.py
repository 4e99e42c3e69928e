"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from collections.abc import Iterator
from pathlib import Path


def replace_file(file: Path, content: bytes) -> None:
    """Put a file in place: a reader sees the old one or the new one, also after a kill or on a full disk.

    A link is replaced, not followed: in a results folder it was made by a run, and may lead anywhere.
    """
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def append_line(file: Path, line: bytes) -> None:
    """Add a line: whole, after all that are there, whoever else adds one at the same time."""
    file = file.resolve()  # the history is the user's own, and may be a link
    file.parent.mkdir(parents=True, exist_ok=True)
    with _locked(file.with_name(f"{file.name}.lock")):
        before = file.read_bytes() if file.exists() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        replace_file(file, before + line.rstrip(b"\n") + b"\n")


@contextlib.contextmanager
def _locked(file: Path) -> Iterator[None]:
    # a file of its own: the one that is guarded is replaced, and a lock goes with the old one
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
