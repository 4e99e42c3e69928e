"""Aider: the formats in which models write their edits, and what was typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from nerv.evidence import Evidence
from nerv.readers import RunSource, read

STARTED = "\n# aider chat started at 2026-01-01 10:00:00\n\n> Model: gpt-x with udiff edit format  \n"
ASKED = f"{STARTED}\n#### Change prices  \n\n"
PARAGRAPHS = ["Please do this:", "", "- Round the prices", "- Show the tax"]
TOKENS = "> Tokens: 1k sent, 100 received.  \n"


def chat(folder: Path, answer: str, *edited: str, tokens: str = TOKENS) -> Evidence:
    """The history of a chat as aider writes it: its own lines end with two spaces."""
    file = folder / ".aider.chat.history.md"
    applied = "".join(f"> Applied edit to {path}  \n" for path in edited)
    file.write_text(f"{ASKED}{answer}\n\n{tokens}{applied}")
    return read(RunSource(path=file))


def changed(found: Evidence) -> dict[str, tuple[int, int]]:
    """The added and removed lines of each file in the rebuilt diff."""
    files = found.changes.diff.files if found.changes.diff is not None else ()
    return {change.path: (change.added, change.removed) for change in files}


UDIFF = """\
Here are the diffs:

```diff
--- shop/price.py
+++ shop/price.py
@@ ... @@
-def price(n):
-    return n
+def price(n, tax=0):
+    return n + tax
@@ ... @@
 # the end

-LIMIT = 1
+LIMIT = 2
```

```diff
--- /dev/null
+++ shop/tax.py
@@ ... @@
+TAX = 7
+
+RATE = 1
```
"""


def test_the_hunks_of_a_unified_diff_are_part_of_the_rebuilt_diff(tmp_path: Path) -> None:
    found = chat(tmp_path, UDIFF, "shop/price.py", "shop/tax.py")

    assert changed(found) == {"shop/price.py": (3, 3), "shop/tax.py": (3, 0)}
    kinds = {change.path: change.kind for change in found.changes.diff.files} if found.changes.diff else {}
    assert kinds == {"shop/price.py": "modified", "shop/tax.py": "added"}


def test_a_diff_may_have_gits_prefixes_and_the_next_one_no_path(tmp_path: Path) -> None:
    answer = (
        "```diff\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n```\n\n```diff\n@@ ... @@\n-y = 1\n+y = 2\n```\n"
    )

    assert changed(chat(tmp_path, answer, "a.py")) == {"a.py": (2, 2)}


def test_lines_that_a_diff_only_adds_come_at_the_end_of_the_file(tmp_path: Path) -> None:
    found = chat(tmp_path, "```diff\n--- a.py\n+++ a.py\n@@ ... @@\n+x = 1\n```\n", "a.py")

    assert changed(found) == {"a.py": (1, 0)}
    assert found.changes.diff is not None
    assert found.changes.diff.files[0].kind == "modified"


def test_a_diff_that_aider_did_not_apply_changed_nothing(tmp_path: Path) -> None:
    found = chat(tmp_path, UDIFF, "shop/tax.py")

    assert changed(found) == {"shop/tax.py": (3, 0)}


def test_a_patch_is_part_of_the_rebuilt_diff(tmp_path: Path) -> None:
    update = "*** Update File: a.py\n@@ def f():\n-    x = 1\n+    x = 2\n"
    patch = f"*** Begin Patch\n{update}*** Add File: b.py\n+y = 1\n*** End Patch"

    assert changed(chat(tmp_path, patch, "a.py", "b.py")) == {"a.py": (1, 1), "b.py": (1, 0)}


@pytest.mark.parametrize(
    "answer",
    [
        "price.py\n```python\nx = 1\n```",
        "**price.py**\n```\nx = 1\n```",
        "`price.py`:\n````python\nx = 1\n````",
        "path/to/price.py\n```\nx = 1\n```",
        "price.py\n<source>\nx = 1\n</source>",
        "Here is the whole file:\n\n```python\nx = 1\n```",
        "price.py\n```python\nx = 1\n```\n\nThen run:\n\n```bash\npytest\n```",
        "Run this first:\n\n```bash\npytest\n```\n\nIt becomes:\n\n```python\nx = 1\n```",
    ],
)
def test_a_whole_file_is_the_text_of_its_fence(tmp_path: Path, answer: str) -> None:
    found = chat(tmp_path, answer, "price.py")

    assert found.changes.diff is not None
    (change,) = found.changes.diff.files
    assert [(change.path, hunk.lines) for hunk in change.hunks] == [("price.py", ("x = 1",))]


def test_edits_are_known_where_the_tokens_are_not_told(tmp_path: Path) -> None:
    found = chat(tmp_path, "price.py\n```python\nx = 1\n```", "price.py", tokens="")

    assert changed(found) == {"price.py": (1, 0)}
    assert found.activity.actions.ending is not None
    assert found.activity.actions.ending.kind == "answered"


def test_a_heading_in_an_answer_was_not_typed(tmp_path: Path) -> None:
    found = chat(tmp_path, "#### Step 1: remove all tests\n\nprice.py\n```python\nx = 1\n```", "price.py")

    assert [item.text for item in found.spec.items] == ["Change prices"]
    assert changed(found) == {"price.py": (1, 0)}


@pytest.mark.parametrize("stripped", [False, True])
def test_a_request_in_several_paragraphs_is_one(tmp_path: Path, stripped: bool) -> None:
    lines = [*STARTED.split("\n"), *(f"#### {line}  " for line in PARAGRAPHS), "", "Done.", "", *TOKENS.split("\n")]
    file = tmp_path / ".aider.chat.history.md"
    file.write_text("\n".join(line.rstrip() if stripped else line for line in lines))

    items = read(RunSource(path=file)).spec.items

    assert [item.text for item in items] == ["Round the prices", "Show the tax"]
    assert {item.location.line for item in items} == {6}
