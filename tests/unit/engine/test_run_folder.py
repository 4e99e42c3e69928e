"""The folder of a run, where somebody has put something before."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from forgetest.engine.merge import read_description
from forgetest.engine.run_folder import RunFolder
from forgetest.errors import UserError


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("fresh", [False, True])
def test_a_run_folder_that_is_a_link_is_not_used(tmp_path: Path, elsewhere: Path, fresh: bool) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "run").symlink_to(elsewhere)
    with pytest.raises(UserError, match="out/run: a symbolic link, not a folder of ours"):
        RunFolder.open(tmp_path / "out", "run", fresh=fresh)
    assert list(elsewhere.iterdir()) == []


def test_a_journal_that_is_a_link_is_not_written_to(tmp_path: Path, elsewhere: Path) -> None:
    target = elsewhere / "authorized_keys"
    target.write_text("")
    folder = RunFolder.open(tmp_path / "out", "run", fresh=False)
    (folder.path / "journal.jsonl").symlink_to(target)
    with pytest.raises(UserError, match=r"journal\.jsonl: a symbolic link; nothing is written through it: remove it"):
        folder.journal()
    assert target.read_text() == ""


def test_the_output_folder_itself_may_be_a_link(tmp_path: Path, elsewhere: Path) -> None:
    (tmp_path / "out").symlink_to(elsewhere)
    folder = RunFolder.open(tmp_path / "out", "run", fresh=False)
    with closing(folder.journal()):
        pass
    assert (elsewhere / "run" / "journal.jsonl").is_file()


def test_the_description_of_a_run_is_not_read_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.json")
    with pytest.raises(UserError, match=r"not the folder of a run: run\.json is not a file"):
        read_description(tmp_path)
