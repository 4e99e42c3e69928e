"""Diff, commits and merges of a run, read from its git repository.

The agent wrote the repository and its configuration: see `nerv.git_process`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from forgetest.errors import UserError
from nerv.changes import Diff, OtherCommit
from nerv.evidence import Commit, Merge
from nerv.git_process import GitProcess, ask_git
from nerv.location import Location, Moment
from nerv.readers.clock import Clock
from nerv.readers.event_fields import shorten
from nerv.readers.git import patch
from nerv.readers.git.other_commits import other_commits
from nerv.readers.run_record import MOST

_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_CONFLICT = re.compile(r"conflict", re.I)
_BRANCH = re.compile(r"Merge (?:branch|remote-tracking branch) '([^']+)'")


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHistory:
    """Diff, commits and merges of a run."""

    diff: Diff
    commits: tuple[Commit, ...]
    merges: tuple[Merge, ...]
    base: str
    head: str
    other_commits: tuple[OtherCommit, ...] = ()


def read_history(repository: Path, base: str | None, clock: Clock, name: str) -> GitHistory:
    """Read the history from `base` (the root commit by default) to HEAD."""
    head = ask_git(repository, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
    if head is None:
        raise UserError(f"{repository}: contains no commit; --repo names the git repository that the run worked on")
    if base is not None:
        start = ask_git(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}"])
        if start is None:
            raise UserError(f"--base {base}: {repository} has no such revision; name the commit at which the run began")
    else:
        start = None
    origin = start or _EMPTY_TREE
    if start is None:
        root = ask_git(repository, ["rev-list", "--max-parents=0", "HEAD"])
        roots = (root or "").split()
        start = roots[-1] if roots else head
        origin = _EMPTY_TREE if start == head else start
    words = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "-U3", origin, head, "--"]
    with GitProcess(repository, words) as lines:
        diff = patch.parse(enumerate(lines, 1), "git diff")
    commits = _read_commits(repository, start, head, clock, name)
    return GitHistory(
        diff=diff,
        commits=commits,
        merges=_merge_commits(commits),
        base=start,
        head=head,
        other_commits=other_commits(repository, start, head, diff, clock),
    )


def is_repository(folder: Path) -> bool:
    """Return whether the folder itself, not a folder above it, is a git repository."""
    return (folder / ".git").exists() and ask_git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]) is not None


def _read_commits(repository: Path, start: str, head: str, clock: Clock, name: str) -> tuple[Commit, ...]:
    span = [head] if start == head else [f"{start}..{head}"]
    first_parents = set((ask_git(repository, ["rev-list", "--first-parent", f"-n{MOST}", *span]) or "").split())
    tips = set((ask_git(repository, ["for-each-ref", "--format=%(objectname)", "refs/heads"]) or "").split()) - {head}
    words = [
        "log",
        f"-n{MOST}",
        "--no-show-signature",
        "--shortstat",
        "--format=%x01%H%x00%P%x00%cI%x00%s",
        *span,
        "--",
    ]
    found: list[Commit] = []
    with GitProcess(repository, words) as lines:
        for line in lines:
            text = line.decode("utf-8", "replace")
            if text.startswith("\x01"):
                found.append(_commit(text[1:], first_parents, tips, clock, name))
            elif found and "changed" in text:
                added, removed = (re.search(rf"(\d+) {word}", text) for word in ("insertion", "deletion"))
                found[-1] = _with_size(found[-1], int(added[1]) if added else 0, int(removed[1]) if removed else 0)
    return tuple(
        reversed([each if each.added is not None or each.parents > 1 else _with_size(each, 0, 0) for each in found])
    )


def _commit(text: str, first_parents: set[str], tips: set[str], clock: Clock, name: str) -> Commit:
    identity, parents, when, subject = [*text.split("\0"), "", "", ""][:4]
    count = len(parents.split())
    # the tip of a fast-forwarded branch is on the main line, but was made on the branch
    straight = identity in first_parents and count == 1 and identity not in tips
    return Commit(
        id=identity,
        subject=shorten(subject),
        moment=Moment(location=Location(file=f"{name} {identity[:12]}"), ms=clock.known(when)),
        parents=count,
        on_main=straight,
    )


def _with_size(commit: Commit, added: int, removed: int) -> Commit:
    return Commit(
        id=commit.id,
        subject=commit.subject,
        moment=commit.moment,
        parents=commit.parents,
        on_main=commit.on_main,
        added=added,
        removed=removed,
    )


def _merge_commits(commits: Sequence[Commit]) -> tuple[Merge, ...]:
    return tuple(
        Merge(
            task_id=None,
            moment=commit.moment,
            clean=not _CONFLICT.search(commit.subject),
            branch=match[1] if (match := _BRANCH.match(commit.subject)) else "",
            commit=commit.id,
            text=commit.subject,
        )
        for commit in commits
        if commit.parents > 1
    )
