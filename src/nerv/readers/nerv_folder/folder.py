"""nerv's results folder, in all its variants → Evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import msgspec

from forgetest.errors import UserError
from nerv.changes import Diff, Repository
from nerv.evidence import (
    Activity,
    AgentSession,
    Changes,
    Commit,
    Evidence,
    FileEdits,
    Incidents,
    Review,
    Subject,
    TestSuiteRun,
    Workflow,
)
from nerv.location import Location, Moment, Occurrences
from nerv.readers import EVENT_LOG, TIMELINE, action_recorder, is_old_results, results_log
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.clock import Clock
from nerv.readers.event_fields import decoder, event_of
from nerv.readers.git import git_history, log_text, patch
from nerv.readers.git.files import read_repository
from nerv.readers.nerv_folder.events import EventCollector
from nerv.readers.nerv_folder.permissions import mark_used_after_denial
from nerv.readers.nerv_folder.resources import run_resources
from nerv.readers.nerv_folder.run_records import add_timeline, join_merges
from nerv.readers.nerv_folder.run_spec import read_spec, with_repository_ticks
from nerv.readers.nerv_folder.side_files import SideFiles
from nerv.readers.run_record import OccurrenceCounter, RunRecord
from nerv.readers.source_files import RunSource, SourceFiles, is_file
from nerv.spec import Spec

RECORDED: frozenset[Subject] = frozenset(get_args(Subject))
"""A results folder of nerv can record every subject."""
_PIPELINE_RECORDED = RECORDED - {"spec_completion"}
"""Of nerv's runners, only the one of the window counts the items of the spec."""
_RESULTS_RECORDED: frozenset[Subject] = frozenset({"time"})
"""The oldest form of results has the duration and checks of the application, but nothing about the work."""

_OBJECT = msgspec.json.Decoder(dict[str, Any])


def read(source: RunSource) -> Evidence:
    """Read a results folder. Raises UserError if a required file is missing or unusable."""
    folder, files, clock = source.path, SourceFiles(root=source.path), Clock()
    log = results_log(folder)
    if log is None or not is_file(log):
        raise UserError(f"{folder / EVENT_LOG}: missing; a results folder contains the event log")
    spec = read_spec(source, files)
    record = RunRecord()
    if log.suffix == ".jsonl":
        _read_log(log, files, clock, record, len(spec.items))
    if log.name == EVENT_LOG and (timeline := _timeline(folder, files, clock, len(spec.items))):
        add_timeline(record, timeline)
    if any(permission.decision == "denied" and permission.request for permission in record.permissions):
        _find_uses(log, record, clock)
    side = SideFiles(folder, files, record, clock)
    side.read()
    main = Conversation()
    _read_stream(folder, files, clock, main)
    return _build_evidence(source, files, clock, spec, record, side, main)


def _read_log(log: Path, files: SourceFiles, clock: Clock, record: RunRecord, spec_items: int) -> None:
    collector = EventCollector(record, spec_items)
    for number, line in files.records(log, log.name, decoder):
        event = event_of(line, number, log.name, clock)
        if event:
            collector.take(event)
    if not record.event_counts:
        raise UserError(f"{log}: contains no usable event; each line must be an object with `event` and a time")


def _recorded_subjects(source: RunSource) -> frozenset[Subject]:
    """Return the subjects that this kind of folder can know."""
    log = results_log(source.path)
    if log is not None and log.suffix != ".jsonl":
        return _RESULTS_RECORDED
    counts_items = log is None or log.name == EVENT_LOG or _is_of_ui_runner(log)
    return RECORDED if counts_items else _PIPELINE_RECORDED


def _nothing_to_grade(source: RunSource) -> str:
    log = results_log(source.path)
    is_old = log is not None and is_old_results(log)
    return "these results have checks of nerv's application, and nothing about the work." if is_old else ""


def _is_of_ui_runner(timeline: Path) -> bool:
    """Return whether nerv's UI runner wrote a timeline: only its lines name the region of the window."""
    lines = SourceFiles().records(timeline, timeline.name, _OBJECT)
    return any("region" in line or line.get("event") == "spec_completion" for _, line in islice(lines, 1_000))


