"""Atomic writes: the old content or the new, and nothing left behind."""

from __future__ import annotations

import errno
import os

import pytest

from forgetest.files import atomic


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    file = tmp_path / "report.json"
    file.write_text("old")

    def no_room(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OSError, match="No space"):
        atomic.write_bytes(file, b"new", sync=True)
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
    assert file.read_text() == "old"


def test_a_symbolic_link_is_replaced_and_not_followed(tmp_path):
    precious, link = tmp_path / "precious", tmp_path / "report.json"
    precious.write_text("mine")
    link.symlink_to(precious)
    atomic.write_bytes(link, b"new")
    assert (precious.read_text(), link.read_text()) == ("mine", "new")


def test_a_stream_becomes_the_file_only_at_the_end(tmp_path):
    file = tmp_path / "report.csv"
    file.write_text("old")
    with atomic.open_text(file) as stream:
        stream.write("ä\r\n")
        stream.flush()
        assert file.read_text() == "old"
    assert file.read_bytes() == "ä\r\n".encode()


def test_a_stream_that_fails_halfway_changes_nothing(tmp_path):
    file = tmp_path / "report.csv"
    file.write_text("old")

    def write_half():
        with atomic.open_text(file) as stream:
            stream.write("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert [path.name for path in tmp_path.iterdir()] == ["report.csv"]
    assert file.read_text() == "old"


def test_a_name_as_long_as_the_file_system_allows_can_be_written(tmp_path):
    file = tmp_path / ("n" * 255)
    atomic.write_bytes(file, b"new")
    assert file.read_bytes() == b"new"


def test_temporary_files_are_recognised_by_their_names(tmp_path):
    with atomic.open_text(tmp_path / "report.csv"):
        [unfinished] = tmp_path.iterdir()
        assert atomic.is_temporary(unfinished.name)
    assert not atomic.is_temporary("report.csv")
    assert not atomic.is_temporary("mine.new")


def test_a_new_folder_replaces_the_old_one_and_an_unfinished_one(tmp_path):
    folder = tmp_path / "kept"
    for left_behind in (folder, tmp_path / "kept.new"):
        left_behind.mkdir()
        (left_behind / "old").touch()
    with atomic.new_folder(folder) as unfinished:
        assert list(unfinished.iterdir()) == []
        (unfinished / "new").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert [path.name for path in folder.iterdir()] == ["new"]


def test_an_unfinished_folder_replaces_nothing(tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "old").touch()
    with pytest.raises(OSError, match="broken"), atomic.new_folder(folder):
        raise OSError("broken")
    assert [path.name for path in folder.iterdir()] == ["old"]
