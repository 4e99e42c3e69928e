"""Emptying the folders that samples can write to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forgetest.toolchains.python.runtime.cleaning import clean


def fill(folder: Path) -> None:
    (folder / "closed").mkdir()
    (folder / "closed" / "file").write_text("x")
    (folder / "closed").chmod(0)
    (folder / "link").symlink_to("/")
    os.utime(folder, (5, 1234))


def test_a_folder_is_emptied_and_its_time_says_nothing(tmp_path: Path):
    fill(tmp_path)
    tmp_path.chmod(0o500)

    assert clean([str(tmp_path)])

    assert list(tmp_path.iterdir()) == []
    assert (tmp_path.stat().st_mtime, tmp_path.stat().st_mode & 0o777) == (0, 0o700)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_emptied_as_in_a_container(tmp_path: Path):
    fill(tmp_path)
    os.chown(tmp_path, 12345, 12345)

    assert clean([str(tmp_path)])

    assert list(tmp_path.iterdir()) == []
    assert tmp_path.stat().st_mtime != 1234
