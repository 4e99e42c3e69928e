"""nerv's results folder, in all its variants → Evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import msgspec

from forgetest.errors import UserError
from nerv.changes import Diff, Repository
from nerv.evidence import AgentSession, Commit, Evidence, FileEdits, Subject, TestRun, TokenUsage, UsagePoint
from nerv.location import Location, Moment, Occurrences
from nerv.readers import EVENT_LOG
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.clock import Clock
from nerv.readers.event_fields import decoder, event_of
from nerv.readers.git import git_history, log_text, patch
from nerv.readers.git.files import read_repository
from nerv.readers.nerv_folder.events import EventCollector
from nerv.readers.nerv_folder.permissions import mark_used_after_denial
from nerv.readers.nerv_folder.run_records import add_timeline, join_merges
from nerv.readers.nerv_folder.side_files import SideFiles
from nerv.readers.run_record import OccurrenceCounter, RunRecord
from nerv.readers.source_files import RunSource, SourceFiles, is_file
from nerv.spec import Spec, markdown

SPEC = "spec.md"
RECORDED: frozenset[Subject] = frozenset(get_args(Subject))
"""nerv's own results can know all of it; what a folder lacks is evidence that is lacking."""

_OBJECT = msgspec.json.Decoder(dict[str, Any])


def read(source: RunSource) -> Evidence:
    """Read a results folder. Raises UserError where a required file is missing or holds nothing usable."""
    folder, files, clock = source.path, SourceFiles(root=source.path), Clock()
    log = folder / EVENT_LOG
    if not is_file(log):
        raise UserError(f"{log}: missing; a results folder has its events there")
    spec = read_spec(source, files)
    record = RunRecord()
    collector = EventCollector(record, len(spec.items))
    for number, line in files.records(log, EVENT_LOG, decoder):
        event = event_of(line, number, EVENT_LOG, clock)
        if event:
            collector.take(event)
    if not record.event_counts:
        raise UserError(f"{log}: no usable event in it; each line must be an object with `event` and a time")
    timeline = _timeline(folder, files, clock, len(spec.items))
    if timeline:
        add_timeline(record, timeline)
    if any(permission.decision == "denied" and permission.request for permission in record.permissions):
        _find_uses(log, record, clock)
    beside = SideFiles(folder, files, record, clock)
    beside.read()
    main = Conversation()
    _read_stream(folder, files, clock, main)
    return _build_evidence(source, files, clock, spec, record, beside, main)


def read_spec(source: RunSource, files: SourceFiles) -> Spec:
    """The spec that was named, else the folder's own, with what the folder's own has ticked off."""
    own = files.content(source.path / SPEC, SPEC)
    if source.spec is None:
        if own is None:
            raise UserError(f"{source.path / SPEC}: missing; name the spec with --spec FILE")
        return _usable(markdown.parse(own.decode("utf-8", "replace"), SPEC), str(source.path / SPEC))
    named = source.spec.name
    try:
        content = source.spec.read_bytes()
    except OSError as error:
        raise UserError(f"{source.spec}: cannot be read: {error.strerror}") from error
    files.inputs[str(source.spec)] = files.digest(content)
    spec = _usable(markdown.parse(content.decode("utf-8", "replace"), named), str(source.spec))
    return markdown.with_ticks_of(spec, markdown.parse(own.decode("utf-8", "replace"), SPEC)) if own else spec


def _usable(spec: Spec, name: str) -> Spec:
    if not spec.items:
        raise UserError(f"{name}: asks for nothing; a spec lists what is to be built")
    return spec


