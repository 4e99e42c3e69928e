from __future__ import annotations

import re
import resource
from pathlib import Path

import pytest

from forgetest import cli
from forgetest.cli.output import echo_json, say, write_reports
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


def test_messages_and_json_have_nothing_that_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    say("a \x1b[8m name\nand a line")
    echo_json({"model": "\u202e\x9b"})
    printed = capsys.readouterr()
    assert printed.err == "a \\x1b[8m name\nand a line\n"
    assert printed.out == '{\n  "model": "\\u202e\\u009b"\n}\n'


@pytest.mark.parametrize("file", sorted(Path(cli.__path__[0]).glob("*.py")), ids=lambda file: file.stem)
def test_commands_print_through_the_module_that_escapes(file: Path) -> None:
    if file.stem != "output":
        assert not re.search(r"\bclick\.s?echo\(|(?<![\w.])print\(", file.read_text(encoding="utf-8"))
