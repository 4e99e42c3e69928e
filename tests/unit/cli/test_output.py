from __future__ import annotations

import re
import resource
from pathlib import Path

import pytest

from forgetest import cli
from forgetest.cli.output import echo_json, say, write_plots, write_reports
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


@pytest.mark.parametrize("link", ["samples", "samples/basics", "plots"])
def test_nothing_is_written_through_a_link_below_the_runs_folder(tmp_path: Path, link: str) -> None:
    folder, elsewhere = tmp_path / "run", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(elsewhere)
    report = a_report([a_sample("a", 1), a_sample("a", 2)], pass_k=(1, 2))
    with pytest.raises(UserError, match=f"{link}: a symbolic link, not a folder of ours"):
        write_plots(report, folder) if link == "plots" else write_reports(report, folder, ["sarif"])
    assert list(elsewhere.iterdir()) == []


def test_a_link_in_the_place_of_a_samples_file_is_replaced(tmp_path: Path) -> None:
    folder, target = tmp_path / "run", tmp_path / "target"
    target.write_text("mine")
    write_reports(a_report([a_sample()]), folder, ["sarif"])
    (file,) = (path for path in (folder / "samples").rglob("*") if path.is_file())
    code = file.read_text()
    file.unlink()
    file.symlink_to(target)
    write_reports(a_report([a_sample()]), folder, ["sarif"])
    assert (file.is_symlink(), file.read_text(), target.read_text()) == (False, code, "mine")
