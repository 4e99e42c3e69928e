"""Paths as Windows writes them, in the form with slashes that git and everything else here uses."""

from __future__ import annotations

import re

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_RELATIVE = re.compile(r"(?:\.{1,2}\\)*[\w.@+ -]+(?:\\[\w.@+ -]+)+")
_BETWEEN_NAMES = re.compile(r"(?<=[\w.:])\\(?=[\w.])")


def portable_path(path: str) -> str:
    r"""Return a path with slashes, and its drive in upper case: programs on Windows write both `c:\` and `C:\`."""
    if _DRIVE.match(path):
        return path[0].upper() + path[1:].replace("\\", "/")
    return path.replace("\\", "/") if _RELATIVE.fullmatch(path) else path


def portable_command(command: str, folder: str) -> str:
    r"""Return a command that was run in a folder of Windows with slashes in its paths: `tests\test_a.py`."""
    return _BETWEEN_NAMES.sub("/", command) if _DRIVE.match(folder) else command


def is_absolute(path: str) -> bool:
    """Return whether a path begins at the root of a system or a drive."""
    return path.startswith("/") or _DRIVE.match(path) is not None