def _timeline(folder: Path, files: SourceFiles, clock: Clock, spec_items: int) -> RunRecord | None:
    """Read timeline.jsonl, a second record of the same run, often with more detail."""
    file = folder / TIMELINE
    if not is_file(file):
        return None
    own = clock if clock.start_ms is not None else Clock()
    record = RunRecord()
    collector = EventCollector(record, spec_items)
    for number, line in files.records(file, file.name, decoder):
        event = event_of(line, number, file.name, own)
        if event:
            collector.take(event)
    clock.start_ms = clock.start_ms if clock.start_ms is not None else own.start_ms
    return record


def _find_uses(log: Path, record: RunRecord, clock: Clock) -> None:
    """Read the log again for calls that had been denied."""
    for number, line in SourceFiles().records(log, log.name, decoder):
        if line.event == "tool_call" and line.success is not False and isinstance(line.tool, str):
            event = event_of(line, number, log.name, clock)
            if event and event.request:
                mark_used_after_denial(record, line.tool[:100], event.request, event.moment)


def _read_stream(folder: Path, files: SourceFiles, clock: Clock, conversation: Conversation) -> None:
    file = folder / "stream.jsonl"
    if is_file(file):
        for number, line in files.records(file, file.name, _OBJECT):
            moment = Moment(location=Location(file=file.name, line=number), ms=clock.known(line.get("timestamp")))
            conversation.take(line, moment)


def _build_evidence(
    source: RunSource,
    files: SourceFiles,
    clock: Clock,
    spec: Spec,
    record: RunRecord,
    side: SideFiles,
    main: Conversation,
) -> Evidence:
    conversations = [*side.conversations, *([] if _is_copy(main, side.conversations) else [main])]
    for conversation in conversations:
        _add_conversation_counts(record, conversation)
    tasks = tuple(task.task() for task in record.tasks.values())
    history = _history(source, files, clock)
    repository = _run_repository(source, files)
    spec = with_repository_ticks(spec, repository, record)
    diff = history.diff if history else _run_diff(source.path, source.diff, files, [task.diff for task in tasks])
    merges = join_merges(record.merges, history.merges if history else (), record.worktrees, record.tasks)
    for noun, count in record.overflow.items():
        files.warn(f"{count} more {noun} than are kept; they are only counted")
    return Evidence(
        kind="nerv",
        nothing_to_grade=_nothing_to_grade(source),
        recorded=_recorded_subjects(source),
        spec=spec,
        configuration=side.configuration,
        workflow=Workflow(
            cycles=tuple(record.cycles[number].cycle() for number in sorted(record.cycles)),
            completion=tuple(record.completion),
            audits=tuple(record.audits),
            tasks=tasks,
            reviews=_reviews(record, side),
            merges=merges,
            worktrees=tuple(record.worktrees),
            permissions=tuple(record.permissions),
            permissions_requested=record.permissions_requested,
        ),
        changes=Changes(
            commits=history.commits if history else _commits_in_log(source.path, files, clock),
            base_commit=history.base if history else "",
            head_commit=history.head if history else "",
            other_commits=history.other_commits if history else (),
            diff=diff,
            repository=repository,
        ),
        activity=Activity(
            sessions=_sessions(conversations),
            edits=_edits(conversations),
            test_runs=_test_runs(side.test_runs, conversations),
            tool_calls=record.tool_calls.occurrences(),
            actions=action_recorder.join(conversation.actions.actions() for conversation in conversations),
        ),
        incidents=Incidents(
            tool_errors=record.tool_errors.occurrences(),
            task_errors=record.task_errors.occurrences(),
            task_timeouts=record.task_timeouts.occurrences(),
            loops=record.loops.occurrences(),
            phase_errors=record.phase_errors.occurrences(),
            interruptions=_join_counters(conversation.interruptions for conversation in conversations),
        ),
        resources=run_resources(record, tasks, side.usage, main),
        event_counts=record.event_counts,
        inputs=dict(sorted(files.inputs.items())),
        warnings=tuple(files.warnings),
    )


