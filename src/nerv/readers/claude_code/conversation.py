"""A conversation with Claude, read message by message from a log or stream: tool calls, edits, test runs, usage."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nerv.evidence import AgentSession, Commit, FileEdits, Permission, TestSuiteRun, TokenUsage, UsagePoint
from nerv.location import Moment
from nerv.readers.action_recorder import ActionRecorder
from nerv.readers.claude_code.background_commands import BackgroundCommand, BackgroundCommands
from nerv.readers.claude_code.endings import ending_of_result, exit_code_of, is_denial, is_rejection, rejection_reason
from nerv.readers.claude_code.log_paths import portable_command, portable_path
from nerv.readers.claude_code.rebuilt_files import RebuiltFiles, edit_of
from nerv.readers.claude_code.saved_test_output import SavedTestOutput
from nerv.readers.claude_code.shell_edits import ShellCommand, may_write
from nerv.readers.claude_code.spending import Spending, usage_from_api
from nerv.readers.claude_code.test_runs import hook_run, suite_run
from nerv.readers.claude_code.tool_calls import ToolCall, commits_in, tool_call
from nerv.readers.event_fields import amount, whole_number
from nerv.readers.prompt_words import typed_text
from nerv.readers.run_record import MOST, OccurrenceCounter

_MOST_TEST_RUNS = 500
_MOST_MOMENTS = 200
_MOST_EDITS = 5_000
_MOST_PENDING = 10_000
_MOST_PROMPTS = 500
_RECENT_ANSWERS = 256
_MOST_LINES = 100_000
_MOST_COMMANDS, _LONGEST_COMMAND = 5_000, 2_000
_INTERRUPTED = "[Request interrupted by user"


@dataclass(slots=True)
class Prompt:
    """Text typed by the user."""

    text: str
    moment: Moment


@dataclass(slots=True)
class Conversation:
    """Mutable record of a conversation."""

    task_id: str | None = None
    tool_calls: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    tool_errors: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    compactions: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    interruptions: OccurrenceCounter = field(default_factory=OccurrenceCounter)
    test_runs: deque[TestSuiteRun] = field(default_factory=lambda: deque(maxlen=_MOST_TEST_RUNS))
    saved_output: SavedTestOutput = field(default_factory=SavedTestOutput)
    background: BackgroundCommands = field(default_factory=BackgroundCommands)
    edits: dict[str, FileEdits] = field(default_factory=dict)
    files: RebuiltFiles = field(default_factory=RebuiltFiles)
    shell_commands: list[ShellCommand] = field(default_factory=list)
    """Successful commands that may have changed files; the first 5,000."""
    folder: str = ""
    """The folder in which the session began."""
    actions: ActionRecorder = field(default_factory=ActionRecorder)
    commits: list[Commit] = field(default_factory=list)
    permissions: list[Permission] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    sessions: dict[str, AgentSession] = field(default_factory=dict)
    spending: Spending = field(default_factory=Spending)
    models: dict[str, None] = field(default_factory=dict)
    working_ms: int = 0
    reported_ms: int | None = None
    """The sum of the durations in `result` lines."""
    permission_mode: str = ""
    line_types: dict[str, int] = field(default_factory=dict)
    denied: dict[tuple[str, str], int] = field(default_factory=dict)
    """Denied calls (tool and request), with their index in `permissions`."""
    _pending: OrderedDict[str, ToolCall] = field(default_factory=OrderedDict)
    _answers: OrderedDict[str, TokenUsage] = field(default_factory=OrderedDict)
    _prompts_until: OrderedDict[str, int] = field(default_factory=OrderedDict)
    """The number of prompts up to each line, by its id."""
    _begun_by: object = ""
    """The session whose first prompt was read."""
    _last_ms: int | None = None
    _boundary: bool = False
    _rejected: bool = False
    """The latest line is a rejection, which Claude Code also records as an interruption."""

    PAUSE_MS = 5 * 60 * 1000
    """Longer pauses are not working time: the user was away."""

    def take(self, line: Mapping[str, Any], moment: Moment, *, subagent: bool = False) -> None:
        """Record the next line of a log or stream."""
        self._tick(moment)
        kind = line.get("type")
        if isinstance(kind, str) and (kind in self.line_types or len(self.line_types) < 200):
            self.line_types[kind[:100]] = self.line_types.get(kind[:100], 0) + 1
        if isinstance(mode := line.get("permissionMode"), str):
            self.permission_mode = mode
        if not self.folder and isinstance(folder := line.get("cwd"), str):
            self.folder = portable_path(folder[:1_000])
        uuid = line.get("uuid")
        if isinstance(uuid, str):
            if uuid in self._prompts_until:
                return  # a session that was resumed may hold its lines twice
            self._prompts_until[uuid] = len(self.prompts)
        if kind == "system":
            self._system(line, moment)
        elif kind == "result":
            self._result(line, moment)
        elif kind == "attachment" and not subagent and isinstance(attached := line.get("attachment"), Mapping):
            self._queued_prompt(line, attached, moment)
        message = line.get("message")
        if isinstance(message, Mapping) and kind in ("assistant", "user"):
            sidechain = subagent or line.get("isSidechain") is True or bool(line.get("parent_tool_use_id"))
            self._note_session(line, message, moment, sidechain)
            if kind == "assistant":
                self._add_usage(line, message, moment)
            self._content(line, message.get("content"), kind, moment, sidechain)
        if isinstance(uuid, str):
            self._prompts_until[uuid] = len(self.prompts)
            if len(self._prompts_until) > _MOST_LINES:
                self._prompts_until.popitem(last=False)

    @classmethod
    def for_subagent(cls, main: Conversation) -> Conversation:
        """Return a record for a subagent that adds to the main one but has its own pauses and pending calls."""
        shared = {name: getattr(main, name) for name in cls.__slots__ if not name.startswith("_")}
        return cls(**{**shared, "working_ms": 0})

    @property
    def usage(self) -> TokenUsage:
        """Usage of the whole conversation."""
        return self.spending.usage()

    @property
    def usage_over_time(self) -> tuple[UsagePoint, ...]:
        """Spending over time."""
        return self.spending.points()

    def _tick(self, moment: Moment) -> None:
        if moment.ms is None:
            return
        if self._last_ms is not None and 0 < moment.ms - self._last_ms <= self.PAUSE_MS:
            self.working_ms += moment.ms - self._last_ms
        self._last_ms = moment.ms if self._last_ms is None else max(moment.ms, self._last_ms)

    def _system(self, line: Mapping[str, Any], moment: Moment) -> None:
        if line.get("subtype") == "compact_boundary":
            self.compactions.add(moment)
            self._boundary = True
        elif line.get("subtype") == "init":
            self._note_session(line, {"model": line.get("model")}, moment, False)
        elif isinstance(content := line.get("content"), str):
            run = hook_run(content, moment, self.task_id)
            if run is not None:
                self.test_runs.append(run)

    def _queued_prompt(self, line: Mapping[str, Any], attached: Mapping[str, Any], moment: Moment) -> None:
        """Take what the user typed while the agent was at work."""
        if attached.get("type") == "queued_command" and (text := _result_text(attached.get("prompt"))):
            self._add_prompt(line, text, moment)

    def _result(self, line: Mapping[str, Any], moment: Moment) -> None:
        nested = line.get("result")
        fields = nested if isinstance(nested, Mapping) else line
        cost = amount(line.get("total_cost_usd"))
        if cost is None:
            cost = amount(fields.get("cost_usd"))
        duration = whole_number(fields.get("duration_ms"))
        if duration is not None:
            self.reported_ms = (self.reported_ms or 0) + max(0, duration)
        usage = fields.get("usage")
        self.spending.reported(cost, usage_from_api(usage) if isinstance(usage, Mapping) else None)
        if (ending := ending_of_result(line)) is not None:
            kind, text = ending
            if kind == "answered":
                self.actions.said(text, moment)
            self.actions.ended(kind, moment, "" if kind == "answered" else text)

    def _note_session(
        self, line: Mapping[str, Any], message: Mapping[str, Any], moment: Moment, sidechain: bool
    ) -> None:
        found = (
            line.get("agentId") if sidechain and line.get("agentId") else line.get("sessionId", line.get("session_id"))
        )
        session_id = found if isinstance(found, str) else ""
        model = message.get("model") if isinstance(message.get("model"), str) else ""
        assert isinstance(model, str)
        if model and not model.startswith("<") and len(self.models) < 100:
            self.models[model] = None
        known = self.sessions.get(session_id)
        if known is None and len(self.sessions) >= _MOST_EDITS:
            return
        self.sessions[session_id] = AgentSession(
            id=session_id,
            location=known.location if known else moment.location,
            model=(known.model if known else "") or model,
            started=known.started if known else moment,
            ended=moment,
            subagent=known.subagent if known else sidechain,
        )

    def _add_usage(self, line: Mapping[str, Any], message: Mapping[str, Any], moment: Moment) -> None:
        """Add usage; every line of a streamed answer has it, so each answer counts once, with its last figures."""
        usage = message.get("usage")
        if not isinstance(usage, Mapping):
            return
        model = message.get("model")
        found = usage_from_api(usage, cost=amount(line.get("costUSD")))
        key = f"{message.get('id')}:{line.get('requestId')}" if message.get("id") else ""
        earlier = self._answers.pop(key, None) if key else None
        self.spending.add(found, earlier, model if isinstance(model, str) else "", moment)
        if key:
            self._answers[key] = found
            if len(self._answers) > _RECENT_ANSWERS:
                self._answers.popitem(last=False)

    def _content(self, line: Mapping[str, Any], content: object, kind: object, moment: Moment, sidechain: bool) -> None:
        if line.get("isCompactSummary") is True:
            if not self._boundary:
                self.compactions.add(moment)
            self._boundary = False
            return
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, Mapping):
                continue
            if block.get("type") == "tool_use":
                self._add_tool_call(block, moment)
                if not sidechain:
                    self.actions.work(moment)
            elif block.get("type") == "tool_result":
                self._add_tool_result(block, line, moment)
                if not sidechain and not self._rejected:
                    self.actions.work(moment)
            elif block.get("type") == "text" and not sidechain and isinstance(block.get("text"), str):
                if kind == "user":
                    self._add_prompt(line, block["text"], moment)
                elif line.get("isApiErrorMessage") is True:
                    self.actions.ended("error", moment, block["text"])
                else:
                    self.actions.said(block["text"], moment)

    def _add_prompt(self, line: Mapping[str, Any], text: str, moment: Moment) -> None:
        if text.startswith(_INTERRUPTED):
            if not self._rejected:
                self.interruptions.add(moment)
            self._rejected = False
            self.actions.interrupted(moment, text)
            return
        self.background.mention(text)
        if (ended := self.background.notify(text)) is not None:
            self._add_background_run(ended)
        typed = typed_text(text) if line.get("isMeta") is not True else ""
        if typed:
            del self.prompts[self._kept_prompts(line) :]
        if typed and len(self.prompts) < _MOST_PROMPTS:
            self.prompts.append(Prompt(text=typed[:20_000], moment=moment))
        if typed:
            self._rejected = False
            self.actions.prompt(typed, moment)

    def _kept_prompts(self, line: Mapping[str, Any]) -> int:
        """Return how many prompts remain: one that follows an earlier line than the latest takes back those since."""
        parent = line.get("parentUuid", "")
        if parent is not None:
            return self._prompts_until.get(str(parent), _MOST_PROMPTS)
        again, self._begun_by = self._begun_by == line.get("sessionId"), line.get("sessionId")
        return 0 if again else _MOST_PROMPTS  # the first prompt has no parent, and no other has none

    def _add_tool_call(self, block: Mapping[str, Any], moment: Moment) -> None:
        self.tool_calls.add(moment)
        self._rejected = False
        call = tool_call(block, moment)
        if isinstance(block.get("id"), str):
            self._pending[block["id"]] = call
            if len(self._pending) > _MOST_PENDING:
                self._pending.popitem(last=False)

    def _add_tool_result(self, block: Mapping[str, Any], line: Mapping[str, Any], moment: Moment) -> None:
        call = self._pending.pop(str(block.get("tool_use_id")), None)
        output = _result_text(block.get("content"))
        failed = block.get("is_error") is True
        was_rejected, self._rejected = self._rejected, is_rejection(output)
        if self._rejected:
            if not was_rejected:  # one answer of the user rejects all calls that were asked for together
                self.interruptions.add(moment)
            self.actions.interrupted(moment, rejection_reason(output))
            self._add_refusal(call, moment)
            return
        self.background.mention(output)
        if failed:
            self.tool_errors.add(moment)
        if failed and is_denial(output):
            self._add_refusal(call, moment)
            return
        if call is None:
            return
        self.note_tool_use(call.tool, call.request, call.moment)
        recorded = line.get("toolUseResult", line.get("tool_use_result"))
        result = recorded if isinstance(recorded, Mapping) else {}
        if call.path and not failed:
            self._add_edit(call)
            for edit in edit_of(call.path, call.given, result, output, call.moment.location):
                self.files.take(edit)
        if call.command and (file := self.background.start(call.command, output, result, call.moment)) is not None:
            self.saved_output.remember(file, call.command)
            self.add_command(call.command, "", True, call.moment, unknown=True)
        elif call.task and (ended := self.background.show(call.task, output)) is not None:
            self._add_background_run(ended)
        elif call.command:
            exit_code = exit_code_of(block, output)
            unknown = block.get("is_error", False) is None
            self.add_command(call.command, output, not failed, call.moment, exit_code=exit_code, unknown=unknown)
        elif call.read and not failed:
            self.actions.read(call.read, call.moment)
            if (shown := self.background.read(call.read, output)) is not None:
                self._add_background_run(shown)
        elif call.fetched and not failed:
            self.actions.fetch(call.fetched, output, call.moment)

    def add_command(
        self,
        command: str,
        output: str,
        succeeded: bool,
        moment: Moment,
        *,
        exit_code: int | None = None,
        unknown: bool = False,
    ) -> None:
        """Record a shell command and its output; `unknown`: the log does not say whether it succeeded."""
        failed = None if unknown else not succeeded
        self.actions.command(command, output, moment, exit_code=exit_code, failed=failed)
        if succeeded and len(self.shell_commands) < _MOST_COMMANDS and may_write(command):
            self.shell_commands.append((command[:_LONGEST_COMMAND], moment))
        if succeeded:
            self.files.take_command(command, self.folder, moment.location)
        shown = self.saved_output.shown_by(command)  # with the counts that its own command does not show
        self.background.look(command, shown)
        self._add_test_run(shown or command, output, None if shown else failed, moment)
        self.commits += list(commits_in(command, output, moment))[: MOST - len(self.commits)]

    def _add_test_run(self, command: str, output: str, failed: bool | None, moment: Moment) -> None:
        portable = portable_command(command, self.folder)
        run = suite_run(portable, output, failed=failed, moment=moment, task_id=self.task_id, edited=self.edits)
        if run is not None:
            self.test_runs.append(run)

    def _add_background_run(self, ended: BackgroundCommand) -> None:
        failed = None if ended.exit_code is None else ended.exit_code != 0
        self._add_test_run(ended.command, ended.output, failed, ended.moment)

    def note_tool_use(self, tool: str, request: str, moment: Moment) -> None:
        """Record a successful tool call, and whether it had been denied before."""
        index = self.denied.get((tool, request))
        if index is not None and self.permissions[index].used_after_denial is None:
            self.permissions[index] = replace(self.permissions[index], used_after_denial=moment)

    def _add_refusal(self, call: ToolCall | None, moment: Moment) -> None:
        if len(self.permissions) >= MOST:
            return
        if call:
            self.denied.setdefault((call.tool, call.request), len(self.permissions))
        self.permissions.append(
            Permission(
                tool=call.tool if call else "",
                request=call.request if call else "",
                task_id=self.task_id,
                asked=call.moment if call else None,
                decided=moment,
                decision="denied",
            )
        )

    def _add_edit(self, call: ToolCall) -> None:
        known = self.edits.get(call.path)
        if known:
            moments = (*known.moments, call.moment) if len(known.moments) < _MOST_MOMENTS else known.moments
            self.edits[call.path] = replace(known, count=known.count + 1, moments=moments)
        elif len(self.edits) < _MOST_EDITS:
            self.edits[call.path] = FileEdits(path=call.path, count=1, first=call.moment, moments=(call.moment,))


def _result_text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else ()
    return "\n".join(
        block["text"] for block in blocks if isinstance(block, Mapping) and isinstance(block.get("text"), str)
    )
