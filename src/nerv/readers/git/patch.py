"""Parser for unified diffs. Text is kept within a budget; counts are always complete."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from nerv.changes import ChangeKind, Diff, FileChange, Hunk
from nerv.location import Location

TEXT_BUDGET = 8 * 1024 * 1024
_MOST_OF_A_FILE = 1024 * 1024
_MOST_FILES = 20_000
_LONGEST_LINE = 20_000
_GENERATED = re.compile(
    r"(^|/)(node_modules|vendor|third_party|dist|build|target|\.venv|venv|__pycache__|\.next|coverage)/"
    r"|(^|/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock"
    r"|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum|gradle\.lockfile)$"
    r"|\.(min\.(js|css)|map|snap|lock|pb\.go|svg|ipynb)$"
)
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([abfnrtv"\\]|[0-7]{3})')
_LETTERS = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


def is_generated(path: str) -> bool:
    """Return whether tools generate such a file; it is counted, but not read."""
    return _GENERATED.search(path) is not None


def parse(lines: Iterable[tuple[int, bytes]], name: str) -> Diff:
    """Parse a diff; `lines` are numbered, without line ends. Other text, such as a commit's header, is skipped."""
    reader = _Reader(name)
    for number, line in lines:
        reader.take(number, line)
    return reader.finish()


def join(diffs: Iterable[Diff]) -> Diff:
    """Join several diffs of one run, in order: a file that several touch is listed once."""
    files: dict[str, FileChange] = {}
    for diff in diffs:
        for change in diff.files:
            earlier = files.get(change.path)
            files[change.path] = change if earlier is None else _join_changes(earlier, change)
    changes = tuple(files[path] for path in sorted(files))
    return Diff(files=changes, left_out=sum(change.text_left_out for change in changes))


def _join_changes(earlier: FileChange, later: FileChange) -> FileChange:
    kind: ChangeKind = "deleted" if later.kind == "deleted" else "modified"
    return FileChange(
        path=later.path,
        kind=kind,
        location=earlier.location,
        added=earlier.added + later.added,
        removed=earlier.removed + later.removed,
        binary=earlier.binary or later.binary,
        hunks=(*earlier.hunks, *later.hunks),
        text_left_out=earlier.text_left_out or later.text_left_out,
    )


@dataclass(slots=True)
class _Change:
    location: Location
    path: str = ""
    old_path: str | None = None
    kind: ChangeKind = "modified"
    added: int = 0
    removed: int = 0
    binary: bool = False
    hunks: list[Hunk] = field(default_factory=list)
    size: int = 0
    left_out: bool = False


@dataclass(slots=True)
class _OpenHunk:
    location: Location
    new_start: int
    old_left: int
    new_left: int
    lines: list[str] = field(default_factory=list)
    added: set[int] = field(default_factory=set)
    removed: list[str] = field(default_factory=list)
    removed_before: list[int] = field(default_factory=list)


