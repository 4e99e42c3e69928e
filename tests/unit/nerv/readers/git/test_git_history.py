"""Git repositories; the agent wrote their configuration, which may be hostile."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from forgetest.errors import UserError
from nerv import config
from nerv.readers import RunSource, read
from results import one_task, results


def git(folder: Path, *words: str) -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def committed(folder: Path, name: str, text: str, message: str) -> None:
    (folder / name).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)


@pytest.fixture
def repository(tmp_path):
    """A repository with a scaffold, a merged task branch, a direct commit on main, and an empty commit."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    committed(folder, "README.md", "# P\n", "Scaffold")
    git(folder, "checkout", "-qb", "task/t1")
    committed(folder, "a.py", "x = 1\n", "Add a")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "-q", "--no-ff", "-m", "Merge branch 'task/t1'", "task/t1")
    committed(folder, "b.py", "y = 2\n", "Hotfix")
    git(folder, "commit", "-q", "--allow-empty", "-m", "Nothing")
    return folder


def test_diff_commits_and_merges_come_from_git(tmp_path, repository):
    folder = results(tmp_path / "r", one_task())
    found = read(RunSource(path=folder, repository=repository, base="HEAD~3"))
    assert [change.path for change in found.changes.diff.files] == ["a.py", "b.py"]
    commits = {commit.subject: (commit.parents, commit.on_main, commit.added) for commit in found.changes.commits}
    assert commits["Add a"] == (1, False, 1)
    assert commits["Hotfix"] == (1, True, 1)
    assert commits["Nothing"] == (1, True, 0)
    assert commits["Merge branch 'task/t1'"][0] == 2
    (merge,) = found.workflow.merges
    assert (merge.task_id, merge.moment.location.line, bool(merge.commit)) == ("t1", 5, True)
    assert "README.md" in found.changes.repository.paths


def test_the_folders_own_repository_is_read_from_its_root_commit(tmp_path, repository):
    folder = results(tmp_path / "r")
    repository.rename(folder / "repo")
    found = read(RunSource(path=folder))
    assert [change.path for change in found.changes.diff.files] == ["a.py", "b.py"]
    assert [file.path for file in found.changes.repository.files] == ["README.md", "a.py", "b.py"]
    assert found.changes.repository.files[1].location.file == "repo/a.py"
    texts = {text.path: text for text in found.changes.written}
    assert texts["a.py"].text == "x = 1\n"
    assert texts["a.py"].whole


@pytest.mark.parametrize("kind", ["folder", "session"])
def test_the_first_and_the_graded_commit_are_known(tmp_path, repository, kind):
    log = tmp_path / "session.jsonl"
    log.write_text('{"type": "user", "sessionId": "s", "message": {"content": "Add a page."}}\n')
    path = results(tmp_path / "r") if kind == "folder" else log
    found = read(RunSource(path=path, repository=repository, base="HEAD~3")).changes
    assert found.head_commit == git(repository, "rev-parse", "HEAD").strip()
    assert found.base_commit == git(repository, "rev-parse", "HEAD~3").strip()


def test_a_repository_needs_an_existing_base(tmp_path, repository):
    folder = results(tmp_path / "r")
    with pytest.raises(UserError, match="--base"):
        read(RunSource(path=folder, repository=repository))
    with pytest.raises(UserError, match="no such revision"):
        read(RunSource(path=folder, repository=repository, base="nope"))
    with pytest.raises(UserError, match="no such revision"):
        read(RunSource(path=folder, repository=repository, base="--output=/tmp/x"))
    with pytest.raises(UserError, match="contains no commit"):
        read(RunSource(path=folder, repository=tmp_path / "r", base="HEAD"))


def test_a_repository_cannot_start_programs(tmp_path, repository):
    proof = tmp_path / "proof"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {proof}\ncat\n")
    script.chmod(0o755)
    settings = {
        "core.fsmonitor": script,
        "core.pager": script,
        "core.hooksPath": tmp_path,
        "core.sshCommand": script,
        "diff.external": script,
        "diff.evil.textconv": script,
        "diff.evil.command": script,
        "gpg.program": script,
        "log.showSignature": "true",
        "filter.evil.smudge": script,
        "filter.evil.clean": script,
        "alias.log": f"!{script}",
        "alias.diff": f"!{script}",
    }
    for name, value in settings.items():
        git(repository, "config", name, str(value))
    (repository / ".gitattributes").write_text("*.py diff=evil filter=evil\n")
    (repository / ".git" / "info").mkdir(exist_ok=True)
    (repository / ".git" / "info" / "attributes").write_text("*.py diff=evil filter=evil\n")
    found = read(RunSource(path=results(tmp_path / "r"), repository=repository, base="HEAD~3"))
    assert found.changes.diff.added == 2
    assert not proof.exists()


def test_links_in_a_repository_are_not_followed(tmp_path, repository):
    secret = tmp_path / "secret.py"
    secret.write_text("password = 1\n")
    (repository / "link.py").symlink_to(secret)
    (repository / "folder").symlink_to(tmp_path)
    found = read(RunSource(path=results(tmp_path / "r"), repository=repository, base="HEAD~3"))
    assert all("password" not in file.text for file in found.changes.repository.files)


@pytest.fixture
def fetches_by_command(repository: Path, tmp_path: Path) -> Path:
    """Make a missing object one that git fetches from a remote that is a command; return the file it would make."""
    made = tmp_path / "the-command-ran"
    blob = git(repository, "rev-parse", "HEAD:b.py")
    (repository / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    for key, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", f"ext::touch {made}"),
        ("protocol.ext.allow", "always"),
    ):
        git(repository, "config", key, value)
    return made


def run_without(monkeypatch: pytest.MonkeyPatch, source: RunSource, *variables: str) -> None:
    complete = config.git_environment
    monkeypatch.setattr(
        config,
        "git_environment",
        lambda: {name: value for name, value in complete().items() if name not in variables},
    )
    read(source)


def test_no_command_of_the_repositorys_own_remotes_is_run(tmp_path, repository, fetches_by_command, monkeypatch):
    source = RunSource(path=results(tmp_path / "r", one_task()), repository=repository, base="HEAD~3")
    read(source)
    assert not fetches_by_command.exists()

    # an older git does not know GIT_NO_LAZY_FETCH
    run_without(monkeypatch, source, "GIT_NO_LAZY_FETCH")
    assert not fetches_by_command.exists()


def test_the_command_of_the_test_above_would_run(tmp_path, repository, fetches_by_command, monkeypatch):
    source = RunSource(path=results(tmp_path / "r", one_task()), repository=repository, base="HEAD~3")
    run_without(monkeypatch, source, "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL")
    assert fetches_by_command.exists()
