"""The folder of one task: metrics, errors, review, conversation, tool calls, diff."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from nerv.evidence import TestSuiteRun, TokenUsage
from nerv.location import Location, Moment
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.claude_code.spending import usage_from_nerv
from nerv.readers.clock import Clock
from nerv.readers.event_fields import as_request, shorten, whole_number
from nerv.readers.git import patch
from nerv.readers.nerv_folder.permissions import mark_used_after_denial
from nerv.readers.nerv_folder.reviews import add_decision
from nerv.readers.nerv_folder.worktrees import add_merge_flag
from nerv.readers.run_record import RunRecord, TaskRecord
from nerv.readers.source_files import SourceFiles, is_file

_OBJECT = msgspec.json.Decoder(dict[str, Any])


class TaskFiles:
    """Reads these files into a run's record."""

    def __init__(self, folder: Path, files: SourceFiles, record: RunRecord, clock: Clock) -> None:
        self._folder = folder
        self._files = files
        self._record = record
        self._clock = clock
        self.test_runs: list[TestSuiteRun] = []

    def read(self, folder: Path) -> Conversation | None:
        """Read one task's folder, and return the conversation in it."""
        name = f"tasks/{folder.name}"
        task = self._record.task(folder.name[:200], Location(file=name))
        if task is None:
            return None
        metrics = self._files.mapping(self._folder / name / "metrics.json", f"{name}/metrics.json")
        if metrics is not None:
            take_metrics(task, metrics, Location(file=f"{name}/metrics.json"))
            totals = test_totals(metrics, Location(file=f"{name}/metrics.json"), task.id)
            self.test_runs += [totals] if totals else []
            add_merge_flag(self._record, task.id, metrics, Location(file=f"{name}/metrics.json"))
        self._errors(task, f"{name}/errors.json")
        self._review(task, f"{name}/review-decision.json")
        conversation = Conversation(task_id=task.id)
        self._stream(conversation, f"{name}/stream.jsonl")
        self._tools(conversation, f"{name}/tools.jsonl")
        task.tool_calls = max(task.tool_calls, conversation.tool_calls.count)
        task.tool_errors = max(task.tool_errors, conversation.tool_errors.count)
        task.compactions = max(task.compactions, conversation.compactions.count)
        task.compactions_counted = task.compactions_counted or conversation.usage.tokens is not None
        if task.usage.tokens is None and conversation.usage.tokens is not None:
            task.usage = conversation.usage
        patch_file = self._folder / name / "git-diff.patch"
        if is_file(patch_file):
            task.diff = patch.parse(self._files.lines(patch_file, f"{name}/git-diff.patch"), f"{name}/git-diff.patch")
        return conversation

    def _errors(self, task: TaskRecord, name: str) -> None:
        found = self._files.document(self._folder / name, name)
        listed = found.get("errors") if isinstance(found, dict) else found
        if isinstance(listed, list):
            task.errors.at_least(len(listed), Moment(location=Location(file=name)))

    def _review(self, task: TaskRecord, name: str) -> None:
        found = self._files.mapping(self._folder / name, name) or {}
        if isinstance(decision := found.get("decision"), str):
            moment = Moment(location=Location(file=name), ms=self._clock.known(found.get("timestamp")))
            text = found.get("justification")
            add_decision(self._record, task.id, decision, moment, shorten(text) if isinstance(text, str) else "")

    def _stream(self, conversation: Conversation, name: str) -> None:
        file = self._folder / name
        if is_file(file):
            for number, line in self._files.records(file, name, _OBJECT):
                ms = self._clock.known(line.get("timestamp"))
                conversation.take(line, Moment(location=Location(file=name, line=number), ms=ms))

    def _tools(self, conversation: Conversation, name: str) -> None:
        """Read tools.jsonl, one finished call per line; a stream, if there is one, has the same calls."""
        file = self._folder / name
        if not is_file(file):
            return
        counted = conversation.tool_calls.count > 0
        for number, line in self._files.records(file, name, _OBJECT):
            moment = Moment(location=Location(file=name, line=number), ms=self._clock.known(line.get("timestamp")))
            failed = line.get("success") is False
            tool = line.get("tool") if isinstance(line.get("tool"), str) else ""
            if not counted:
                conversation.tool_calls.add(moment)
                if failed:
                    conversation.tool_errors.add(moment)
            given = line.get("input")
            command = given.get("command") if isinstance(given, dict) else given
            if isinstance(command, str) and not counted:
                output = line.get("output")
                shown, unknown = output if isinstance(output, str) else "", "success" not in line
                conversation.add_command(command[:10_000], shown, not failed, moment, unknown=unknown)
            if not failed and tool and self._record.permissions:
                mark_used_after_denial(self._record, tool, as_request(given), moment)


def take_metrics(task: TaskRecord, fields: Mapping[str, Any], location: Location) -> None:
    """Add the tokens, cost, time and incidents in a task's metrics to its record."""
    totals = usage_from_nerv(fields)
    if totals.tokens or totals.cost_usd:
        task.usage = TokenUsage(
            input_tokens=totals.input_tokens,
            output_tokens=totals.output_tokens,
            cache_read_tokens=totals.cache_read_tokens,
            cost_usd=totals.cost_usd or None,  # 0 means that nothing was counted
            location=location,
        )
    task.tool_calls = max(task.tool_calls, whole_number(fields.get("toolCalls")) or 0)
    task.tool_errors = max(task.tool_errors, whole_number(fields.get("toolErrors")) or 0)
    task.compactions = max(task.compactions, whole_number(fields.get("compactions")) or 0)
    task.compactions_counted = task.compactions_counted or whole_number(fields.get("compactions")) is not None
    duration = whole_number(fields.get("durationMs"))
    begin, end = whole_number(fields.get("startTime")), whole_number(fields.get("endTime"))
    if duration is None and begin is not None and end is not None:
        duration = end - begin
    if duration is not None and duration > 0:
        task.working_ms = duration
    title = fields.get("title")
    if isinstance(title, str):
        task.title = max(task.title, shorten(title), key=len)
    status = fields.get("status")
    if task.status in ("created", "started") and task.started is None:  # the log does not mention it
        if status in ("done", "completed"):
            task.status = "completed"
        elif status in ("failed", "error"):
            task.status = "failed"
    if (whole_number(fields.get("exitCode")) or 0) != 0 and fields.get("merged") is not True:
        task.status = "failed"  # the pipeline reports every task as complete


def test_totals(found: object, location: Location, task_id: str | None) -> TestSuiteRun | None:
    """Return a recorded total of tests; its origin is unknown, so it is a claim."""
    if not isinstance(found, dict):
        return None
    passed = whole_number(found.get("passed", found.get("testsPassed")))
    failed = whole_number(found.get("failed", found.get("testsFailed")))
    if not passed and not failed:
        return None
    return TestSuiteRun(
        moment=Moment(location=location),
        command="",
        passed=passed or 0,
        failed=failed or 0,
        succeeded=bool(passed) and not failed,
        task_id=task_id,
        strength="claimed",
    )
