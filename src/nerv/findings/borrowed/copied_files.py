"""Files of the result that the run did not write: no edit and no command has their lines, but one took them over.

What was copied, unpacked, applied or checked out need never appear in the log, so its lines say nothing. That nobody
typed them does.
"""

from __future__ import annotations

import re

from nerv.finding import Finding
from nerv.findings.borrowed.git_history import created_branches, git_history, verb_of
from nerv.findings.borrowed.written_lines import is_telling
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.shell_segments import Segment, segments
from nerv.readers.claude_code.test_commands import is_test_run

_FEWEST_LINES = 3
_MOST_TYPED = 0.4
_CUT = 3_900
"""The length from which a command may have been cut, so that its lines are not known."""
_OUTSIDE = re.compile(
    r"(?:(?<=[\s'\"=(<:@])|^)"
    r"(?P<source>(?:\.\./|~/|/(?!dev/|bin/|usr/(?:local/)?bin/|proc/|etc/|sys/)\w)[^\s'\"|;)]*"
    r"|\w+://[^\s'\"|;)]+|[\w.@-]+:[\w./~-]*[\w/]|\S+\.(?:tgz|tar|zip|whl|gz|crate|7z|patch|diff|bundle|orig|bak)\b|\S+~(?=\s|$))"
)
"""A path outside of a repository, an address, an archive, a patch, or a copy that somebody kept."""
_COPIERS = re.compile(
    r"cp|mv|install|rsync|ln|scp|dd|tar|bsdtar|unzip|7z|cpio|patch|cat|sed|head|tail|tee|base64|wget|curl|gh|docker|podman"
    r"|aws|gsutil|python3?|node|perl|ruby|sh|bash|source|\.|vim?|ed|ex|pip3?|npm|git"
)
_MOVES_THE_TREE = frozenset(
    {"checkout", "switch", "restore", "merge", "pull", "rebase", "reset", "read-tree", "cherry-pick", "am", "apply"}
)
_DOWNLOADS = re.compile(
    r"gh\s+(?:pr\s+checkout|release\s+download|repo\s+clone)\b|pip3?\s+install\s.*(?:--target|-t)\b"
)
_OWN_REFERENCE = re.compile(r"(?:HEAD|@|-)(?:[~^]\d*)*|--|\.")


def copied_files(run: ReviewedRun) -> list[Finding]:
    """Find files that came from outside; only where the log has the run's commands and the diff is not made of them."""
    commands = run.evidence.activity.actions.commands
    if not commands or run.evidence.changes.repository is None or not _has_every_stream(run):
        return []
    foreign = [file for file in run.code_files if _is_foreign(file, run)]
    if not foreign or any(each.level != "note" for each in git_history(run)):
        return []
    paths = {file.path for file in run.files}
    every = [part for command in commands for part in segments(command.text) if part.name == "git"]
    own = {name for part in every for name in created_branches(part)}
    for command in commands:
        if command.failed or is_test_run(command.text):
            continue
        parts = segments(command.text)
        for before, part in zip((None, *parts), parts, strict=False):
            reference = _reference(part, own, paths)
            source = reference or _source(part, run) or _piped(before, part)
            if source and not run.spec_names(source.rpartition("/")[2]):
                kind = "git_history" if reference else "fetched_solution"
                text = f"The run did not write {foreign[0].path} itself; it took over {source[:120]}."
                lines = [command.text, *(line for line, _ in foreign[0].added_lines[:5])]
                return [finding(kind, "likely", text, where=command.moment, lines=lines, criterion="requirements")]
    return []


def _has_every_stream(run: ReviewedRun) -> bool:
    """Return whether the log of a run with tasks has what the agent did in each task that was completed."""
    seen = {command.moment.location.file for command in run.evidence.activity.actions.commands}
    completed = [task.id for task in run.evidence.workflow.tasks if task.status == "completed"]
    return all(any(f"/{task}/" in file for file in seen) for task in completed)


def _is_foreign(file: ChangedFile, run: ReviewedRun) -> bool:
    """Return whether most lines that were added to a file stand in nothing that the run typed."""
    edits = [each for each in run.evidence.activity.edits if each.exact]
    if any(each.path == file.path or each.path.endswith(f"/{file.path}") for each in edits):
        return False
    moved = {line.strip() for each in run.files for line in each.removed_lines}
    lines = {line.strip() for line, _ in file.added_lines if is_telling(line)} - moved
    texts = [command.text for command in run.evidence.activity.actions.commands]
    if len(lines) < _FEWEST_LINES or any(len(text) >= _CUT for text in texts):
        return False
    typed = "\n".join(texts)
    return sum(line in typed for line in lines) <= _MOST_TYPED * len(lines)


def _reference(part: Segment, own: set[str], paths: set[str]) -> str:
    """Return the commit, or the branch, that a git command brings into the working tree; empty for the run's own."""
    verb = verb_of(part) if part.name == "git" else ""
    if verb not in _MOVES_THE_TREE:
        return ""
    words = part.words[part.words.index(verb) + 1 :]
    names = [word for word in words if not word.startswith("-") or word == "-"]
    others = [name for name in names if name not in own | paths and _OWN_REFERENCE.fullmatch(name) is None]
    return others[0] if others else "a remote branch" if verb == "pull" else ""


def _source(part: Segment, run: ReviewedRun) -> str:
    """Return what a command takes from outside of the repository, if it is one that copies; else an empty text."""
    if _COPIERS.fullmatch(part.name) is None:
        return ""
    if _DOWNLOADS.match(part.text) or (part.name in ("cp", "mv", "install") and "$(" in part.text):
        return part.text
    written = [edit.path for edit in run.evidence.activity.edits]
    for match in _OUTSIDE.finditer(part.text):
        source = match["source"]
        inside = any(source.startswith(root) for root in run.roots) or any(source in path for path in written)
        if not inside:
            return source
    return ""


def _piped(before: Segment | None, part: Segment) -> str:
    """Return the command of git whose output is applied as a patch; empty if there is none."""
    applies = part.name == "patch" or (part.name == "git" and verb_of(part) in ("apply", "am"))
    if before is None or not applies or part.joined != "|" or before.name != "git":
        return ""
    return before.text