def _timeline(folder: Path, files: SourceFiles, clock: Clock, spec_items: int) -> RunRecord | None:
    """timeline.jsonl: the same run, told again, often with more."""
    file = folder / "timeline.jsonl"
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
    """A second look at the log, once it is known what was refused."""
    for number, line in SourceFiles().records(log, EVENT_LOG, decoder):
        if line.event == "tool_call" and line.success is not False and isinstance(line.tool, str):
            event = event_of(line, number, EVENT_LOG, clock)
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
    beside: SideFiles,
    main: Conversation,
) -> Evidence:
    conversations = [*beside.conversations, main]
    for conversation in conversations:
        _add_conversation_counts(record, conversation)
    tasks = tuple(task.task() for task in record.tasks.values())
    history = _history(source, files, clock)
    repository = _run_repository(source, files)
    diff = history.diff if history else _run_diff(source.path, source.diff, files, [task.diff for task in tasks])
    merges = join_merges(record.merges, history.merges if history else (), record.worktrees, record.tasks)
    for noun, count in record.overflow.items():
        files.warn(f"{count} more {noun} than are kept one by one; they are in no rule but the counts")
    return Evidence(
        kind="nerv",
        recorded=RECORDED,
        spec=spec,
        configuration=beside.configuration,
        cycles=tuple(record.cycles[number].cycle() for number in sorted(record.cycles)),
        completion=tuple(record.completion),
        audits=tuple(record.audits),
        tasks=tasks,
        reviews=tuple(record.reviews),
        merges=merges,
        worktrees=tuple(record.worktrees),
        permissions=tuple(record.permissions),
        commits=history.commits if history else _commits_in_log(source.path, files, clock),
        test_runs=_test_runs(beside.test_runs, conversations),
        edits=_edits(conversations),
        sessions=_sessions(conversations),
        compactions=record.compactions.occurrences(),
        compactions_counted=record.compactions_counted
        or main.usage.tokens is not None
        or _every_task_counts_compactions(record),
        tool_calls=record.tool_calls.occurrences(),
        tool_errors=record.tool_errors.occurrences(),
        task_errors=record.task_errors.occurrences(),
        task_timeouts=record.task_timeouts.occurrences(),
        loops=record.loops.occurrences(),
        phase_errors=record.phase_errors.occurrences(),
        interruptions=_join_counters(conversation.interruptions for conversation in conversations),
        usage=_total_usage(beside.usage, [task.usage for task in tasks], main.usage),
        usage_over_time=main.usage_over_time or _usage_over_time(tasks),
        duration_ms=_duration(record.earliest_ms, record.latest_ms),
        working_ms=_working_time(tasks, _duration(record.earliest_ms, record.latest_ms)),
        diff=diff,
        repository=repository,
        first_lines=record.first_lines,
        event_counts=record.event_counts,
        inputs=dict(sorted(files.inputs.items())),
        warnings=tuple(files.warnings),
    )


def _every_task_counts_compactions(record: RunRecord) -> bool:
    """Whether every finished task's own files count its compactions."""
    finished = [task for task in record.tasks.values() if task.status == "completed"]
    return bool(finished) and all(task.compactions_counted for task in finished)


def _add_conversation_counts(record: RunRecord, conversation: Conversation) -> None:
    """A conversation tells of the same compactions and errors as the log; the larger count holds."""
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
        return None  # a file there may name somebody else's repository
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
        files.warn("repo: a link that leads out of the results folder, not read; name it with --repo and --base")
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


def _test_runs(totals: Sequence[TestRun], conversations: Iterable[Conversation]) -> tuple[TestRun, ...]:
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


def _total_usage(summary: TokenUsage, tasks: Sequence[TokenUsage], stream: TokenUsage) -> TokenUsage:
    """The largest of what the summary, the tasks together and the stream say: spending is not forgotten by one."""
    summed = _sum_usages(tasks)
    candidates = (summary, summed, stream)
    leading = max(candidates, key=lambda usage: usage.tokens or -1)
    costs = [usage for usage in candidates if usage.cost_usd is not None]
    dearest = max(costs, key=lambda usage: usage.cost_usd or 0.0, default=TokenUsage())
    return replace(
        leading,
        cost_usd=dearest.cost_usd,
        cost_is_estimated=dearest.cost_is_estimated,
        location=leading.location or dearest.location,
    )


def _sum_usages(usages: Sequence[TokenUsage]) -> TokenUsage:
    def total(values: Iterable[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    costs = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    return TokenUsage(
        input_tokens=total(usage.input_tokens for usage in usages),
        output_tokens=total(usage.output_tokens for usage in usages),
        cache_read_tokens=total(usage.cache_read_tokens for usage in usages),
        cache_write_tokens=total(usage.cache_write_tokens for usage in usages),
        cost_usd=sum(costs) if costs else None,
        cost_is_estimated=any(usage.cost_is_estimated for usage in usages),
    )


def _usage_over_time(tasks: Sequence[Any]) -> tuple[UsagePoint, ...]:
    """What had been spent by the end of each task."""
    ended = sorted(
        ((task.ended.ms, task.usage) for task in tasks if task.ended and task.ended.ms is not None),
        key=lambda pair: pair[0],
    )
    points: list[UsagePoint] = []
    tokens: int | None = None
    cost: float | None = None
    for ms, usage in ended:
        tokens = tokens if usage.tokens is None else (tokens or 0) + usage.tokens
        cost = cost if usage.cost_usd is None else (cost or 0.0) + usage.cost_usd
        if tokens is not None or cost is not None:
            points.append(UsagePoint(ms=ms, tokens=tokens, cost_usd=cost))
    return tuple(points[:: max(1, len(points) // 500)])


def _duration(earliest: int | None, latest: int | None) -> int | None:
    return None if earliest is None or latest is None else latest - earliest


def _working_time(tasks: Sequence[Any], duration: int | None) -> int | None:
    """The union of the tasks' spans; where they have none, the whole duration."""
    spans = sorted(
        (task.started.ms, task.ended.ms)
        for task in tasks
        if task.started and task.ended and task.started.ms is not None and task.ended.ms is not None
    )
    if not spans:
        metered = [task.working_ms for task in tasks if task.working_ms is not None]
        return sum(metered) if metered else duration
    total, reached = 0, spans[0][0]
    for begin, end in spans:
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total
