"""Edits of a file whose text is not known, one after the other."""

from __future__ import annotations

import time

import pytest

from nerv.location import Location
from nerv.readers.claude_code.edited_passages import Passage, amend, passages_in
from nerv.readers.claude_code.rebuilt_files import FileEdit, RebuiltFiles

AT = Location(file="s.jsonl", line=1)


def added(*edits: tuple[str, str]) -> list[str]:
    """Return the lines that a diff adds after these replacements."""
    files = RebuiltFiles()
    for old, new in edits:
        files.take(FileEdit(path="/r/a.py", location=AT, replacements=((old, new, False),)))
    diff = files.diff("/r")
    return [
        line for change in diff.files for hunk in change.hunks for at, line in enumerate(hunk.lines) if at in hunk.added
    ]


STUB = "def price(n):\n    raise NotImplementedError"
WRITTEN = "def price(n):\n    return 2 * n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    raise NotImplementedError", "    return 2 * n"),
        (STUB, WRITTEN),
        ("raise NotImplementedError", "return 2 * n"),
        (f"x = 1\n{STUB}", f"x = 1\n{WRITTEN}"),
    ],
)
def test_a_later_edit_changes_what_an_earlier_one_wrote(old: str, new: str) -> None:
    assert added(("x = 1", f"x = 1\n{STUB}"), (old, new)) == WRITTEN.split("\n")


def test_an_edit_elsewhere_is_one_of_its_own() -> None:
    assert added(("x = 1", "x = 2"), ("y = 1", "y = 2")) == ["x = 2", "y = 2"]


def test_a_bracket_is_not_taken_for_another_one() -> None:
    assert added(("a {\n}", "a {\n  b();\n}"), ("}", "} // the end")) == ["  b();", "} // the end"]


def test_a_line_of_a_patch_is_only_found_as_a_whole() -> None:
    known = list(passages_in("@@ -1 +1 @@\n-a\n+maximum = 1"))
    (edit,) = passages_in("@@ -9 +9 @@\n-mum = 1\n+x")
    amend(known, edit, whole_lines=True)
    assert [one.after for one in known] == [("maximum = 1",), ("x",)]


def test_an_edit_that_takes_an_earlier_one_back_leaves_nothing() -> None:
    assert added(("size = 1", "size = 2"), ("size = 2", "size = 1")) == []


def test_many_edits_take_little_time() -> None:
    known: list[Passage] = []
    begin = time.process_time()
    for number in range(20_000):
        amend(known, Passage(start=1, before=(f"old {number}",), after=(f"new {number}",)), whole_lines=True)
    assert len(known) == 20_000
    assert time.process_time() - begin < 5
