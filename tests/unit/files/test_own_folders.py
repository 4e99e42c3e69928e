"""Folders under names that others can guess."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.files import own_folders


def test_a_folder_is_created_and_may_exist_already(tmp_path: Path) -> None:
    own_folders.make(tmp_path / "a")
    own_folders.make(tmp_path / "a")
    own_folders.make_below(tmp_path, tmp_path / "a" / "b" / "c")
    own_folders.make_below(tmp_path, tmp_path)
    assert (tmp_path / "a" / "b" / "c").is_dir()


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_nothing_is_created_through_a_link(tmp_path: Path, target: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").symlink_to(tmp_path / target)
    with pytest.raises(UserError, match=r"a/b: a symbolic link, not a folder of ours; nothing is written through it"):
        own_folders.make_below(tmp_path, tmp_path / "a" / "b" / "c")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert not (tmp_path / "nowhere").exists()


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(UserError, match="a: in the way, because it is not a folder"):
        own_folders.make(tmp_path / "a")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_folder_of_another_user_is_an_error_unless_the_one_above_is_theirs_too(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    os.chown(tmp_path / "a", 12345, 12345)
    with pytest.raises(UserError, match="a: a folder of another user"):
        own_folders.make(tmp_path / "a")
    (tmp_path / "a" / "b").mkdir()
    os.chown(tmp_path / "a" / "b", 12345, 12345)
    own_folders.make(tmp_path / "a" / "b")
