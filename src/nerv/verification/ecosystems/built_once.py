"""Folders that are built in the sandbox once, and are there for every later run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from nerv.verification.ecosystems import WORK, Host, Preparation, TestCommand
from nerv.verification.trees import Tree


def build_once(
    host: Host, kind: str, of: Sequence[str], *, tree: Tree, command: TestCommand, preparation: Preparation, built: str
) -> Path | None:
    """Return the folder that `command` leaves at `built` in the sandbox; None if nothing can be built beforehand.

    `kind` says what it is, and `of` everything that it depends on.
    """
    if host.build is None:
        return None
    key = hashlib.sha256("\0".join(of).encode()).hexdigest()[:32]
    chosen = host.build

    def make(unfinished: Path) -> Path:
        host.say(f"verifying: building {kind}, once")
        work, folder = unfinished / "work", unfinished / "built"
        work.mkdir()
        chosen(tree, "", command, preparation, work)
        _move(work, Path(built).relative_to(WORK), folder)
        return folder

    return host.keep(f"built-{kind.replace(' ', '-')}", key, make)


def _move(work: Path, path: Path, folder: Path) -> None:
    """Move a folder out of a work folder in which foreign code ran: a link in its place could lead anywhere."""
    on_the_way = [work / parent for parent in (*reversed(path.parents), path)]
    if all(each.is_dir() and not each.is_symlink() for each in on_the_way):
        (work / path).rename(folder)
    else:
        folder.mkdir()  # it would not be built the next time, either
