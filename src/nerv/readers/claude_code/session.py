"""Reader for Claude Code: a session's `*.jsonl` with its subagents' files, or a recorded stream-json or JSON array.

These sources record tokens, tools, edits, test runs, compactions and time. They do not record cycles, tasks,
worktrees, reviews and merges, which only nerv has, nor granted permissions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from forgetest.errors import UserError
from nerv.actions import Actions
from nerv.changes import Diff, Repository
from nerv.evidence import Activity, Changes, Configuration, Evidence, Incidents, Resources, Subject, Workflow
from nerv.location import Location, Moment
from nerv.readers.action_recorder import LONGEST_TEXT
from nerv.readers.claude_code.background_commands import BackgroundCommand
from nerv.readers.claude_code.conversation import Conversation
from nerv.readers.claude_code.session_lines import session_lines
from nerv.readers.claude_code.session_records import session_records
from nerv.readers.claude_code.session_spec import spec_from_prompts
from nerv.readers.claude_code.shell_edits import is_scratch, shell_edits
from nerv.readers.clock import Clock
from nerv.readers.git import git_history, patch
from nerv.readers.git.files import read_repository
from nerv.readers.git.uncommitted import uncommitted_diff
from nerv.readers.source_files import RunSource, SourceFiles, is_file
from nerv.spec import Spec, markdown

_KNOWN: frozenset[Subject] = frozenset({"compactions", "tools", "tests", "tokens", "time"})
_STREAM_TYPES = ("system", "assistant", "user", "result", "stream_event")
_LOOKED_AT = 50


def is_session_log(file: Path) -> bool:
    """Return whether the first lines of a file are Claude Code's."""
    if not is_file(file):
        return False
    try:
        for number, line in session_records(file, file.name, SourceFiles()):
            if isinstance(line.get("type"), str) and (
                "sessionId" in line or "session_id" in line or "leafUuid" in line
            ):
                return True
            if number >= _LOOKED_AT:
                break
    except (OSError, UserError):
        return False
    return False


