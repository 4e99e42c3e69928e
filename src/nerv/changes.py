"""Changes of a run: the diff by file and hunk, and the files of the repository."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nerv.location import Location

ChangeKind = Literal["added", "modified", "deleted", "renamed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """A stretch of a file's new side: context and added lines, in order."""

    location: Location
    """The hunk's header line in the patch."""
    new_start: int
    """The line of the new file that `lines[0]` is."""
    lines: tuple[str, ...]
    """Without `+` and space, without line ends. Empty where the text was left out (`FileChange.text_left_out`)."""
    added: frozenset[int]
    """Indices into `lines` of those that are new; the others are context."""
    removed: tuple[str, ...] = ()
    """The old side's removed lines."""
    removed_before: tuple[int, ...] = ()
    """For each removed line, the index into `lines` of the line that it stood before; empty where not known."""

    @property
    def old_pairs(self) -> tuple[tuple[str, bool], ...]:
        """The stretch as it was before: context and removed lines in order, each with whether it was removed."""
        waiting = list(zip(self.removed_before, self.removed, strict=False))[::-1]
        found = []
        for index, line in enumerate(self.lines):
            while waiting and waiting[-1][0] <= index:
                found.append((waiting.pop()[1], True))
            if index not in self.added:
                found.append((line, False))
        return (*found, *((line, True) for _, line in reversed(waiting)))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """The change of one file over the whole run, from its first state to its last."""

    path: str
    """In the new state; the old path where it was deleted. As the patch says it, without `a/` and `b/`."""
    kind: ChangeKind
    location: Location
    """The patch's `diff --git` line."""
    added: int = 0
    """Counted to the end, whether or not the text was kept."""
    removed: int = 0
    old_path: str | None = None
    binary: bool = False
    hunks: tuple[Hunk, ...] = ()
    text_left_out: bool = False
    """Too large, or generated (lock files, minified, vendored folders): counted, text not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """All changes of a run, one entry per file, sorted by path."""

    files: tuple[FileChange, ...] = ()
    left_out: int = 0
    """Files whose text was not kept."""

    @property
    def added(self) -> int:
        """Lines added, over all files."""
        return sum(change.added for change in self.files)

    @property
    def removed(self) -> int:
        """Lines removed, over all files."""
        return sum(change.removed for change in self.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCommit:
    """A commit in the run's repository that is part of neither its base nor its result."""

    id: str
    subject: str
    diff: Diff
    """From the base, in the files that the run changed."""
    before_run: bool | None
    """Whether it is older than the run; None if the times of the log and of the commits cannot be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryFile:
    """A text file of the repository as the run left it."""

    path: str
    """Relative to the repository, with `/`."""
    text: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """The repository that was built, as the run left it."""

    paths: tuple[str, ...]
    """Every file that is not ignored, generated or vendored; sorted; at most 20,000."""
    files: tuple[RepositoryFile, ...]
    """The text files among them, sorted by path, as far as the budget goes: source and documents first."""
    left_out: int = 0
    """Text files that are in `paths` but not in `files`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """Code that the run wrote, as rules look at it."""

    path: str
    text: str
    whole: bool
    """False: only hunks of the file are known, joined in order; a parser sees a fragment."""
    lines: tuple[int, ...]
    """For each line of `text`, its line number in the new file."""
    written: frozenset[int] | None
    """The line numbers (of the new file) that this run added; None: all of them."""
    location: Location
    """The repository file, or the change in the patch."""

    def at(self, index: int) -> Location:
        """Return the location of line `index` (from 0) of `text`."""
        line = self.lines[index] if index < len(self.lines) else None
        return Location(file=self.path, line=line)


def written_sources(diff: Diff | None, repository: Repository | None) -> tuple[SourceText, ...]:
    """The files that the run wrote, sorted by path.

    With both, the repository's text of every file that the diff touches, and which lines are new. With the
    repository alone, all of its files. With the diff alone, added files whole and the hunks of others.
    """
    if diff is None:
        return tuple(_from_repository(file, None) for file in repository.files) if repository else ()
    at_hand = {file.path: file for file in repository.files} if repository else {}
    found = []
    for change in diff.files:
        if change.kind == "deleted" or change.binary:
            continue
        if change.path in at_hand:
            found.append(_from_repository(at_hand[change.path], change))
        elif change.hunks and not change.text_left_out:
            found.append(_from_hunks(change))
    return tuple(found)


def _from_repository(file: RepositoryFile, change: FileChange | None) -> SourceText:
    count = file.text.count("\n") + 1
    whole_file_is_new = change is None or change.kind == "added" or change.text_left_out
    return SourceText(
        path=file.path,
        text=file.text,
        whole=True,
        lines=tuple(range(1, count + 1)),
        written=None if change is None or whole_file_is_new else _new_lines(change),
        location=file.location,
    )


def _from_hunks(change: FileChange) -> SourceText:
    return SourceText(
        path=change.path,
        text="".join(f"{line}\n" for hunk in change.hunks for line in hunk.lines),
        whole=change.kind == "added",
        lines=tuple(hunk.new_start + index for hunk in change.hunks for index in range(len(hunk.lines))),
        written=None if change.kind == "added" else _new_lines(change),
        location=change.location,
    )


def _new_lines(change: FileChange) -> frozenset[int]:
    return frozenset(hunk.new_start + index for hunk in change.hunks for index in hunk.added)
