"""Worktrees and merges that files other than the log record: the worktree manifest, metrics, pipeline-result.json."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nerv.evidence import Merge, Worktree
from nerv.location import Location, Moment
from nerv.readers.event_fields import shorten
from nerv.readers.run_record import RunRecord


def read_manifest(found: object, record: RunRecord, location: Location) -> None:
    """Add the worktrees in worktree-manifest.json, with the titles and merges of their tasks."""
    for key, fields in _manifest_entries(found):
        path = fields.get("worktreePath", fields.get("path", fields.get("worktree")))
        task_id = fields.get("taskId", fields.get("task", key))
        if not isinstance(task_id, str | int):
            task_id = None
        if isinstance(path, str):
            branch = fields.get("branch", fields.get("branchName"))
            add_worktree(record, path, branch, None if task_id is None else str(task_id), location)
        task = record.tasks.get(str(task_id))
        if task is not None and isinstance(title := fields.get("title"), str):
            task.title = max(task.title, shorten(title), key=len)
        if task is not None:
            add_merge_flag(record, task.id, fields, location)


def _manifest_entries(found: object) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    """Yield the entries of a list, or of a mapping from task ids to paths or objects."""
    listed = found.get("worktrees", found.get("entries", found)) if isinstance(found, dict) else found
    if isinstance(listed, dict):
        for key, value in listed.items():
            if isinstance(value, str):
                yield str(key), {"path": value}
            elif isinstance(value, dict):
                yield str(key), value
    elif isinstance(listed, list):
        yield from ((None, value) for value in listed if isinstance(value, dict))


def add_worktree(record: RunRecord, path: str, branch: object, task_id: str | None, location: Location) -> None:
    """Add a worktree, or complete the task's worktree whose path the log does not record."""
    named = shorten(branch) if isinstance(branch, str) else ""
    worktree = Worktree(path=shorten(path), branch=named, task_id=task_id, location=location)
    for index, known in enumerate(record.worktrees):
        if task_id is not None and known.task_id == task_id and known.path in ("", worktree.path):
            record.worktrees[index] = Worktree(
                path=worktree.path, branch=known.branch or named, task_id=task_id, location=known.location
            )
            return
    record.keep(record.worktrees, worktree, "worktrees")


def add_merge_flag(
    record: RunRecord, task_id: str, fields: Mapping[str, Any], location: Location, *, after_review: bool = False
) -> None:
    """Add a merge if a file says `merged: true` and the log has no attempt to merge the task."""
    if fields.get("merged") is not True or any(merge.task_id == task_id for merge in record.merges):
        return
    branch = fields.get("branchName", fields.get("branch"))
    merge = Merge(
        task_id=task_id,
        moment=Moment(location=location),
        clean=True,
        branch=shorten(branch) if isinstance(branch, str) else "",
        after_review=after_review,
    )
    record.keep(record.merges, merge, "merges")
    if task_id in record.tasks:
        record.tasks[task_id].merged = True
