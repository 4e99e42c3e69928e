"""The files that a step starts with, and those that are read back from where hostile code has been."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from forgetest.errors import MachineryError
from forgetest.verdict import Step

_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def lay(step: Step, folder: Path) -> None:
    """Put the step's files into its work folder."""
    for name, content in step.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def lay_kept(step: Step, folder: Path, user: int | None) -> None:
    """The same, for a folder that is kept: it is given to the user that the step runs as, if that is another."""
    lay(step, folder)
    if user is not None:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, user, user)


def collect(step: Step, folder: int) -> dict[str, bytes]:
    """The files asked for. What ran may have left anything: no link is followed, only plain files are read."""
    found = {}
    for name in step.outputs:
        try:
            descriptor = _open(PurePosixPath(name), folder)
        except OSError:
            continue
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                found[name] = file.read(step.limits.file_bytes)
    return found


def collect_from(step: Step, folder: Path) -> dict[str, bytes]:
    """The same, from a folder of the host."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return collect(step, descriptor)
    finally:
        os.close(descriptor)


def collect_kept(step: Step) -> dict[str, bytes]:
    """The same, from the folder that the step keeps."""
    if not step.keep or not Path(step.keep).is_dir():
        raise MachineryError(f"{step.name}: its work folder {step.keep} was removed while it ran")
    return collect_from(step, Path(step.keep))


def _open(path: PurePosixPath, folder: int) -> int:
    """Each part by itself: a folder on the way may be a link just as well as the file."""
    opened = os.dup(folder)
    for index, part in enumerate(path.parts):
        last = index == len(path.parts) - 1
        try:
            deeper = os.open(part, _SAFELY | (0 if last else os.O_DIRECTORY), dir_fd=opened)
        finally:
            os.close(opened)
        opened = deeper
    return opened
