"""Files that a step starts with, and output files read back from folders that hostile code has written to."""

from __future__ import annotations

import os
import stat
from pathlib import Path, PurePosixPath

from forgetest.errors import MachineryError
from forgetest.verdict import Step

_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def write_files(step: Step, folder: Path) -> None:
    """Write the step's files into its work folder."""
    for name, content in step.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def write_kept_files(step: Step, folder: Path, user: int | None) -> None:
    """Write the step's files into a folder that is kept, and give it to the user that the step runs as."""
    write_files(step, folder)
    if user is not None:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, user, user)


def collect(step: Step, folder: int) -> dict[str, bytes]:
    """Read the step's outputs from an open folder.

    The step may have left anything there: links are not followed, and only regular files are read.
    """
    outputs = {}
    for name in step.outputs:
        try:
            descriptor = _open_beneath(PurePosixPath(name), folder)
        except OSError:
            continue
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)  # Python opens no file on a folder
            continue
        with os.fdopen(descriptor, "rb") as file:
            outputs[name] = file.read(step.limits.file_bytes)
    return outputs


def collect_from(step: Step, folder: Path) -> dict[str, bytes]:
    """Read the step's outputs from a folder of the host."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return collect(step, descriptor)
    finally:
        os.close(descriptor)


def collect_kept(step: Step) -> dict[str, bytes]:
    """Read the step's outputs from the folder that it keeps."""
    if not step.keep or not Path(step.keep).is_dir():
        raise MachineryError(f"{step.name}: its work folder {step.keep} was removed while it ran")
    return collect_from(step, Path(step.keep))


def _open_beneath(path: PurePosixPath, folder: int) -> int:
    """Open a path part by part: a folder on the way may be a link as well as the file."""
    opened = os.dup(folder)
    for index, part in enumerate(path.parts):
        last = index == len(path.parts) - 1
        try:
            deeper = os.open(part, _SAFELY | (0 if last else os.O_DIRECTORY), dir_fd=opened)
        finally:
            os.close(opened)
        opened = deeper
    return opened
