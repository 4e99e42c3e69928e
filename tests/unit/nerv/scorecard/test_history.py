"""The history file: every line stays intact when others write too."""

from __future__ import annotations

import threading

from nerv.scorecard.history import append_line


def test_a_history_that_is_a_link_stays_one(tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("a\n")
    link.symlink_to(real)
    append_line(link, b"b")
    assert link.is_symlink()
    assert real.read_text() == "a\nb\n"


def test_a_line_after_a_torn_one_begins_on_a_new_line(tmp_path):
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
