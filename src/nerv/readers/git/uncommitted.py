"""Changes that a run left in the folder of its repository without committing them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from nerv.changes import Diff
from nerv.readers.git import patch
from nerv.verification import trees
from nerv.verification.trees import NotVerifiable, TreeFile

_LARGEST = 1 << 20


def uncommitted_diff(repository: Path, base: str) -> Diff | None:
    """Return the changes from a commit to the files in the folder, new ones included; None if there are none.

    `git diff` would start the filters that the repository configures, so the files are compared here.
    """
    try:
        if not trees.has_working_tree(repository):
            return None
        before, after = trees.commit_tree(repository, base), trees.working_tree(repository)
    except NotVerifiable:
        return None
    lines = [
        line
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
        for line in _patch_lines(path, before.get(path), after.get(path))
    ]
    found = patch.parse(enumerate((line.encode("utf-8", "surrogateescape") for line in lines), 1), "git diff")
    return found if found.files else None


def _patch_lines(path: str, before: TreeFile | None, after: TreeFile | None) -> Iterator[str]:
    yield f"diff --git a/{path} b/{path}"
    if before is None:
        yield "new file mode 100644"
    if after is None:
        yield "deleted file mode 100644"
    sides = [file.content for file in (before, after) if file is not None]
    if any(b"\0" in content or len(content) > _LARGEST for content in sides):
        yield f"Binary files a/{path} and b/{path} differ"
        return
    old, new = ("" if file is None else file.text for file in (before, after))
    from_file, to_file = "/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}"
    yield from difflib.unified_diff(old.splitlines(), new.splitlines(), from_file, to_file, lineterm="")
