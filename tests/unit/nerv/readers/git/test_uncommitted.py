"""Changes in the folder of a repository that nobody committed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from nerv.readers import RunSource, read
from nerv.readers.git.uncommitted import uncommitted_diff
from verified_projects import make_repository

BASE = {"a.py": "x = 1\ny = 2\n", "gone.py": "z = 3\n", ".gitignore": "*.log\n"}
RESULT = {"a.py": "x = 1\ny = 4\n", "gone.py": None, "new.py": "w = 5\n", "out.log": "noise\n"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "r", BASE, RESULT, commit=False).folder


def test_changed_new_and_deleted_files_are_found_and_ignored_ones_are_not(repository: Path) -> None:
    found = uncommitted_diff(repository, "base")
    assert found is not None
    assert {file.path: file.kind for file in found.files} == {
        "a.py": "modified",
        "gone.py": "deleted",
        "new.py": "added",
    }
    assert (found.added, found.removed) == (2, 2)


def test_a_clean_repository_has_none(tmp_path: Path) -> None:
    assert uncommitted_diff(make_repository(tmp_path / "r", BASE, RESULT).folder, "HEAD") is None


def test_no_filter_of_the_repository_is_started(repository: Path, tmp_path: Path) -> None:
    (repository / ".gitattributes").write_text("* filter=evil\n")
    evil = ["git", "-C", str(repository), "config", "filter.evil.clean", f"touch {tmp_path}/started; cat"]
    subprocess.run(evil, check=True)
    assert uncommitted_diff(repository, "base") is not None
    assert not (tmp_path / "started").exists()


def test_a_log_without_edits_is_graded_by_what_the_folder_holds(repository: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    records = [
        {"format": "nerv-log", "format_version": 1},
        {"type": "prompt", "text": "Set `y` to 4."},
        {"type": "end", "status": "answered", "text": "Done."},
    ]
    log.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    diff = read(RunSource(path=log, repository=repository, base="base")).changes.diff
    assert diff is not None
    assert [file.path for file in diff.files] == ["a.py", "gone.py", "new.py"]
