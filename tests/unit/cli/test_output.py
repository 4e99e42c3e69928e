from __future__ import annotations

import resource
from pathlib import Path

import pytest

from forgetest.cli.output import write_reports
from forgetest.errors import UserError
from specimens import a_report, a_sample


def test_a_report_that_does_not_fit_on_the_disk_is_an_error_and_leaves_the_old_one(tmp_path: Path) -> None:
    write_reports(a_report([a_sample()]), tmp_path, ["json"])
    before, (soft, hard) = (tmp_path / "report.json").read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        with pytest.raises(UserError, match=r"report\.json: File too large; nothing is lost: make room"):
            write_reports(a_report([a_sample(), a_sample("other")]), tmp_path, ["json"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"report.json": before}
