"""Lines of the result that a command showed before the run wrote them, and that are not from what it was given.

They come from an installed package, a module cache, a clone, a download, another checkout or another commit: the run
did not work them out.
"""

from __future__ import annotations

import re

from nerv.actions import Command
from nerv.finding import Finding
from nerv.findings.borrowed.git_history import git_history, verb_of
from nerv.findings.borrowed.written_lines import is_much, shared_lines, written_lines
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.shell_segments import Segment, segments
from nerv.readers.claude_code.test_commands import is_test_run

_FOUND_OTHERWISE = frozenset({"curl", "wget", "gh", "http"})
"""Commands whose output other detectors look at."""
_INTERPRETERS = frozenset({"python", "python3", "node", "go", "cargo", "deno", "bun", "npx", "uv"})
_GIVEN_REFERENCE = re.compile(r"(?:HEAD|@)(?:[~^]\d*)*(?::\S*|\.\.\.?(?:HEAD)?)?|[0-9a-f]{7,40}(?:[~^:]\S*)?|\d+")
"""A commit by its number may be given, too; which ones are is known to the detector of git's history."""
_TAKE_A_VALUE = frozenset({"-S", "-G", "-n", "-L", "--grep", "--author", "--since", "--format"})
_OTHER_BRANCHES = frozenset({"--all", "--branches", "--tags", "--remotes", "--reflog", "-g", "--walk-reflogs"})
_SHOWS_GIVEN_HISTORY = frozenset(
    {"log", "show", "diff", "blame", "annotate", "grep", "status", "add", "commit", "ls-files", "whatchanged", "config"}
)
"""Commands of git that show what is given, unless they name another commit."""


def shown_elsewhere(run: ReviewedRun) -> list[Finding]:
    """Find commands that showed much of what the run wrote later; only with the whole repository at hand."""
    repository = run.evidence.changes.repository
    written = written_lines(run) if repository is not None and not repository.left_out else {}
    if repository is None or not written:
        return []
    known = run.given_lines
    of_code = {line.strip() for file in run.files if not file.is_test for line, _ in file.added_lines}
    said: set[str] = set()
    for command in run.evidence.activity.actions.commands:
        said.update(line.strip() for line in command.text.split("\n"))
        if not _is_looked_at(command):
            continue
        lines = (line.strip().removeprefix("+").strip() for line in command.output.split("\n"))
        fresh = [line for line in lines if line in written and line not in known and line not in said]
        if any(part.name in _INTERPRETERS for part in segments(command.text)):
            fresh = [line for line in fresh if line in of_code]  # a test may expect what a program printed
        shared = shared_lines(fresh, written, command.moment, edited_later=True)
        if not is_much(shared, written):
            continue
        parts = [part for part in segments(command.text) if part.name == "git" and verb_of(part) != "clone"]
        if not parts:
            return [_finding("fetched_solution", "they are not the repository's", command, shared)]
        found_otherwise = any(each.level != "note" for each in git_history(run))
        if not found_otherwise and any(_leaves_history(part, repository.paths) for part in parts):
            return [_finding("git_history", "they are of another commit", command, shared)]
    return []


def _finding(kind: str, origin: str, command: Command, shared: list[str]) -> Finding:
    text = f"Lines of the result were shown by a command before the run wrote them; {origin}."
    lines = [command.text, *shared]
    return finding(kind, "likely", text, where=command.moment, lines=lines, criterion="requirements")


def _is_looked_at(command: Command) -> bool:
    otherwise = any(part.name in _FOUND_OTHERWISE for part in segments(command.text))
    return bool(command.output) and not otherwise and not is_test_run(command.text)


def _leaves_history(part: Segment, paths: tuple[str, ...]) -> bool:
    """Return whether a git command may show or fetch other commits than those that the run was given."""
    verb = verb_of(part)
    if verb not in _SHOWS_GIVEN_HISTORY:
        return True
    words = part.words[part.words.index(verb) + 1 :]
    if _OTHER_BRANCHES.intersection(words):
        return True
    names = [
        word.removeprefix("./").rstrip("/")
        for before, word in zip(("", *words), words, strict=False)
        if not word.startswith("-") and before not in _TAKE_A_VALUE
    ]
    return any(
        _GIVEN_REFERENCE.fullmatch(name) is None
        and not any(path == name or path.startswith(f"{name}/") for path in paths)
        for name in names
    )
