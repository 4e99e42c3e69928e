"""The diff of a session, rebuilt from its own edits: a log holds what was written, and often the file before it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from nerv.changes import Diff, FileChange
from nerv.location import Location
from nerv.readers.claude_code.edited_passages import Passage, amend, passages_in
from nerv.readers.claude_code.git_reverts import GitEffect, git_effects
from nerv.readers.claude_code.log_paths import is_absolute, portable_path
from nerv.readers.claude_code.written_files import (
    applied_diffs,
    applied_patches,
    heredoc_files,
    removed_paths,
    substitutions,
)
from nerv.readers.git import patch

_MOST_FILES = 2_000
_LARGEST_FILE = 512 * 1024
_TEXT_BUDGET = 16 * 1024 * 1024
_MOST_COMPARED = 4_000_000
"""Pairs of lines that are compared: the comparison takes quadratic time."""
_CREATED = re.compile(r"(?:New )?[Ff]ile (?:was )?created")
_HUNK = re.compile(r"^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")
_CONTEXT = 3
_SECTION = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.M)

Replacement = tuple[str, str, bool]
"""Old text, new text, and whether every occurrence is replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """One edit of a file, as far as the log shows it."""

    path: str
    location: Location
    before: str | None = None
    """The whole file before the edit; None if the log does not hold it."""
    after: str | None = None
    """The whole file after it, for a tool that writes whole files."""
    replacements: tuple[Replacement, ...] = ()
    hunks: tuple[str, ...] = ()
    """The edit as hunks of a patch."""
    created: bool = False
    deleted: bool = False


@dataclass(slots=True)
class _FileState:
    location: Location
    original: str | None = None
    """None: not known."""
    current: str | None = None
    passages: list[Passage] = field(default_factory=list)
    """What is known of the changes where the whole file is not."""
    rewritten: bool = False
    """The whole file was written, so that its current text is the change; `original` is not known."""
    created: bool = False
    deleted: bool = False
    restored: bool = False
    """Put back as it was before the session."""


