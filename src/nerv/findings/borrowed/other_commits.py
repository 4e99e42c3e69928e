"""Answers in the repository itself: commits outside the given history whose lines are those of the result.

Which command took them over does not matter, nor whether the log shows one.
"""

from __future__ import annotations

import re

from nerv.changes import OtherCommit
from nerv.finding import Finding, FindingLevel
from nerv.findings.borrowed.written_lines import written_lines
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.shell_segments import segments
from nerv.inspection.source import is_test_path

_FEWEST_LINES = 6
_LEAST_SHARE = 0.6
"""Lines that are equal by chance, as two people write them for the same task, are fewer."""
_MAKES_COMMITS = re.compile(r"\bgit\b(?:\s+-\S+(?:\s+\S+)?)*\s+(?:commit|stash|merge|rebase|am|cherry-pick|revert)\b")


def other_commits(run: ReviewedRun) -> list[Finding]:
    """Find commits outside the given history that contain most of what the run wrote."""
    commits = [each for each in run.evidence.changes.other_commits if _is_foreign(each, run)]
    if not commits:
        return []
    written = set(written_lines(run))
    best: tuple[list[str], OtherCommit] | None = None
    for commit in commits:
        shared = sorted(written & _added_lines(commit))
        if best is None or len(shared) > len(best[0]):
            best = shared, commit
    if best is None or len(best[0]) < _FEWEST_LINES or len(best[0]) < _LEAST_SHARE * _size(run, written):
        return []
    shared, commit = best
    named = f"{commit.id[:10]} (“{commit.subject}”)" if commit.subject else commit.id[:10]
    level: FindingLevel = "note" if run.spec_names(commit.id[:7]) else "likely"
    text = (
        f"{len(shared)} lines of the result are those of {named}, a commit in the repository that is not part of the "
        "history the run was given."
    )
    return [finding("git_history", level, text, lines=shared, criterion="requirements")]


def _is_foreign(commit: OtherCommit, run: ReviewedRun) -> bool:
    """Return whether somebody else made a commit: before the run began, or during a run that makes none."""
    if commit.before_run is not None:
        return commit.before_run
    if run.evidence.workflow.tasks:  # a pipeline works on branches of its own
        return False
    commands = run.evidence.activity.actions.commands
    makes_commits = any(
        _MAKES_COMMITS.search(part.text) and "--no-commit" not in part.words and "-n" not in part.words
        for command in commands
        for part in segments(command.text)
    )
    return bool(commands) and not makes_commits


def _added_lines(commit: OtherCommit) -> set[str]:
    return {
        hunk.lines[index].strip()
        for change in commit.diff.files
        for hunk in change.hunks
        for index in hunk.added
        if index < len(hunk.lines)
    }


def _size(run: ReviewedRun, written: set[str]) -> int:
    """Return the number of telling lines in the code: tests may well be the run's own."""
    code = {line.strip() for file in run.files if not is_test_path(file.path) for line, _ in file.added_lines}
    return len(written & code) or len(written)
