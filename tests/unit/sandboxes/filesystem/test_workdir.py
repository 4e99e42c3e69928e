"""Output files that hostile code has left in its work folder."""

from __future__ import annotations

import os
from pathlib import Path

from forgetest.sandboxes.filesystem import workdir
from forgetest.verdict import Limits, Step


def collected(folder: Path, *outputs: str, file_bytes: int = 100) -> dict[str, bytes]:
    step = Step(name="tests", argv=("true",), outputs=outputs, limits=Limits(file_bytes=file_bytes))
    return workdir.collect_from(step, folder)


def test_only_regular_files_are_read(tmp_path):
    """A folder in the place of a report had ended the caller with an error."""
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "a.xml").write_text("a")
    (tmp_path / "reports" / "folder.xml").mkdir()
    os.mkfifo(tmp_path / "reports" / "pipe.xml")
    (tmp_path / "reports" / "link.xml").symlink_to("/etc/passwd")
    (tmp_path / "elsewhere").symlink_to("/etc")
    names = ("reports/a.xml", "reports/folder.xml", "reports/pipe.xml", "reports/link.xml", "elsewhere/passwd", "gone")
    assert collected(tmp_path, *names) == {"reports/a.xml": b"a"}


def test_no_more_is_read_of_a_file_than_its_limit(tmp_path):
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    assert collected(tmp_path, "sparse") == {"sparse": bytes(100)}


def test_no_descriptor_is_left_open(tmp_path):
    (tmp_path / "folder").mkdir()
    open_files = Path("/proc/self/fd")
    before = len(list(open_files.iterdir()))
    for _ in range(10):
        collected(tmp_path, "folder")
    assert len(list(open_files.iterdir())) == before
