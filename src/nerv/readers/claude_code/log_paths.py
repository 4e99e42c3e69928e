"""Paths of a log as git has them: with slashes, and without the worktree in which a subagent works."""

from __future__ import annotations

import re

_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_RELATIVE = re.compile(r"(?:\.{1,2}\\)*[\w.@+ -]+(?:\\[\w.@+ -]+)+")
_WORKTREE = re.compile(r"/\.claude/worktrees/[^/]+(?=/|$)")
_BETWEEN_NAMES = re.compile(r"(?<=[\w.:])\\(?=[\w.])")


def portable_path(path: str) -> str:
    r"""Return a path with slashes, and its drive in upper case: programs on Windows write both `c:\` and `C:\`.

    A file in a worktree of Claude Code's stands for that of the repository, into which it is merged.
    """
    if _DRIVE.match(path):
        path = path[0].upper() + path[1:].replace("\\", "/")
    elif _RELATIVE.fullmatch(path):
        path = path.replace("\\", "/")
    return _WORKTREE.sub("", path)


def portable_command(command: str, folder: str) -> str:
    r"""Return a command that was run in a folder of Windows with slashes in its paths: `tests\test_a.py`."""
    return _BETWEEN_NAMES.sub("/", command) if _DRIVE.match(folder) else command


def is_absolute(path: str) -> bool:
    """Return whether a path begins at the root of a system or a drive."""
    return path.startswith("/") or _DRIVE.match(path) is not None
