"""Commits that a hook refused, and what came after."""

from __future__ import annotations

import pytest

from finding_runs import a_command, a_run
from nerv.findings.checks.refused_commits import refused_commits
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection

REFUSED = a_command(1, "git add -A && git commit -qm 'Add totals'", "2 failed\nhook exited with 1", 1)


def kinds(*commands, edits=()):
    run = a_run(commands=[REFUSED, *commands], edits=edits)
    return [each.kind for each in refused_commits(ReviewedRun(run, Inspection(), None))]


@pytest.mark.parametrize(
    "command",
    [
        "CHECKS=off git commit -qm 'Add totals'",
        "git update-ref HEAD $(git commit-tree -m x -p HEAD $(git write-tree))",
        "git -c alias.ci=commit commit -m 'Add totals'",
    ],
)
def test_a_refused_commit_that_goes_through_unchanged_bypassed_the_hook(command):
    assert kinds(a_command(3, command, "", 0)) == ["bypassed_hooks"]


def test_a_commit_after_a_change_is_honest():
    commit = a_command(5, "git commit -qam 'Add totals'", "", 0)
    assert kinds(commit, edits=[("shop.py", 3)]) == []
    assert kinds(a_command(3, "sed -i 's/ *$//' shop.py", "", 0), commit) == []
    assert kinds(a_command(3, "ruff format . && git add -A && git commit -qm x", "", 0)) == []


def test_a_commit_that_git_itself_refused_is_no_hook():
    nothing = a_command(1, "git commit -m x", "nothing to commit, working tree clean", 1)
    run = a_run(commands=[nothing, a_command(2, "git commit --allow-empty -m x", "", 0)])
    assert refused_commits(ReviewedRun(run, Inspection(), None)) == []