@dataclass(slots=True)
class RebuiltFiles:
    """The files that a session edited, from their first known state to their last."""

    files: dict[str, _FileState] = field(default_factory=dict)
    left_out: int = 0
    latest_diff: Diff | None = None
    """The diff that was last asked for."""
    _kept: int = 0
    _kept_hunks: int = 0
    _committed: dict[str, _FileState] = field(default_factory=dict)
    """The files as the session last committed them."""
    _stashed: dict[str, _FileState] = field(default_factory=dict)

    def take(self, edit: FileEdit) -> None:
        """Apply the next edit."""
        state = self.files.get(edit.path)
        if state is None:
            if len(self.files) >= _MOST_FILES:
                self.left_out += 1
                return
            original = "" if edit.created else edit.before
            state = self.files[edit.path] = _FileState(edit.location, original, original, created=edit.created)
        before = edit.before if edit.before is not None else state.current
        after = "" if edit.deleted else edit.after if edit.after is not None else _replaced(before, edit.replacements)
        state.deleted, state.restored = edit.deleted, False
        self._kept += len(after or "") - len(state.current or "")
        if after is not None and (len(after) > _LARGEST_FILE or self._kept > _TEXT_BUDGET):
            self._kept -= len(after)
            after = None
        if state.original is None and edit.after is not None and edit.before is None and after is not None:
            state.passages, state.rewritten = [], True
        elif state.rewritten and after is None:
            written = tuple((state.current or "").splitlines())
            state.passages, state.rewritten = [Passage(start=1, before=(), after=written)], False
            self._add_passages(state, edit)
        elif ((state.original is None and not state.rewritten) or after is None) and self._kept_hunks < _TEXT_BUDGET:
            self._add_passages(state, edit)
        state.current = after

    def _add_passages(self, state: _FileState, edit: FileEdit) -> None:
        for hunk in _hunks_of(edit):
            self._kept_hunks += len(hunk)
            for passage in passages_in(hunk):
                amend(state.passages, passage, whole_lines=bool(edit.hunks))

    def take_command(self, command: str, folder: str, location: Location) -> None:
        """Apply what a shell command writes from heredocs, and what it does to the files that were written."""
        for written, text, appends in heredoc_files(command, folder) if "<<" in command else ():
            path = _absolute(written, folder)
            known = self.files.get(path)
            before = known.current if known is not None else None
            if appends and before is None and known is not None:
                self.take(FileEdit(path=path, location=location, replacements=(("", text, False),)))
            else:
                after = f"{before or ''}{text}" if appends else text
                self.take(FileEdit(path=path, location=location, after=after, created=known is None and not appends))
        for patch_text in applied_patches(command):
            for edit in _patched(patch_text, location):
                self.take(replace(edit, path=_absolute(edit.path, folder)))
        for body in applied_diffs(command) if "<<" in command else ():
            for edit in _diffed(body, location):
                self.take(replace(edit, path=_absolute(edit.path, folder)))
        for substituted, old, new, everywhere in substitutions(command) if "sed" in command else ():
            path = _absolute(substituted, folder)
            known = self.files.get(path)
            if known is not None and known.current is not None and old in known.current:
                lines = known.current.split("\n")
                after = "\n".join(line.replace(old, new, -1 if everywhere else 1) for line in lines)
                self.take(FileEdit(path=path, location=location, after=after, before=known.current))
        for removed in removed_paths(command) if "rm " in command else ():
            path = _absolute(removed, folder)
            if path in self.files:
                self.take(FileEdit(path=path, location=location, deleted=True))
        for effect in git_effects(command) if "git" in command and self.files else ():
            self._take_git(effect, folder)

    def _take_git(self, effect: GitEffect, folder: str) -> None:
        """Put files back as a git command does; what git does not know stays."""
        if effect.step == "commit":
            self._committed = {path: _copy(state) for path, state in self.files.items()}
            return
        if effect.step == "unstash":
            self.files |= {path: _copy(state) for path, state in self._stashed.items()}
            self._stashed = {}
            return
        named = {_absolute(path, folder).rstrip("/") for path in effect.paths}
        for path, state in list(self.files.items()):
            if named and path not in named and not any(path.startswith(f"{each}/") for each in named):
                continue
            committed = self._committed.get(path)
            untracked = state.created and committed is None
            if untracked != (effect.step == "clean"):
                continue  # `clean` removes what git does not know, and nothing else does
            if effect.step == "stash":
                self._stashed[path] = _copy(state)
            if untracked or (effect.step == "restart" and state.created):
                state.deleted, state.current = True, ""
            elif committed is not None and effect.step != "restart":
                self.files[path] = _copy(committed)
            else:
                self.files[path] = _FileState(state.location, state.original, state.original, restored=True)

    def is_undone(self, path: str) -> bool:
        """Return whether the session took all of its edits of a file back."""
        state = self.files.get(path)
        if state is None:
            return False
        same = state.original is not None and state.original == state.current and not state.created
        return state.restored or same or (state.created and state.deleted)

    def diff(self, root: str) -> Diff:
        """Return the net changes below a folder; files elsewhere are not part of the result."""
        changes = [change for path, state in self.files.items() if (change := _change(path, state, root)) is not None]
        found = tuple(sorted(changes, key=lambda change: change.path))
        self.latest_diff = Diff(files=found, left_out=self.left_out)
        return self.latest_diff


def _copy(state: _FileState) -> _FileState:
    return replace(state, passages=list(state.passages))


def _absolute(path: str, folder: str) -> str:
    return f"{folder.rstrip('/')}/{path.removeprefix('./')}" if folder and not is_absolute(path) else path


