"""Files that are whole, whoever writes and whatever breaks."""

from __future__ import annotations

import errno
import os
import threading

import pytest

from nerv.atomic_files import append_line, replace_file


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    file = tmp_path / "report.json"
    file.write_text("old")

    def no_room(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(OSError, match="No space"):
        replace_file(file, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]
    assert file.read_text() == "old"


def test_a_report_does_not_follow_a_link(tmp_path):
    precious, link = tmp_path / "precious", tmp_path / "score-report.json"
    precious.write_text("mine")
    link.symlink_to(precious)
    replace_file(link, b"new")
    assert (precious.read_text(), link.read_text()) == ("mine", "new")


def test_a_history_that_is_a_link_stays_one(tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("a\n")
    link.symlink_to(real)
    append_line(link, b"b")
    assert link.is_symlink()
    assert real.read_text() == "a\nb\n"


def test_a_line_comes_after_a_torn_one_whole(tmp_path):
    file = tmp_path / "h.jsonl"
    file.write_bytes(b'{"a":1}\n{"torn')
    append_line(file, b'{"b":2}')
    assert file.read_bytes() == b'{"a":1}\n{"torn\n{"b":2}\n'


def test_many_threads_lose_no_line(tmp_path):
    file = tmp_path / "h.jsonl"
    threads = [threading.Thread(target=append_line, args=(file, b"line %d" % number)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(file.read_bytes().splitlines()) == sorted(b"line %d" % number for number in range(40))
