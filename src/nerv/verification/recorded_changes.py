"""The result of a run, made from the base commit and the changes that its log records."""

from __future__ import annotations

from nerv.changes import Diff, FileChange, Hunk
from nerv.verification.trees import NotVerifiable, Tree, TreeFile


def changed_tree(tree: Tree, diff: Diff) -> Tree:
    """Return the tree with all changes of a diff; raises NotVerifiable where one does not fit."""
    result = dict(tree)
    for change in diff.files:
        old = change.old_path or change.path
        if change.kind == "deleted":
            result.pop(change.path, None)
        elif change.kind == "added":
            result[change.path] = TreeFile(content=_joined(_only_hunk(change).lines if change.hunks else ()))
        else:
            if old not in tree or (not change.hunks and change.kind != "renamed"):
                raise _misfit(change)
            if change.kind == "renamed":
                result.pop(old, None)
            result[change.path] = _changed_file(tree[old], change)
    return result


def _changed_file(file: TreeFile, change: FileChange) -> TreeFile:
    lines = file.text.splitlines()
    changed: list[str] = []
    taken, shift = 0, 0
    for hunk in change.hunks:
        old = [line for line, _ in hunk.old_pairs]
        start = max(hunk.new_start - 1 - shift, 0)  # a hunk without a new side names the line before it
        start += not hunk.lines and hunk.new_start > 0
        if start < taken or lines[start : start + len(old)] != old:
            raise _misfit(change)
        changed += [*lines[taken:start], *hunk.lines]
        taken, shift = start + len(old), shift + len(hunk.lines) - len(old)
    return TreeFile(content=_joined([*changed, *lines[taken:]]), executable=file.executable)


def _only_hunk(change: FileChange) -> Hunk:
    if len(change.hunks) != 1:
        raise _misfit(change)
    return change.hunks[0]


def _joined(lines: list[str] | tuple[str, ...]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _misfit(change: FileChange) -> NotVerifiable:
    return NotVerifiable(
        f"the repository is still at its base, and the change of {change.path} that the log records does not fit it; "
        "name the result with --diff, or commit it"
    )
