"""Edits that shell commands made: redirections, `sed -i`, patches, moves, and scripts that name a file of the diff."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nerv.changes import Diff
from nerv.evidence import FileEdits
from nerv.location import Moment
from nerv.readers.claude_code.written_files import written_paths

ShellCommand = tuple[str, Moment]

_MAY_WRITE = re.compile(
    r">|\btee\b|\b(?:sed|perl)\s+-|\bpatch\b|\bgit\s+(?:apply|checkout|restore|mv|rm)\b|\b(?:mv|cp|rm|touch)\s"
    r"|\b(?:python[\d.]*|node|ruby|awk|ed)\s|\bapply_?patch\b"
)
_MESSAGES = re.compile(r"\d?>>?\s*/dev/\w+|\d>&\d|&>\s*/dev/\w+")
_PATCHES = re.compile(r"\b(?:git\s+(?:apply|checkout|restore)|patch|mv|cp)\b|\.write(?:_text|lines)?\(|writeFile")


def may_write(command: str) -> bool:
    """Return whether a command may change a file; one that only redirects its messages does not."""
    return _MAY_WRITE.search(_MESSAGES.sub("", command)) is not None


def is_scratch(path: str, folder: str) -> bool:
    """Return whether a file is only of use to the agent: in a temporary folder, or among Claude Code's own plans."""
    if not folder or path.startswith(f"{folder.rstrip('/')}/"):
        return False
    return path.startswith(("/tmp/", "/var/folders/")) or "/AppData/Local/Temp/" in path or "/.claude/plans/" in path


def shell_edits(
    commands: Sequence[ShellCommand], diff: Diff | None, known: Sequence[str], folder: str = ""
) -> list[FileEdits]:
    """Return the edits that commands made: of the files of the diff, or without one, of the files that they write.

    `folder` is where the run began: a file that is known by its whole path is not another one by its relative path.
    """
    moments: dict[str, list[Moment]] = {}
    inexact: set[str] = set()
    if diff is None:
        for command, moment in commands:
            for path in written_paths(command, folder):
                whole = f"{folder.rstrip('/')}/{path.removeprefix('./')}"
                moments.setdefault(whole if whole in known else path, []).append(moment)
    else:
        unexplained = [change.path for change in diff.files if not any(_is_same(path, change.path) for path in known)]
        for path in unexplained:
            name = path.rsplit("/", 1)[-1]
            named = [(command, moment) for command, moment in commands if name in command]
            writing = [moment for command, moment in named if _writes(command, name)]
            if writing or named:
                moments[path] = writing or [moment for _, moment in named]
                inexact |= set() if writing else {path}
    return [
        FileEdits(path=path, count=len(found), first=found[0], moments=tuple(found[:200]), exact=path not in inexact)
        for path, found in moments.items()
    ]


def _writes(command: str, name: str) -> bool:
    """Return whether a command that names a file changes it: by a redirection, in place, or by a script that writes."""
    return any(path.endswith(name) for path in written_paths(command)) or _PATCHES.search(command) is not None


def _is_same(edited: str, path: str) -> bool:
    return edited == path or edited.endswith(f"/{path}")
