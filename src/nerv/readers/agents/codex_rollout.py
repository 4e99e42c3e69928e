"""The lines of one of Codex's rollouts, turned into a transcript.

Rollouts hold most things twice: as items that the model sees (`response_item`), and as events for the user
(`event_msg`), which are `item_completed` in the newest form. Each is taken once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nerv.readers.agents.codex_calls import add_server_call, arguments_of, command_text, patch_text, usage_of
from nerv.readers.agents.codex_scripts import ScriptCall, add_calls, add_completed, calls_in, running_cell
from nerv.readers.agents.transcript import TranscriptBuilder, mapping, text, text_of
from nerv.readers.event_fields import whole_number

_COMMIT = re.compile(r"(?!0+$)[0-9a-f]{7,64}")
_EXITED = re.compile(r"Process exited with code (-?\d+)|[Ee]xit code: (-?\d+)")
_OUTPUT = re.compile(r"\A.*?\nOutput:\n", re.S)
_RUNNING = re.compile(r"Process running with session ID (\d+)")
_FOLDER = re.compile(r"<cwd>([^<\n]+)</cwd>|^Current working directory: (.+)$", re.M)
_NOT_TYPED = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|collaboration_mode|apps_instructions|skill|turn_aborted"
    r"|subagent_notification|user_shell_command|recommended_plugins|codex_internal_context|hook_prompt|INSTRUCTIONS)\b"
    r"|# AGENTS\.md instructions|You are `/root)"
)
"""What Codex itself says to the model in the name of the user."""


class RolloutReader:
    """Adds the lines of a rollout to a transcript."""

    def __init__(self, builder: TranscriptBuilder) -> None:
        self.permissions_bypassed = False
        self.base_commit = ""
        self.prompts_are_events = True
        """False: only what was sent to the model shows what was asked."""
        self._builder = builder
        self._model = ""
        self._answer = ""
        self._total: Mapping[str, Any] = {}
        self._calls: set[str] = set()
        """The ids of all calls: what has another id was called by a script."""
        self._patches: dict[str, str] = {}
        self._scripts: dict[str, list[ScriptCall]] = {}
        """The calls of scripts whose result is still to come, by the id of their call."""
        self._completed: list[Mapping[str, Any]] = []
        """Commands and patches of a script whose result is still to come."""
        self._commands: dict[str, str] = {}
        """Commands whose result is still to come, by the id of their call."""
        self._exit_codes: dict[str, int] = {}
        """Exit codes that are known before the output."""
        self._running: dict[str, str] = {}
        """The call that started each process which is still running, by the number of its session."""
        self._outputs: dict[str, str] = {}
        self._compactions = {"compacted": 0, "context_compacted": 0}

    def take(self, number: int, record: Mapping[str, Any]) -> None:
        """Take the next line."""
        self._builder.at(number, record.get("timestamp"))
        kind, payload = record.get("type"), mapping(record.get("payload"))
        if kind == "session_meta":
            self._take_header(payload)
        elif kind == "turn_context":
            self._model = text(payload.get("model")) or self._model
            sandbox = mapping(payload.get("sandbox_policy"))
            off = (sandbox.get("type") or sandbox.get("mode")) == "danger-full-access"
            self.permissions_bypassed = self.permissions_bypassed or (off and payload.get("approval_policy") == "never")
        elif kind == "compacted":
            self._add_compaction("compacted")
        elif kind == "event_msg":
            self._take_event(text(payload.get("type")), payload)
        elif kind == "response_item":
            self._take_item(text(payload.get("type")), payload)

    def finish(self) -> None:
        """Add the commands whose result never came, with what is known of those that were still running."""
        add_completed(self._builder, self._completed, "")
        left = [] if self._completed else [call for calls in self._scripts.values() for call in calls]
        running = {started_by: session for session, started_by in self._running.items()}
        for id_ in [id_ for id_ in self._commands if id_ in running]:
            self._builder.still_running(self._commands.pop(id_), running[id_], self._outputs.pop(id_, ""))
        self._builder.unanswered([*self._commands.values(), *(call.command or "apply_patch" for call in left)])

    def _take_header(self, payload: Mapping[str, Any]) -> None:
        self._builder.session = text(payload.get("id")) or self._builder.session
        self._builder.folder = text(payload.get("cwd"))
        commit = text(mapping(payload.get("git")).get("commit_hash"))
        self.base_commit = self.base_commit or (commit if _COMMIT.fullmatch(commit) else "")

    def _take_event(self, what: str, payload: Mapping[str, Any]) -> None:
        if what == "user_message":
            self._builder.prompt(text(payload.get("message")))
        elif what == "agent_message":
            self._add_answer(text(payload.get("message")))
        elif what == "item_completed":
            self._take_completed(mapping(payload.get("item")))
        elif what == "token_count":
            self._add_tokens_once(mapping(payload.get("info")))
        elif what == "context_compacted":
            self._add_compaction("context_compacted")
        elif what == "thread_rolled_back":
            self._builder.take_back(whole_number(payload.get("num_turns")) or 0)
        elif what == "turn_aborted":
            self._builder.interruption()
        elif what in ("error", "stream_error"):
            self._builder.ending("error", text(payload.get("message")))
        elif what == "exec_command_end":
            self._end_command(text(payload.get("call_id")), payload)

    def _take_item(self, what: str, payload: Mapping[str, Any]) -> None:
        if what == "message" and payload.get("role") == "assistant":
            self._add_answer(text_of(payload.get("content")))
        elif what == "message" and payload.get("role") == "user":
            self._take_sent(text_of(payload.get("content")))
        elif what in ("function_call", "custom_tool_call", "local_shell_call"):
            self._add_call(payload)
        elif what in ("function_call_output", "custom_tool_call_output"):
            self._add_output(text(payload.get("call_id")), payload.get("output"))
        elif what == "web_search_call":
            searched = mapping(payload.get("action"))
            self._builder.fetch(text(searched.get("url")) or text(searched.get("query")), "")

    def _take_sent(self, words: str) -> None:
        """Take what was sent to the model in the name of the user: the folder, and requests where no event has them."""
        if not self._builder.folder and (match := _FOLDER.search(words)):
            self._builder.folder = (match[1] or match[2]).strip()
        if not self.prompts_are_events and not _NOT_TYPED.match(words):
            self._builder.prompt(words)

    def _take_completed(self, item: Mapping[str, Any]) -> None:
        """Take an item of the newest form: what a script did is known from nowhere else for certain."""
        what, id_ = item.get("type"), text(item.get("id"))
        if what == "UserMessage":
            self._builder.prompt(text_of(item.get("content")))
        elif what == "AgentMessage":
            self._add_answer(text_of(item.get("content")))
        elif what == "ContextCompaction":
            self._add_compaction("context_compacted")
        elif what == "CommandExecution" and id_ in self._commands:
            self._end_command(id_, item)
        elif id_ in self._calls:
            return
        elif what in ("CommandExecution", "FileChange"):
            self._completed.append(item)
        elif what == "McpToolCall":
            add_server_call(self._builder, item)
        elif what == "Extension" and item.get("kind") == "web.search":
            self._builder.fetch(text(item.get("query")), "")

    def _add_compaction(self, form: str) -> None:
        """Add a compaction once: newer rollouts have a line and an event for it, older ones the line alone."""
        known = max(self._compactions.values())
        self._compactions[form] += 1
        if self._compactions[form] > known:
            self._builder.compaction()

    def _add_answer(self, words: str) -> None:
        """Add an answer once: rollouts hold most of them as an event and as an item."""
        if words != self._answer:
            self._builder.answer(words, model=self._model)
        self._answer = words

    def _add_call(self, payload: Mapping[str, Any]) -> None:
        id_, name = text(payload.get("call_id")) or text(payload.get("id")), text(payload.get("name"))
        self._calls.add(id_)
        if (server := text(payload.get("namespace"))).startswith("mcp__"):
            name = f"{server}__{name}"
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        if name == "apply_patch":
            self._patches[id_] = patch_text(given)
            return
        if name == "exec" and isinstance(given, str):
            self._scripts[id_] = calls_in(given)
            return
        arguments = arguments_of(given)
        command = command_text(arguments.get("cmd", arguments.get("command")))
        if command.startswith("apply_patch") or "*** Begin Patch" in command:
            self._patches[id_] = command
        elif name in ("write_stdin", "wait"):
            self._running[id_] = str(arguments.get("session_id", arguments.get("cell_id")))
        elif command:
            self._commands[id_] = command
        else:
            self._builder.call(name, arguments, id_=id_)

    def _add_output(self, id_: str, output: object) -> None:
        script = id_ if id_ in self._scripts else self._running.get(self._running.get(id_, ""), "")
        if script in self._scripts:
            if cell := running_cell(output):
                self._running[cell] = script
            else:
                self._end_script(self._scripts.pop(script), output)
            return
        shown = text_of(output)
        content = shown
        if shown.startswith("{"):
            found = arguments_of(shown)
            content = text(found.get("output")) or shown
            code = whole_number(mapping(found.get("metadata")).get("exit_code"))
        else:
            match = _EXITED.search(shown[:2_000])
            code = int(match[1] or match[2]) if match else None
        if id_ in self._patches:
            failed = bool(code) or "verification failed" in shown[:500] or "Failed" in shown[:200]
            self._builder.apply_patch(self._patches.pop(id_), failed=failed, output=shown[:2_000])
        elif id_ in self._commands:
            if running := _RUNNING.search(shown[:2_000]):
                self._running[running[1]] = id_
                self._outputs[id_] = _OUTPUT.sub("", content)
            else:
                known = self._exit_codes.pop(id_, code)
                self._builder.command(self._commands.pop(id_), _OUTPUT.sub("", content), exit_code=known)
        elif self._running.get(id_) in self._running:
            self._poll(self._running[self._running[id_]], content, code)
        else:
            self._builder.returned(content, failed=bool(code), id_=id_)

    def _end_script(self, calls: list[ScriptCall], output: object) -> None:
        """Add what a script did: by the items of its calls, or else by its text."""
        if self._completed:
            add_completed(self._builder, self._completed, output)
            self._completed = []
        elif calls:
            add_calls(self._builder, calls, output)
        else:
            self._builder.call("exec", {})
            self._builder.returned(text_of(output))

    def _poll(self, started_by: str, content: str, code: int | None) -> None:
        """Take what a process printed since; with its exit code, it has ended."""
        if started_by not in self._commands:
            return
        self._outputs[started_by] = self._outputs.get(started_by, "") + _OUTPUT.sub("", content)
        if code is not None:
            output = self._outputs.pop(started_by)
            self._builder.command(self._commands.pop(started_by), output, exit_code=code)

    def _end_command(self, id_: str, ended: Mapping[str, Any]) -> None:
        """Take the end of a command; where it does not hold the output, that is still to come."""
        if id_ not in self._commands:
            return
        output, code = text(ended.get("aggregated_output")), whole_number(ended.get("exit_code"))
        if output:
            self._builder.command(self._commands.pop(id_), output, exit_code=code)
        elif code is not None:
            self._exit_codes[id_] = code

    def _add_tokens_once(self, info: Mapping[str, Any]) -> None:
        """Add the tokens of the latest answer; news of rate limits repeat them, with the same total."""
        total = mapping(info.get("total_token_usage"))
        if not total or total != self._total:
            usage = usage_of(mapping(info.get("last_token_usage")))
            if usage:
                self._builder.answer("", model=self._model, usage=usage)
        self._total = total
