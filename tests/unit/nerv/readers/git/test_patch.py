"""Parser for diffs."""

from __future__ import annotations

import shutil
import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from nerv.readers.git import patch

PATCH = b"""commit 0123456
Subject: whatever

diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,4 +1,5 @@ def f():
 one
-two
+2
+2.5
 three
 four
@@ -10 +11,2 @@
 ten
+--- not a header
diff --git a/new file.txt b/new file.txt
new file mode 100644
--- /dev/null
+++ b/new file.txt
@@ -0,0 +1,2 @@
+hello
+world
\\ No newline at end of file
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
diff --git a/old.rs b/new.rs
similarity index 100%
rename from old.rs
rename to new.rs
diff --git a/package-lock.json b/package-lock.json
--- a/package-lock.json
+++ b/package-lock.json
@@ -1 +1,2 @@
 {
+}
diff --git "a/caf\\303\\251.py" "b/caf\\303\\251.py"
new file mode 100644
--- /dev/null
+++ "b/caf\\303\\251.py"
@@ -0,0 +1 @@
+x = 1
"""


def parsed(content: bytes):
    return patch.parse(enumerate(content.split(b"\n"), 1), "p.patch")


def test_every_kind_of_change_is_recognised():
    found = {change.path: change for change in parsed(PATCH).files}
    assert {path: change.kind for path, change in found.items()} == {
        "café.py": "added",
        "gone.py": "deleted",
        "logo.png": "added",
        "new file.txt": "added",
        "new.rs": "renamed",
        "package-lock.json": "modified",
        "src/a.py": "modified",
    }
    assert found["logo.png"].binary
    assert found["new.rs"].old_path == "old.rs"
    assert found["new file.txt"].hunks[0].lines == ("hello", "world")


def test_hunks_give_the_added_lines_with_their_numbers():
    change = next(change for change in parsed(PATCH).files if change.path == "src/a.py")
    first, second = change.hunks
    assert first.lines == ("one", "2", "2.5", "three", "four")
    assert sorted(first.added) == [1, 2]
    assert first.removed == ("two",)
    assert (first.new_start, first.location.line, second.location.line) == (1, 8, 15)
    assert second.lines == ("ten", "--- not a header")
    assert (change.added, change.removed) == (3, 1)


def test_generated_files_are_counted_but_their_text_is_not_kept():
    change = next(change for change in parsed(PATCH).files if change.path == "package-lock.json")
    assert change.text_left_out
    assert change.hunks == ()
    assert change.added == 1


def test_a_patch_beyond_the_budget_is_counted_to_its_end(monkeypatch):
    monkeypatch.setattr(patch, "TEXT_BUDGET", 1_000)
    body = b"".join(b"+line %d\n" % number for number in range(500))
    text = (
        b"diff --git a/big.py b/big.py\nnew file mode 100644\n--- /dev/null\n+++ b/big.py\n@@ -0,0 +1,500 @@\n" + body
    )
    diff = parsed(text.rstrip(b"\n") + b"\n" + PATCH.split(b"\n\n", 1)[1])
    big = next(change for change in diff.files if change.path == "big.py")
    assert (big.added, big.text_left_out, big.hunks) == (500, True, ())
    small = next(change for change in diff.files if change.path == "new file.txt")
    assert small.hunks[0].lines == ("hello", "world")
    assert diff.left_out == 2


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [b"diff --git a/x b/x", b"--- a/x", b"+++ b/x", b"@@ -1,2 +1,2 @@", b"+a", b"-b", b" c", b"", b"\\ No"]
        )
    )
)
def test_arbitrary_lines_cause_no_error(lines):
    diff = patch.parse(enumerate(lines, 1), "p")
    assert all(change.path for change in diff.files)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "c", "-- d", "++ e", "@@ f", " g", ""]), max_size=20),
    st.lists(st.sampled_from(["a", "b", "c", "-- d", "++ e", "@@ f", " g", ""]), max_size=20),
)
def test_the_diff_that_git_prints_is_read_in_full(old, new):
    import tempfile
    from pathlib import Path

    git = shutil.which("git")
    assert git, "git is needed to develop this"
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "before", Path(folder) / "after"
        before.write_text("".join(f"{line}\n" for line in old))
        after.write_text("".join(f"{line}\n" for line in new))
        printed = subprocess.run(
            [git, "diff", "--no-index", "--no-color", "before", "after"], cwd=folder, capture_output=True
        ).stdout
    diff = parsed(printed)
    if old == new:
        assert diff.files == ()
        return
    (change,) = diff.files
    shown = {hunk.new_start + index: line for hunk in change.hunks for index, line in enumerate(hunk.lines)}
    assert all(new[number - 1] == line for number, line in shown.items() if number)
    assert change.added - change.removed == len(new) - len(old)
