"""Commits that are part of neither base nor result are read, with what they change in the same files."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from nerv.readers.clock import Clock
from nerv.readers.git.git_history import read_history


def git(folder: Path, *words: str, date: str = "2026-01-01T00:00:00Z") -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": date,
    }
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    command = ["git", *who, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


def commit(folder: Path, text: str, date: str = "2026-01-01T00:00:00Z") -> None:
    (folder / "shop.py").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", text, date=date)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-qb", "main")
    commit(tmp_path, "base")
    git(tmp_path, "checkout", "-qb", "next")
    commit(tmp_path, "answer")
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, "result", date="2026-03-01T00:00:00Z")
    return tmp_path


def others(folder: Path, start: str = "2026-02-01T00:00:00Z") -> list[tuple[str, list[str], bool | None]]:
    clock = Clock()
    clock.since_start(timestamp=start)
    found = read_history(folder, "HEAD~1", clock, "git").other_commits
    return [
        (one.subject, [line for file in one.diff.files for hunk in file.hunks for line in hunk.lines], one.before_run)
        for one in found
    ]


def test_another_branch_is_read(repository):
    assert others(repository) == [("answer", ["answer"], True)]


def test_a_branch_that_was_deleted_is_read_as_long_as_git_has_it(repository):
    git(repository, "branch", "-qD", "next")
    assert others(repository) == [("answer", ["answer"], True)]
    git(repository, "reflog", "expire", "--expire=now", "--all")
    assert others(repository) == [("answer", ["answer"], True)]


def test_times_are_not_compared_if_the_log_is_older_than_the_base(repository):
    assert others(repository, start="2025-01-01T00:00:00Z") == [("answer", ["answer"], None)]


def test_a_repository_without_other_commits_has_none(repository):
    git(repository, "merge", "-q", "-s", "ours", "next")
    assert read_history(repository, "HEAD~2", Clock(), "git").other_commits == ()