class _Reader:
    """State of the parser within a patch."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._change: _Change | None = None
        self._hunk: _OpenHunk | None = None
        self._done: dict[str, FileChange] = {}
        self._kept = 0
        self._more = 0

    def take(self, number: int, line: bytes) -> None:
        hunk = self._hunk
        if hunk and (hunk.old_left > 0 or hunk.new_left > 0):
            self._inside(hunk, line)
            return
        if line.startswith(b"\\"):
            return
        if line.startswith(b"diff --git "):
            self._begin(number)
            assert self._change
            self._change.path = _git_path(line)
            return
        if line.startswith(b"--- ") and (self._change is None or self._hunk is not None):
            self._begin(number)  # a patch without git's own header lines
        if self._change is not None:
            self._header(self._change, number, line)

    def finish(self) -> Diff:
        self._end()
        files = tuple(self._done[path] for path in sorted(self._done))
        return Diff(files=files, left_out=sum(change.text_left_out for change in files) + self._more)

    def _begin(self, number: int) -> None:
        self._end()
        self._change = _Change(location=Location(file=self._name, line=number))

    def _end(self) -> None:
        self._end_hunk()
        change, self._change = self._change, None
        if change is None or not change.path:
            return
        if len(self._done) >= _MOST_FILES:
            self._more += 1
            return
        found = FileChange(
            path=change.path,
            kind=change.kind,
            location=change.location,
            added=change.added,
            removed=change.removed,
            old_path=change.old_path,
            binary=change.binary,
            hunks=() if change.left_out else tuple(change.hunks),
            text_left_out=change.left_out,
        )
        earlier = self._done.get(found.path)
        self._done[found.path] = found if earlier is None else _join_changes(earlier, found)
        if change.left_out:
            self._kept -= change.size

    def _end_hunk(self) -> None:
        hunk, self._hunk = self._hunk, None
        if hunk is None or self._change is None or self._change.left_out:
            return
        self._change.hunks.append(
            Hunk(
                location=hunk.location,
                new_start=hunk.new_start,
                lines=tuple(hunk.lines),
                added=frozenset(hunk.added),
                removed=tuple(hunk.removed),
                removed_before=tuple(hunk.removed_before),
            )
        )

    def _header(self, change: _Change, number: int, line: bytes) -> None:
        if line.startswith(b"@@ "):
            self._end_hunk()
            if match := _HUNK.match(line):
                old, _, new = match[2], match[3], match[4]
                self._hunk = _OpenHunk(
                    location=Location(file=self._name, line=number),
                    new_start=int(match[3]),
                    old_left=1 if old is None else int(old),
                    new_left=1 if new is None else int(new),
                )
                change.left_out = change.left_out or is_generated(change.path)
        elif line.startswith(b"new file mode"):
            change.kind = "added"
        elif line.startswith(b"deleted file mode"):
            change.kind = "deleted"
        elif line.startswith(b"rename from "):
            change.kind, change.old_path = "renamed", _unquoted(line[len(b"rename from ") :])
        elif line.startswith(b"rename to "):
            change.path = _unquoted(line[len(b"rename to ") :])
        elif line.startswith((b"Binary files ", b"GIT binary patch")):
            change.binary = True
        elif line.startswith(b"--- "):
            if line.startswith(b"--- /dev/null"):
                change.kind = "added"
            else:
                change.path = change.path or _file_side(line)
        elif line.startswith(b"+++ "):
            if line.startswith(b"+++ /dev/null"):
                change.kind = "deleted"
            else:
                change.path = _file_side(line) or change.path

    def _inside(self, hunk: _OpenHunk, line: bytes) -> None:
        assert self._change
        mark, rest = line[:1], line[1:]
        if mark == b"+":
            hunk.new_left -= 1
            self._change.added += 1
            hunk.added.add(len(hunk.lines))
            self._keep(hunk.lines, rest)
        elif mark == b"-":
            hunk.old_left -= 1
            self._change.removed += 1
            hunk.removed_before.append(len(hunk.lines))
            self._keep(hunk.removed, rest)
        elif mark == b"\\":
            return
        else:  # a blank context line may have lost its space
            hunk.new_left -= 1
            hunk.old_left -= 1
            self._keep(hunk.lines, rest)

    def _keep(self, where: list[str], line: bytes) -> None:
        change = self._change
        assert change
        if change.left_out:
            return
        size = len(line) + 1
        change.size += size
        self._kept += size
        if change.size > _MOST_OF_A_FILE or self._kept > TEXT_BUDGET:
            change.left_out = True
            change.hunks.clear()
            where.clear()
            return
        where.append(line[:_LONGEST_LINE].rstrip(b"\r").decode("utf-8", "replace"))


def _git_path(line: bytes) -> str:
    """Return the new path of a `diff --git a/x b/x` line; later lines, if present, are more reliable."""
    rest = line[len(b"diff --git ") :]
    if rest.endswith(b'"'):
        start = rest.rfind(b' "')
        return _unquoted(rest[start + 1 :]).removeprefix("b/")
    half = (len(rest) - 1) // 2  # both halves are alike but for a/ and b/, and a path may hold a blank
    if rest[half : half + 1] == b" " and rest[2:half] == rest[half + 3 :]:
        return rest[half + 3 :].decode("utf-8", "replace")
    return rest.split(b" b/")[-1].decode("utf-8", "replace")


def _file_side(line: bytes) -> str:
    path = _unquoted(line[4:].split(b"\t")[0].rstrip(b"\r"))
    return path[2:] if path.startswith(("a/", "b/")) else path


def _unquoted(text: bytes) -> str:
    text = text.strip()
    if text.startswith(b'"') and text.endswith(b'"'):
        text = _ESCAPE.sub(
            lambda match: bytes([int(match[1], 8) & 255]) if len(match[1]) == 3 else _LETTERS.get(match[1], match[1]),
            text[1:-1],
        )
    return text.decode("utf-8", "replace")
