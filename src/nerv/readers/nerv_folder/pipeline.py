"""pipeline-result.json: the cycles and tasks of a run, as nerv's two runners write them.

The runner of the command line writes no event log. It has no permissions and counts neither spec items nor compactions;
it reviews every task before it merges it, but records no times for either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nerv.evidence import TestSuiteRun
from nerv.location import Location, Moment
from nerv.readers.claude_code.spending import usage_from_nerv
from nerv.readers.event_fields import shorten, whole_number
from nerv.readers.nerv_folder.reviews import add_decision
from nerv.readers.nerv_folder.task_files import take_metrics, test_totals
from nerv.readers.nerv_folder.worktrees import add_merge_flag, add_worktree
from nerv.readers.run_record import RunRecord

PIPELINE_RESULT = "pipeline-result.json"


def is_command_line_pipeline(found: Mapping[str, Any] | None) -> bool:
    """Return whether the command-line runner wrote this file; only it names its workspace."""
    config = found.get("config") if found else None
    return isinstance(config, dict) and "workspaceDir" in config


def read_pipeline_result(found: Mapping[str, Any], record: RunRecord) -> Iterator[TestSuiteRun]:
    """Add the cycles and tasks to the record; yield the totals of their tests."""
    after_review = is_command_line_pipeline(found)
    cycles = found.get("cycles")
    for cycle in cycles if isinstance(cycles, list) else ():
        if not isinstance(cycle, dict):
            continue
        number = whole_number(cycle.get("cycleNumber"))
        if number is not None and (kept := record.cycle(number)) is not None:
            kept.goal = kept.goal or shorten(str(cycle.get("title") or ""))
            kept.usage = usage_from_nerv(cycle)
        tasks = cycle.get("tasks")
        for fields in tasks if isinstance(tasks, list) else ():
            if isinstance(fields, dict) and isinstance(fields.get("taskId"), str | int):
                totals = _read_task(fields, record, number, after_review)
                if totals is not None:
                    yield totals


def _read_task(
    fields: Mapping[str, Any], record: RunRecord, cycle: int | None, after_review: bool
) -> TestSuiteRun | None:
    location = Location(file=PIPELINE_RESULT)
    task = record.task(str(fields["taskId"])[:200], location)
    if task is None:
        return None
    subtask = fields.get("subtask")
    if isinstance(subtask, dict):
        title = f"{subtask.get('title') or ''}: {subtask.get('description') or ''}".strip(": ")
        task.title = max(task.title, shorten(title), key=len)
    task.cycle = cycle if task.cycle is None else task.cycle
    take_metrics(task, fields, location)
    review = fields.get("reviewDecision")
    if isinstance(review, dict) and isinstance(review.get("decision"), str):
        text = review.get("justification")
        wording = review["decision"]
        add_decision(
            record, task.id, wording, Moment(location=location), shorten(text) if isinstance(text, str) else ""
        )
    path = fields.get("worktreePath")
    if isinstance(path, str) and path:
        add_worktree(record, path, fields.get("branchName"), task.id, location)
    add_merge_flag(record, task.id, fields, location, after_review=after_review)
    return test_totals(dict(fields), location, task.id)