def edit_of(
    path: str, given: Mapping[str, Any], result: Mapping[str, Any], output: str, location: Location
) -> Iterator[FileEdit]:
    """Return the edit of a tool call: `given` is its input, `result` what Claude Code records of its result."""
    if isinstance(text := given.get("patch"), str):
        yield from _patched(text, location)
        return
    before = _first_text(result, "originalFile", "originalFileContents")
    content = _first_text(given, "content", "file_text", "contents")
    created = result.get("type") == "create" or (content is not None and bool(_CREATED.search(output[:200])))
    source = _first_text(given, "new_source")
    yield FileEdit(
        path=path,
        location=location,
        before=None if before is not None and len(before) > _LARGEST_FILE else before,
        after=content,
        replacements=tuple(_replacements(given)),
        hunks=tuple(_recorded_hunks(result.get("structuredPatch"))) or ((_hunk("", source),) if source else ()),
        created=created and before is None,
    )


def _replacements(given: Mapping[str, Any]) -> Iterator[Replacement]:
    listed = given.get("edits")
    for edit in listed if isinstance(listed, list) else (given,):
        if isinstance(edit, Mapping):
            old = _first_text(edit, "old_string", "old_str", "old_text", "oldText")
            new = _first_text(edit, "new_string", "new_str", "new_text", "newText")
            if old is not None or new is not None:
                yield old or "", new or "", edit.get("replace_all") is True


def _first_text(fields: Mapping[str, Any], *names: str) -> str | None:
    return next((fields[name] for name in names if isinstance(fields.get(name), str)), None)


def _replaced(before: str | None, replacements: Sequence[Replacement]) -> str | None:
    """Return the text after the replacements; None if it is not known."""
    if before is None or not replacements:
        return None
    for old, new, everywhere in replacements:
        if not old:
            if before:
                return None
            before = new
        elif old in before:
            before = before.replace(old, new, -1 if everywhere else 1)
        else:
            return None
    return before


def _hunks_of(edit: FileEdit) -> Iterator[str]:
    if edit.hunks:
        yield from edit.hunks
    elif edit.after is not None:
        yield _hunk(edit.before or "", edit.after)
    else:
        yield from (_hunk(old, new) for old, new, _ in edit.replacements)


def _recorded_hunks(found: object) -> Iterator[str]:
    """Yield the hunks of Claude Code's `structuredPatch`."""
    for hunk in found if isinstance(found, list) else ():
        lines = hunk.get("lines") if isinstance(hunk, Mapping) and isinstance(hunk.get("lines"), list) else None
        numbers = [hunk.get(name) for name in ("oldStart", "oldLines", "newStart", "newLines")] if lines else []
        if (
            lines
            and all(isinstance(number, int) for number in numbers)
            and all(isinstance(each, str) for each in lines)
        ):
            yield "\n".join([f"@@ -{numbers[0]},{numbers[1]} +{numbers[2]},{numbers[3]} @@", *lines])


def _hunk(old: str, new: str) -> str:
    """Return a replaced passage as a hunk; its place in the file is not known."""
    return "\n".join(_patch_lines(old.splitlines(), new.splitlines()))


