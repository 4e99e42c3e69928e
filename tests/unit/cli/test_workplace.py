"""What several commands share."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from forgetest.cli.workplace import slots, write_reports
from forgetest.config import Settings
from forgetest.errors import UserError
from specimens import a_report, a_sample


@pytest.mark.parametrize(("said", "configured", "used"), [(3, 5, 3), (None, 5, 5), (3, None, 3)])
def test_the_command_line_comes_before_the_configuration(said: int | None, configured: int | None, used: int) -> None:
    assert slots(said, Settings(parallelism=configured)) == used


def test_where_nobody_says_anything_every_core_has_a_slot() -> None:
    assert slots(None, Settings()) == len(os.sched_getaffinity(0))


def test_a_report_for_which_there_is_no_room_is_told_and_leaves_the_old_one(tmp_path: Path) -> None:
    write_reports(a_report([a_sample()]), tmp_path, ["json"])
    before, (soft, hard) = (tmp_path / "report.json").read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        with pytest.raises(UserError, match=r"report\.json: File too large; nothing is lost: make room"):
            write_reports(a_report([a_sample(), a_sample("other")]), tmp_path, ["json"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"report.json": before}
