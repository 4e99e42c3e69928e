"""The log of an agent other than Claude Code → Evidence."""

from __future__ import annotations

from dataclasses import replace

from nerv.changes import Diff
from nerv.evidence import Evidence, FileEdits
from nerv.location import Location, Moment
from nerv.readers import agents
from nerv.readers.agents import AgentLog
from nerv.readers.agents.subagents import lines_in_order
from nerv.readers.claude_code import session
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.claude_code.shell_edits import shell_edits
from nerv.readers.clock import Clock
from nerv.readers.git import patch
from nerv.readers.source_files import RunSource, SourceFiles


def read(source: RunSource, log: AgentLog) -> Evidence:
    """Read the log of an agent."""
    files, clock, conversation = SourceFiles(), Clock(), Conversation()
    transcript = agents.read(log, files)
    for warning in transcript.warnings:
        files.warn(f"{log.file.name}: {warning}")
    name, latest = log.file.name, None
    subagents: dict[str, Conversation] = {}
    for found in lines_in_order(transcript, name):
        location = Location(file=found.file, line=found.place)
        moment = Moment(location=location, ms=clock.since_start(timestamp=found.fields.get("timestamp")))
        if found.file != name:
            subagent = subagents.setdefault(found.file, Conversation.for_subagent(conversation))
            subagent.take(found.fields, moment, subagent=True)
            continue
        conversation.take(found.fields, moment)
        latest = max(latest or 0, moment.ms) if moment.ms is not None else latest
    end = Moment(location=Location(file=name, line=transcript.lines[-1][0] if transcript.lines else 1), ms=latest)
    if transcript.benchmark_tests is not None:
        conversation.test_runs.append(transcript.benchmark_tests.run(end))
    if transcript.permissions_bypassed:
        conversation.permission_mode = "bypassPermissions"
    diff = None
    if transcript.diff and source.diff is None:
        numbered = enumerate(transcript.diff.replace("\r\n", "\n").encode().split(b"\n"), 1)
        diff = patch.parse(numbered, name)
        _add_edits(conversation, diff, end)
    conversation_source = session.ConversationSource(
        source=replace(source, path=log.file),
        files=files,
        clock=clock,
        kind=transcript.kind,
        known=transcript.known,
        latest_ms=latest,
        diff=diff,
        has_permission_system=transcript.permissions_bypassed,
        records_ending=transcript.records_ending,
        base_commit=transcript.base_commit,
    )
    return session.build_evidence(conversation_source, conversation)


def _add_edits(conversation: Conversation, diff: Diff, moment: Moment) -> None:
    """Count the files of the diff as edited, by the shell or by unknown means: then at the end, which is not exact."""
    for edit in shell_edits(conversation.shell_commands, diff, list(conversation.edits)):
        conversation.edits.setdefault(edit.path, edit)
    for change in diff.files:
        if not any(path.endswith(change.path) for path in conversation.edits):
            conversation.edits[change.path] = FileEdits(
                path=change.path, count=1, first=moment, moments=(moment,), exact=False
            )
