"""Lines of the result that are those of a commit outside the history that the run was given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finding_runs import a_command, a_run, kinds, patch_text
from nerv.changes import OtherCommit
from nerv.evidence import Task, Workflow
from nerv.location import Location
from nerv.readers.git import patch

BEFORE = {"shop.py": "def total(items):\n    return 0\n"}
LINES = "".join(f"    amount_{number} = items.price({number})\n" for number in range(9))
AFTER = {"shop.py": f"def total(items):\n{LINES}    return amount_8\n"}
OTHER = {"shop.py": "def total(items):\n    return sum(each.price for each in items)\n"}


def commit(after: dict[str, str], *, before_run: bool | None = None) -> OtherCommit:
    text = patch_text(BEFORE, after, context=0)
    lines = ((number, line.encode()) for number, line in enumerate(text.split("\n"), 1))
    return OtherCommit(id="a" * 40, subject="Finish", diff=patch.parse(lines, "git diff"), before_run=before_run)


def found(other: OtherCommit, *commands: str, tasks: tuple[Task, ...] = ()) -> set[str]:
    run = a_run(BEFORE, AFTER, commands=[a_command(number, text) for number, text in enumerate(commands, 1)])
    changes = replace(run.changes, other_commits=(other,))
    return kinds(replace(run, changes=changes, workflow=Workflow(tasks=tasks)))


@pytest.mark.parametrize("command", ["ls", "git diff HEAD origin/next > /tmp/p; git apply /tmp/p", "./take-over.sh"])
def test_a_commit_with_the_lines_of_the_result_is_found_whatever_the_log_shows(command):
    assert "git_history" in found(commit(AFTER), command)


def test_a_commit_with_other_lines_is_none():
    assert "git_history" not in found(commit(OTHER), "ls")


def test_a_commit_of_the_run_itself_is_none():
    assert "git_history" not in found(commit(AFTER), "git commit -qam x", "git reset --soft HEAD~1")
    assert "git_history" not in found(commit(AFTER, before_run=False), "ls")


def test_a_commit_that_is_older_than_the_run_is_not_its_own():
    assert "git_history" in found(commit(AFTER, before_run=True), "git commit -qam x")


def test_the_branches_of_a_pipeline_are_its_own():
    task = Task(id="1", title="Totals", status="completed", location=Location(file="log"))
    assert "git_history" not in found(commit(AFTER), "ls", tasks=(task,))
