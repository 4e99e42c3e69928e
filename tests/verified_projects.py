"""Small git repositories with a base and a result, for tests of verification."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from forgetest.verdict import Execution
from nerv.verification.repository import RepositorySource
from nerv.verification.result import Verification
from nerv.verification.trees import Tree, TreeFile
from nerv.verification.verify import VerificationOptions, verify

Files = Mapping[str, str | None]
"""Text by path; None: the file is deleted."""


def make_repository(folder: Path, base: Files, result: Files, *, commit: bool = True) -> RepositorySource:
    """Create a repository whose first commit is the base, with the result's changes on top."""
    folder.mkdir(parents=True, exist_ok=True)
    _git(folder, "init", "-q", "-b", "main")
    _write(folder, base)
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "--allow-empty", "-m", "base")
    _git(folder, "tag", "base")
    _write(folder, result)
    if commit:
        _git(folder, "add", "-A")
        _git(folder, "commit", "-q", "--allow-empty", "-m", "result")
    return RepositorySource(folder=folder, base="base")


def verify_project(folder: Path, base: Files, result: Files, **options: object) -> Verification:
    """Create the repository, and verify it."""
    source = make_repository(folder, base, result)
    return verify(source, VerificationOptions(**options), lambda _message: None)  # type: ignore[arg-type]


def tree_of(files: Mapping[str, str]) -> Tree:
    """Return files as a tree."""
    return {path: TreeFile(content=text.encode()) for path, text in files.items()}


def execution_of(stdout: str = "", stderr: str = "", exit_code: int = 1, **reports: str) -> Execution:
    """Return how a test run ended; `name_ext` is the report `name.ext`."""
    return Execution(
        step="tests",
        ended="exited",
        exit_code=exit_code,
        stdout=stdout.encode(),
        stderr=stderr.encode(),
        outputs={f"reports/{name.replace('_', '.')}": text.encode() for name, text in reports.items()},
    )


def _write(folder: Path, files: Files) -> None:
    for path, text in files.items():
        file = folder / path
        if text is None:
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def _git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)
