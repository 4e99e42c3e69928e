"""Changed files with both of their sides, old and new, parsed once for all detectors."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nerv.changes import ChangeKind, Diff, FileChange, Repository, SourceText, written_sources
from nerv.findings.test_code import TestCode, tests_in
from nerv.inspection.languages import language_of, parse_unless_too_deep, walk
from nerv.inspection.source import is_inspected, is_test_path
from nerv.inspection.values import ParsedFile
from nerv.location import Location

_MOST = 2_000_000
"""Limit of the characters of one side over all files; files after that have no text here."""


@dataclass(frozen=True)
class ChangedFile:
    """A file of the diff: its text before and after the run, as far as it is known."""

    path: str
    old_path: str
    kind: ChangeKind
    location: Location
    old: SourceText | None
    """`written` are the lines that the run removed. None for a new file, and where the text is not known."""
    new: SourceText | None
    """None for a deleted file, and where the text is not known."""

    @property
    def is_test(self) -> bool:
        """True if the path is that of a test file, now or before."""
        return is_test_path(self.path) or is_test_path(self.old_path)

    @functools.cached_property
    def old_tree(self) -> ParsedFile | None:
        """The syntax tree of the old side; None if there is none, or no parser."""
        return _tree(self.old)

    @functools.cached_property
    def new_tree(self) -> ParsedFile | None:
        """The syntax tree of the new side; None if there is none, or no parser."""
        return _tree(self.new)

    @functools.cached_property
    def old_tests(self) -> tuple[TestCode, ...]:
        """The tests of the old side."""
        return tests_in(self.old_tree) if _may_have_tests(self.old) else ()

    @functools.cached_property
    def new_tests(self) -> tuple[TestCode, ...]:
        """The tests of the new side."""
        return tests_in(self.new_tree) if _may_have_tests(self.new) else ()

    @functools.cached_property
    def added_lines(self) -> tuple[tuple[str, Location], ...]:
        """The lines that the run wrote, with their places."""
        return tuple(_own_lines(self.new))

    @functools.cached_property
    def removed_lines(self) -> tuple[str, ...]:
        """The lines that the run removed."""
        return tuple(line for line, _ in _own_lines(self.old))


def changed_files(diff: Diff | None, repository: Repository | None) -> tuple[ChangedFile, ...]:
    """Return the files of the diff; without a diff, the whole repository as new files."""
    news = {source.path: source for source in written_sources(diff, repository) if is_inspected(source)}
    if diff is None:
        return tuple(
            ChangedFile(path=path, old_path=path, kind="added", location=source.location, old=None, new=source)
            for path, source in news.items()
        )
    found, size = [], 0
    for change in diff.files:
        new = news.get(change.path)
        old = _old_side(change, new)
        size += max(len(side.text) if side else 0 for side in (old, new))
        if size > _MOST:
            old = new = None
        found.append(
            ChangedFile(
                path=change.path,
                old_path=change.old_path or change.path,
                kind=change.kind,
                location=change.location,
                old=old if old is not None and is_inspected(old) else None,
                new=new,
            )
        )
    return tuple(found)


def _old_side(change: FileChange, new: SourceText | None) -> SourceText | None:
    if change.kind == "added" or change.binary or change.text_left_out or not change.hunks:
        return None
    whole = _undone(change, new) if new is not None and new.whole else None
    if change.kind == "deleted":
        whole = [pair for hunk in change.hunks for pair in hunk.old_pairs]
    lines = whole if whole is not None else [pair for hunk in change.hunks for pair in hunk.old_pairs]
    return SourceText(
        path=change.old_path or change.path,
        text="".join(f"{line}\n" for line, _ in lines),
        whole=whole is not None,
        lines=tuple(range(1, len(lines) + 1)),
        written=frozenset(number for number, (_, removed) in enumerate(lines, 1) if removed),
        location=change.location,
    )


def _undone(change: FileChange, new: SourceText) -> list[tuple[str, bool]] | None:
    """Return the whole old file, by undoing the hunks; None if they do not fit the new text."""
    text = new.text.split("\n")
    if text and not text[-1]:
        text.pop()
    found: list[tuple[str, bool]] = []
    done = 0
    for hunk in sorted(change.hunks, key=lambda hunk: hunk.new_start):
        start = hunk.new_start - 1 if hunk.lines else hunk.new_start
        stretch = tuple(line.rstrip("\r") for line in text[start : start + len(hunk.lines)])
        if start < done or stretch != hunk.lines:
            return None
        found.extend((line, False) for line in text[done:start])
        found.extend(hunk.old_pairs)
        done = start + len(hunk.lines)
    return [*found, *((line, False) for line in text[done:])]


def _may_have_tests(side: SourceText | None) -> bool:
    """Return whether a side can contain tests at all; most code has none, and need not be parsed for them.

    Python's runners look for tests in files by their names: `test` in another one is a function like any other.
    """
    if side is None or is_test_path(side.path):
        return side is not None
    words = r"\bpytest\b|\bunittest\b|\bTestCase\b" if side.path.endswith(".py") else r"test|\bit\("
    return re.search(words, side.text, re.I) is not None


def _tree(side: SourceText | None) -> ParsedFile | None:
    language = language_of(side.path) if side else None
    if side is None or language is None:
        return None
    root = parse_unless_too_deep(language, side.text)
    return None if root is None else ParsedFile(side, language, root, tuple(walk(root)), is_test_path(side.path))


def _own_lines(side: SourceText | None) -> Iterator[tuple[str, Location]]:
    if side is None:
        return
    for index, line in enumerate(side.text.split("\n")):
        number = side.lines[index] if index < len(side.lines) else None
        if number is not None and (side.written is None or number in side.written):
            yield line, Location(file=side.path, line=number)
