"""Files that are too large to be read, or have to be unpacked first: the error says so in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from forgetest.errors import UserError
from nerv.readers import RunSource, read, source_files

LONG = "x" * 2_000_000


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_files, "LONGEST_LINE", 1_100_000)
    monkeypatch.setattr(source_files, "LARGEST_DOCUMENT", 3_000_000)


def prompt(words: str) -> str:
    return json.dumps({"type": "user", "sessionId": "s", "message": {"role": "user", "content": words}}) + "\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("log.jsonl", prompt(LONG), "begins with a line longer than 1 MB, the most that nerv reads"),
        ("log.jsonl", prompt(LONG * 2), "begins with a line longer than 1 MB, the most that nerv reads"),
        ("run.json", prompt(LONG * 2), "is larger than 2 MB, the most that nerv reads of a document"),
        ("run.json", json.dumps([LONG, LONG], indent=1), "is larger than 2 MB, the most that nerv reads of a document"),
        (
            "run.json",
            json.dumps({"a": [LONG] * 2}, indent=1),
            "is larger than 2 MB, the most that nerv reads of a document",
        ),
    ],
)
def test_a_file_that_is_too_large_is_refused_for_that(tmp_path: Path, name: str, content: str, said: str) -> None:
    (tmp_path / name).write_text(content)

    with pytest.raises(UserError) as error:
        read(RunSource(path=tmp_path / name))

    assert str(error.value) == f"{tmp_path / name}: {said}"


def test_a_large_file_that_is_no_log_for_other_reasons_is_not_called_too_large(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("words\n" * 1_000_000)

    with pytest.raises(UserError, match="is no log of an agent"):
        read(RunSource(path=tmp_path / "a.txt"))


@pytest.mark.parametrize(
    ("name", "beginning", "said"),
    [
        ("opencode.db", b"SQLite format 3\0", "opencode export ID"),
        ("rollout-1.jsonl.zst", b"\x28\xb5\x2f\xfd", "zstd -d"),
        ("session.jsonl.gz", b"\x1f\x8b\x08", "gunzip"),
        ("logs.zip", b"PK\x03\x04", "unpack it first"),
    ],
)
def test_a_log_that_has_to_be_unpacked_first_is_refused_for_that(
    tmp_path: Path, name: str, beginning: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(beginning + b"\0" * 100)

    with pytest.raises(UserError, match=said):
        read(RunSource(path=tmp_path / name))


def test_a_line_that_is_too_long_is_left_out_with_its_number(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(prompt("Add a page.") + prompt(LONG) + prompt("Add a menu."))

    found = read(RunSource(path=tmp_path / "log.jsonl"))

    assert [item.text for item in found.spec.items] == ["Add a page.", "Add a menu."]
    assert found.warnings == ("log.jsonl: 1 line skipped, longer than 1 MB: line 2",)


def test_a_run_of_openhands_may_be_longer_than_a_line(tmp_path: Path) -> None:
    run = {"instance_id": "a", "instruction": "Add a page.", "history": [{"content": LONG}], "test_result": {}}
    (tmp_path / "output.jsonl").write_text(json.dumps(run) + "\n")

    assert [item.text for item in read(RunSource(path=tmp_path / "output.jsonl")).spec.items] == ["Add a page."]