def _patch_lines(before: list[str], after: list[str]) -> list[str]:
    """Return the lines of a patch; large passages that differ throughout are not compared line by line."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    if (len(before) - start - end) * (len(after) - start - end) <= _MOST_COMPARED:
        first, last = max(0, start - _CONTEXT), max(0, end - _CONTEXT)
        middle = before[first : len(before) - last], after[first : len(after) - last]
        compared = list(difflib.unified_diff(*middle, lineterm="", n=_CONTEXT))[2:]
        return [_HUNK.sub(lambda match: _moved(match, first), line, count=1) for line in compared]
    removed, added = before[start : len(before) - end], after[start : len(after) - end]
    header = f"@@ -{start + 1},{len(removed)} +{start + 1},{len(added)} @@"
    return [header, *(f"-{line}" for line in removed), *(f"+{line}" for line in added)]


def _passage_lines(passage: Passage) -> list[str]:
    lines = _patch_lines(list(passage.before), list(passage.after))
    return [_HUNK.sub(lambda match: _moved(match, passage.start - 1), line, count=1) for line in lines]


def _moved(header: re.Match[str], by: int) -> str:
    """Return the header of a hunk that begins so many lines later."""
    return f"@@ -{int(header[1]) + by}{header[2] or ''} +{int(header[3]) + by}{header[4] or ''} @@"


def _change(path: str, state: _FileState, root: str) -> FileChange | None:
    """Return the net change of a file; None if it lies elsewhere or did not change."""
    inside = path.removeprefix(root.rstrip("/") + "/") if root else path.lstrip("/")
    if is_absolute(inside) or (state.created and state.deleted):
        return None
    known = state.original is not None and state.current is not None
    if state.rewritten and not known:
        known, state = True, replace(state, original="")
    changed = any(passage.before != passage.after for passage in state.passages) or state.deleted
    if state.original == state.current if known else not changed:
        return None
    header = [f"diff --git a/{inside} b/{inside}", "--- /dev/null" if state.created else f"--- a/{inside}"]
    header.append("+++ /dev/null" if state.deleted else f"+++ b/{inside}")
    if known:
        body = _patch_lines((state.original or "").splitlines(), (state.current or "").splitlines())
    else:
        body = [line for passage in state.passages for line in _passage_lines(passage)]
    lines = enumerate((line.encode("utf-8", "replace") for line in [*header, *body]), 1)
    found = patch.parse(lines, state.location.file).files
    if not found:
        return None
    hunks = tuple(replace(hunk, location=state.location) for hunk in found[0].hunks)
    return replace(found[0], path=inside, location=state.location, hunks=hunks)


def _diffed(text: str, location: Location) -> Iterator[FileEdit]:
    """Yield the edits of a unified diff."""
    for part in re.split(r"^(?=--- )", text, flags=re.M)[1:]:
        names = re.match(r"--- (\S+).*\n\+\+\+ (\S+).*\n", part)
        if names is None:
            continue
        old, new = (re.sub(r"^[ab]/", "", name) for name in names.groups())
        body = re.split(r"^diff --git ", part[names.end() :], maxsplit=1, flags=re.M)[0]
        hunks = tuple(hunk.rstrip("\n") for hunk in re.split(r"^(?=@@ )", body, flags=re.M) if hunk.startswith("@@ "))
        if new == "/dev/null":
            yield FileEdit(path=old, location=location, deleted=True)
        elif old == "/dev/null":
            added = "".join(line[1:] + "\n" for hunk in hunks for line in hunk.split("\n")[1:] if line[:1] == "+")
            yield FileEdit(path=new, location=location, after=added, created=True)
        else:
            yield FileEdit(path=new, location=location, hunks=hunks, replacements=tuple(map(_passage, hunks)))


def _passage(hunk: str) -> Replacement:
    """Return a hunk as the passage that it replaces and the one that it puts there."""
    lines = [line for line in hunk.split("\n")[1:] if line[:1] != "\\"]
    old = "\n".join(line[1:] for line in lines if line[:1] != "+")
    new = "\n".join(line[1:] for line in lines if line[:1] != "-")
    return old, new, False


def _patched(text: str, location: Location) -> Iterator[FileEdit]:
    """Yield the edits of an `apply_patch` text: sections of added, changed, moved and deleted files."""
    sections = list(_SECTION.finditer(text))
    for match, following in zip_longest(sections, sections[1:]):
        body = text[match.end() : following.start() if following else len(text)].strip("\n").split("\n")
        path = portable_path(match[2].strip())
        if match[1] == "Delete":
            yield FileEdit(path=path, location=location, deleted=True)
        elif match[1] == "Add":
            content = "\n".join(line[1:] for line in body if line.startswith("+"))
            yield FileEdit(path=path, location=location, after=content + "\n", created=True)
        else:
            moved = next(
                (portable_path(line.partition(":")[2].strip()) for line in body if line.startswith("*** Move to:")), ""
            )
            chunks = re.split(r"^@@.*\n?", "\n".join(line for line in body if not line.startswith("***")), flags=re.M)
            passages = tuple(_passage(f"@@\n{chunk.rstrip(chr(10))}") for chunk in chunks if chunk.strip("\n"))
            hunks = tuple(_hunk(old, new) for old, new, _ in passages)
            if moved:
                yield FileEdit(path=path, location=location, deleted=True)
            yield FileEdit(path=moved or path, location=location, hunks=hunks, replacements=passages)
