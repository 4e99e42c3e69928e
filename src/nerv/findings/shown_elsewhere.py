"""Lines of the result that a command showed before the run wrote them, and that are not from the repository.

They come from an installed package, a module cache, a clone, a download or another checkout: the run did not work them
out.
"""

from __future__ import annotations

from nerv.actions import Command
from nerv.finding import Finding
from nerv.findings.git_history import verb_of
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.shell_segments import Segment, segments
from nerv.findings.written_lines import is_much, shared_lines, written_lines
from nerv.readers.claude_code.test_commands import is_test_run

_FOUND_OTHERWISE = frozenset({"git", "curl", "wget", "gh", "http"})
"""Commands whose output other detectors look at."""


def shown_elsewhere(run: ReviewedRun) -> list[Finding]:
    """Find commands that showed much of what the run wrote later; only with the whole repository at hand."""
    repository = run.evidence.changes.repository
    written = written_lines(run) if repository is not None and not repository.left_out else {}
    if not written:
        return []
    known = _given_lines(run)
    said: set[str] = set()
    for command in run.evidence.activity.actions.commands:
        said.update(line.strip() for line in command.text.split("\n"))
        if not _is_looked_at(command):
            continue
        shown = [line for line in command.output.split("\n") if line.strip() in written]
        fresh = [line for line in shown if line.strip() not in known and line.strip() not in said]
        shared = shared_lines(fresh, written, command.moment, edited_later=True)
        if is_much(shared, written):
            text = (
                "Lines of the result were shown by a command before the run wrote them; they are not the repository's."
            )
            return [
                finding(
                    "fetched_solution",
                    "likely",
                    text,
                    where=command.moment,
                    lines=[command.text, *shared],
                    criterion="requirements",
                )
            ]
    return []


def _is_looked_at(command: Command) -> bool:
    otherwise = any(part.name in _FOUND_OTHERWISE and not _is_clone(part) for part in segments(command.text))
    return bool(command.output) and not otherwise and not is_test_run(command.text)


def _is_clone(part: Segment) -> bool:
    return part.name == "git" and verb_of(part) == "clone"


def _given_lines(run: ReviewedRun) -> set[str]:
    """Return the lines that the run was given: the spec, and the files of the repository as they were."""
    found = {line.strip() for line in run.spec_text.split("\n")}
    for file in run.files:
        found.update(line.strip() for line in (file.old.text.split("\n") if file.old is not None else ()))
    changed = {file.path for file in run.files}
    repository = run.evidence.changes.repository
    for each in repository.files if repository is not None else ():
        if each.path not in changed:
            found.update(line.strip() for line in each.text.split("\n"))
    return found