def _is_copy(main: Conversation, of_tasks: Sequence[Conversation]) -> bool:
    """Return whether a task has the same stream: nerv's runs of one session copy it into the task's folder."""
    own = {session for session in main.sessions if session}
    return bool(own) and any(own <= set(task.sessions) for task in of_tasks)


def _reviews(record: RunRecord, side: SideFiles) -> tuple[Review, ...]:
    """Return the reviews; without a reviewer, every approval is automatic."""
    if side.configuration.values.get("reviewMode") != "none":
        return tuple(record.reviews)
    return tuple(replace(review, automatic=review.decision == "approved") for review in record.reviews)


def _add_conversation_counts(record: RunRecord, conversation: Conversation) -> None:
    """Join counts: conversation and log report the same compactions and errors, so the larger count is kept."""
    for kept, seen in (
        (record.compactions, conversation.compactions),
        (record.tool_calls, conversation.tool_calls),
        (record.tool_errors, conversation.tool_errors),
    ):
        if seen.count > kept.count:
            kept.count, kept.moments = seen.count, list(seen.moments)
    for permission in conversation.permissions:
        if permission.used_after_denial:
            record.keep(record.permissions, permission, "permissions")


def _history(source: RunSource, files: SourceFiles, clock: Clock) -> git_history.GitHistory | None:
    if source.repository is not None:
        return git_history.read_history(source.repository, source.base, clock, "git")
    own = _own_repository(source, files)
    if own is None or (own / ".git").is_symlink() or not (own / ".git").is_dir():
        return None  # a file there may point to another repository
    return git_history.read_history(own, source.base, clock, "git") if git_history.is_repository(own) else None


def _run_repository(source: RunSource, files: SourceFiles) -> Repository | None:
    if source.repository is not None:
        return read_repository(source.repository, "")
    own = _own_repository(source, files)
    return read_repository(own, "repo") if own is not None else None


def _own_repository(source: RunSource, files: SourceFiles) -> Path | None:
    own = source.path / "repo"
    if not own.is_dir():
        return None
    if not files.inside(own):
        files.warn("repo: not read, because it is a link that leads out of the results folder; use --repo and --base")
        return None
    return own


def _run_diff(folder: Path, named: Path | None, files: SourceFiles, of_tasks: Sequence[Diff | None]) -> Diff | None:
    file = named or folder / "git-diff.patch"
    if named and not is_file(named):
        raise UserError(f"{named}: missing; --diff names a patch file")
    if is_file(file):
        return patch.parse(files.lines(file, file.name), file.name)
    known = [diff for diff in of_tasks if diff is not None]
    return patch.join(known) if known else None


def _commits_in_log(folder: Path, files: SourceFiles, clock: Clock) -> tuple[Commit, ...]:
    file = folder / "git-log.txt"
    return log_text.parse(files.lines(file, file.name), file.name, clock) if is_file(file) else ()


def _test_runs(totals: Sequence[TestSuiteRun], conversations: Iterable[Conversation]) -> tuple[TestSuiteRun, ...]:
    seen = [run for conversation in conversations for run in conversation.test_runs]
    seen.sort(key=lambda run: (run.moment.ms is not None, run.moment.ms or 0))
    return (*totals, *seen)[-500:]


def _edits(conversations: Iterable[Conversation]) -> tuple[FileEdits, ...]:
    found: dict[str, FileEdits] = {}
    for conversation in conversations:
        for path, edit in conversation.edits.items():
            known = found.get(path)
            found[path] = replace(known, count=known.count + edit.count) if known else edit
    return tuple(found[path] for path in sorted(found))[:5_000]


def _sessions(conversations: Iterable[Conversation]) -> tuple[AgentSession, ...]:
    return tuple(session for conversation in conversations for session in conversation.sessions.values())[:5_000]


def _join_counters(counters: Iterable[OccurrenceCounter]) -> Occurrences:
    total = OccurrenceCounter()
    for counter in counters:
        total.count += counter.count
        total.moments += counter.moments[: Occurrences.SAMPLE - len(total.moments)]
    return total.occurrences()
