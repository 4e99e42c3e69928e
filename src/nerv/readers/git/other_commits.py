"""Commits of a repository that are neither part of what the run was given nor of its result: other branches, lost ones.

The run may have taken its answer from them, by whatever command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from nerv.changes import Diff, OtherCommit
from nerv.git_process import GitProcess, ask_git
from nerv.readers.clock import Clock
from nerv.readers.event_fields import shorten
from nerv.readers.git import patch

_MOST_COMMITS = 200
_MOST_COMPARED = 20
_MOST_PATHS = 200
_MOST_OBJECTS = 50_000
"""Number of objects up to which lost commits are looked for: git must read all of them."""


def other_commits(repository: Path, base: str, head: str, changed: Diff, clock: Clock) -> tuple[OtherCommit, ...]:
    """Return such commits, newest first, each with what it changes in the files that the run changed."""
    paths = [change.path for change in changed.files if not change.binary and not change.text_left_out][:_MOST_PATHS]
    if not paths or base == head:
        return ()
    outside = ["--not", base, head]
    listed = (ask_git(repository, ["rev-list", "--all", "--reflog", f"-n{_MOST_COMMITS}", *outside]) or "").split()
    lost = _lost_commits(repository)
    tips = (ask_git(repository, ["rev-list", f"-n{_MOST_COMMITS}", *lost, *outside]) or "").split() if lost else []
    candidates = list(dict.fromkeys([*listed, *tips]))[:_MOST_COMPARED]
    if not candidates:
        return ()
    base_ms = clock.known(ask_git(repository, ["show", "-s", "--format=%cI", base, "--"]))
    is_comparable = base_ms is not None and base_ms <= 0  # the log's clock and that of the commits are the same
    return tuple(_read(repository, base, commit, paths, clock if is_comparable else None) for commit in candidates)


def _read(repository: Path, base: str, commit: str, paths: Sequence[str], clock: Clock | None) -> OtherCommit:
    words = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "-U0", base, commit, "--", *paths]
    with GitProcess(repository, words) as lines:
        diff = patch.parse(enumerate(lines, 1), f"git diff {commit[:12]}")
    told = ask_git(repository, ["show", "-s", "--no-show-signature", "--format=%cI %s", commit, "--"]) or ""
    when, _, subject = told.partition(" ")
    ms = clock.known(when) if clock is not None else None
    return OtherCommit(id=commit, subject=shorten(subject), diff=diff, before_run=None if ms is None else ms < 0)


def _lost_commits(repository: Path) -> list[str]:
    """Return commits that no branch, tag or reflog leads to; none if the repository is large."""
    counts = dict(re.findall(r"^(count|in-pack): (\d+)$", ask_git(repository, ["count-objects", "-v"]) or "", re.M))
    if sum(map(int, counts.values())) > _MOST_OBJECTS:
        return []
    found = ask_git(repository, ["fsck", "--unreachable", "--no-progress", "--connectivity-only"]) or ""
    return re.findall(r"^unreachable commit ([0-9a-f]{40,64})$", found, re.M)[:_MOST_COMMITS]