def read(source: RunSource) -> Evidence:
    """Read a session."""
    files, clock, conversation = SourceFiles(), Clock(), Conversation()
    main = source.path
    kind, lines, latest = "claude-code", 0, None
    subagents: dict[str, Conversation] = {}
    for found in session_lines(main, files):
        line = found.fields
        moment = Moment(
            location=Location(file=found.file, line=found.number), ms=clock.since_start(timestamp=line.get("timestamp"))
        )
        if found.file != main.name:
            subagent = subagents.get(found.file) or Conversation.for_subagent(conversation)
            subagents[found.file] = subagent
            subagent.take(line, moment, subagent=True)
        elif isinstance(line.get("type"), str):
            lines += 1
            kind = "stream-json" if "session_id" in line and line["type"] in _STREAM_TYPES else kind
            conversation.take(line, moment)
            latest = max(latest or 0, moment.ms) if moment.ms is not None else latest
    if not lines:
        noted = f" ({files.warnings[0]})" if files.warnings else ""
        raise UserError(
            f"{main}: contains no usable line; each line of a Claude Code log is an object with `type`{noted}"
        )
    if set(conversation.line_types) == {"result"}:
        raise UserError(
            f"{main}: holds the result of a run without its calls; record the run with `--output-format stream-json` "
            "(Claude Code wants `--verbose` as well), or name the session that the agent kept"
        )
    return build_evidence(
        ConversationSource(
            source=source,
            files=files,
            clock=clock,
            kind=kind,
            known=_KNOWN | ({"cost"} if kind == "stream-json" else set()),
            latest_ms=latest,
        ),
        conversation,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSource:
    """The source of a conversation that has been read."""

    source: RunSource
    files: SourceFiles
    clock: Clock
    kind: str
    known: frozenset[Subject]
    """Subjects that logs of this kind know."""
    latest_ms: int | None
    diff: Diff | None = None
    """The patch that the log itself holds."""
    has_permission_system: bool = True
    records_ending: bool = True
    base_commit: str = ""
    """The commit at which the run began, where the log names it."""


def build_evidence(read_from: ConversationSource, conversation: Conversation) -> Evidence:
    """Return the evidence of a conversation, with what the user named beside it: spec, repository, patch."""
    source, files, latest = read_from.source, read_from.files, read_from.latest_ms
    spec = _session_spec(source, files, conversation)
    history = None
    if source.repository is not None:
        history = git_history.read_history(source.repository, source.base, read_from.clock, "git")
    diff = _result_diff(read_from, conversation, history)
    # a rebuilt diff lacks what commands such as `sed -i` changed
    whole = None if diff is not None and diff is conversation.files.latest_diff else diff
    for edit in shell_edits(conversation.shell_commands, whole, list(conversation.edits), conversation.folder):
        conversation.edits.setdefault(edit.path, edit)
    actions = _without_results(conversation.actions.actions(), conversation.background.unshown())
    accepted = any(run.acceptance for run in conversation.test_runs)
    edited = any(
        not is_scratch(path, conversation.folder) and not conversation.files.is_undone(path)
        for path in conversation.edits
    )
    changed = edited or (diff is not None and bool(diff.files)) or accepted
    return Evidence(
        kind=read_from.kind,
        nothing_to_grade="" if changed or source.repository else "the session changed no file.",
        recorded=_recorded_subjects(read_from, conversation, diff),
        spec=spec,
        configuration=Configuration(
            has_permission_system=read_from.has_permission_system,
            permissions_bypassed=conversation.permission_mode == "bypassPermissions",
            model=next(iter(conversation.models), ""),
        ),
        workflow=Workflow(
            merges=history.merges if history else (),
            permissions=tuple(conversation.permissions),
        ),
        activity=Activity(
            sessions=tuple(conversation.sessions.values()),
            edits=tuple(conversation.edits[path] for path in sorted(conversation.edits)),
            test_runs=tuple(conversation.test_runs),
            tool_calls=conversation.tool_calls.occurrences(),
            actions=actions if read_from.records_ending else replace(actions, ending=None),
        ),
        incidents=Incidents(
            tool_errors=conversation.tool_errors.occurrences(),
            interruptions=conversation.interruptions.occurrences(),
        ),
        resources=Resources(
            usage=conversation.usage,
            usage_over_time=conversation.usage_over_time,
            compactions=conversation.compactions.occurrences(),
            compactions_counted=True,
            duration_ms=latest if latest is not None else conversation.reported_ms,
            working_ms=conversation.working_ms if latest is not None else conversation.reported_ms,
        ),
        changes=Changes(
            commits=history.commits if history else tuple(conversation.commits),
            base_commit=history.base if history else read_from.base_commit,
            head_commit=history.head if history else "",
            other_commits=history.other_commits if history else (),
            diff=diff,
            repository=_session_repository(source),
        ),
        event_counts=dict(conversation.line_types),
        inputs=dict(sorted(files.inputs.items())),
        warnings=tuple(files.warnings),
    )


def _recorded_subjects(
    read_from: ConversationSource, conversation: Conversation, diff: Diff | None
) -> frozenset[Subject]:
    """Return the subjects that a log knows, and those of the diff and repository that the user named."""
    found = set(read_from.known)
    if conversation.usage.cost_usd is not None:
        found.add("cost")  # a session's log has no prices: known only for models on the list
    if diff is not None:
        found.add("diff")
    if read_from.source.repository is not None:
        found |= {"commits", "repository"}
    return frozenset(found)


def _session_spec(source: RunSource, files: SourceFiles, conversation: Conversation) -> Spec:
    if source.spec is not None:
        try:
            content = source.spec.read_bytes()
        except OSError as error:
            raise UserError(f"{source.spec}: cannot be read: {error.strerror}") from error
        files.inputs[str(source.spec)] = files.digest(content)
        spec = markdown.parse(content.decode("utf-8", "replace"), source.spec.name)
    else:
        corrections = {one.moment.location for one in conversation.actions.actions().corrections}
        spec = spec_from_prompts(conversation.prompts, corrections, source.path.name)
    if not spec.items:
        # the request may stand in a line that could not be read
        noted = f" ({files.warnings[0]})" if files.warnings else ""
        if source.spec is not None:
            raise UserError(
                f"{source.spec}: nothing in it is a requirement; write what was asked for as a list or in sentences"
            )
        raise UserError(f"{source.path}: contains no request; name the spec with --spec FILE{noted}")
    return spec


def _without_results(actions: Actions, unshown: list[BackgroundCommand]) -> Actions:
    """Mark the commands in the background of whose result the log shows nothing."""
    known = {(each.moment, each.command[:LONGEST_TEXT]) for each in unshown}
    commands = (replace(each, shown=False) if (each.moment, each.text) in known else each for each in actions.commands)
    return replace(actions, commands=tuple(commands)) if known else actions


def _session_diff(source: RunSource, files: SourceFiles) -> Diff | None:
    """Return the given patch, or else the one next to the session with its name."""
    if source.diff is not None:
        return patch.parse(files.lines(source.diff, source.diff.name), source.diff.name)
    stem = source.path.stem
    patches = sorted(
        file
        for pattern in (f"{stem}.diff", f"{stem}.patch", f"{stem}_*.diff", f"{stem}_*.patch")
        for file in source.path.parent.glob(_literal(pattern))
    )
    return patch.parse(files.lines(patches[0], patches[0].name), patches[0].name) if patches else None


def _result_diff(
    read_from: ConversationSource, conversation: Conversation, history: git_history.GitHistory | None
) -> Diff | None:
    """Return the patch that the user names, else the repository's commits, else what the log or the folder shows."""
    source = read_from.source
    if source.diff is not None and history is not None:
        return _session_diff(source, read_from.files)
    if history is not None and history.diff.files:
        return history.diff
    in_log = read_from.diff or _session_diff(source, read_from.files) or _rebuilt_diff(conversation)
    if in_log is not None or history is None:
        return in_log
    named = source.repository
    return (uncommitted_diff(named, history.base) if named is not None else None) or history.diff


def _rebuilt_diff(conversation: Conversation) -> Diff | None:
    """Return the diff that the session's own edits make; None if it edited nothing."""
    rebuilt = conversation.files.diff(conversation.folder)
    return rebuilt if rebuilt.files else None


def _literal(pattern: str) -> str:
    """Escape what glob would interpret in the file's stem; only our own star is a wildcard."""
    head, star, tail = pattern.rpartition("_*")
    stem = (head if star else pattern).replace("[", "[[]").replace("?", "[?]")
    return f"{stem}{star}{tail}" if star else stem


def _session_repository(source: RunSource) -> Repository | None:
    return read_repository(source.repository, "") if source.repository is not None else None
