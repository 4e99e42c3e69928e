"""Codex CLI: rollouts of its sessions (`rollout-*.jsonl`) and the output of `codex exec --json`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from nerv.readers.agents.codex_scripts import ScriptCall, add_calls, calls_in, running_cell
from nerv.readers.agents.transcript import (
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    subjects,
    text,
    text_of,
)
from nerv.readers.event_fields import whole_number

KIND = "codex"

_SHELLS, _POWERSHELLS = ("bash", "sh", "zsh"), ("pwsh", "powershell")
_SCRIPT_OPTIONS = ("-c", "-lc", "-command")
_STARTS_SHELL = re.compile(rf"\"?(?:[^\"\s]*[\\/])?(?:{'|'.join(_SHELLS + _POWERSHELLS)})(?:\.exe)?\"?\s", re.I)

_COMMIT = re.compile(r"(?!0+$)[0-9a-f]{7,64}")

_TYPES = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
_EXITED = re.compile(r"Process exited with code (-?\d+)|[Ee]xit code: (-?\d+)")
_OUTPUT = re.compile(r"\A.*?\nOutput:\n", re.S)


def recognises(record: Mapping[str, Any]) -> bool:
    """Return whether a line is one of Codex's."""
    if record.get("type") in _TYPES and isinstance(record.get("payload"), Mapping):
        return True
    return record.get("type") == "thread.started" and "thread_id" in record


def read(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a rollout, or a recorded `codex exec --json`."""
    builder = TranscriptBuilder()
    reader = _Reader(builder)
    for number, record in records:
        builder.at(number, record.get("timestamp"))
        if isinstance(record.get("payload"), Mapping):
            reader.take(text(record.get("type")), mapping(record["payload"]))
        else:
            reader.take_exec(record)
    reader.finish()
    is_rollout = any("payload" in record for _, record in records)  # `exec` tells nothing of compactions
    known = subjects(tokens=builder.has_tokens, compactions=is_rollout, time=builder.has_times)
    return Transcript(
        kind=KIND,
        lines=builder.lines,
        known=known,
        base_commit=reader.base_commit,
        permissions_bypassed=reader.permissions_bypassed,
    )


class _Reader:
    def __init__(self, builder: TranscriptBuilder) -> None:
        self.permissions_bypassed = False
        self.base_commit = ""
        self._builder = builder
        self._model = ""
        self._answer = ""
        self._total: Mapping[str, Any] = {}
        self._patches: dict[str, str] = {}
        self._scripts: dict[str, list[ScriptCall]] = {}
        """The calls of scripts whose result is still to come, by the id of their call."""
        self._commands: dict[str, str] = {}
        """Commands whose result is still to come, by the id of their call."""
        self._running: dict[str, str] = {}
        """The call that started each process which is still running, by the number of its session."""
        self._outputs: dict[str, str] = {}
        self._compactions = {"compacted": 0, "context_compacted": 0}

    def take(self, kind: str, payload: Mapping[str, Any]) -> None:
        what = payload.get("type")
        if kind == "session_meta":
            self._builder.session = text(payload.get("id")) or self._builder.session
            self._builder.folder = text(payload.get("cwd"))
            commit = text(mapping(payload.get("git")).get("commit_hash"))
            self.base_commit = self.base_commit or (commit if _COMMIT.fullmatch(commit) else "")
        elif kind == "turn_context":
            self._model = text(payload.get("model")) or self._model
            sandbox = mapping(payload.get("sandbox_policy"))
            off = (sandbox.get("type") or sandbox.get("mode")) == "danger-full-access"
            self.permissions_bypassed = self.permissions_bypassed or (off and payload.get("approval_policy") == "never")
        elif what == "user_message":
            self._builder.prompt(text(payload.get("message")))
        elif what == "agent_message" and kind == "event_msg":
            self._add_answer(text(payload.get("message")))
        elif what == "message" and kind == "response_item" and payload.get("role") == "assistant":
            self._add_answer(text_of(payload.get("content")))
        elif what == "token_count":
            self._add_tokens_once(mapping(payload.get("info")))
        elif kind == "compacted" or what == "context_compacted":
            self._add_compaction("compacted" if kind == "compacted" else "context_compacted")
        elif what == "turn_aborted":
            self._builder.interruption()
        elif what in ("error", "stream_error") and kind == "event_msg":
            self._builder.ending("error", text(payload.get("message")))
        elif what in ("function_call", "custom_tool_call", "local_shell_call"):
            self._add_call(payload)
        elif what in ("function_call_output", "custom_tool_call_output"):
            self._add_output(text(payload.get("call_id")), payload.get("output"))
        elif what == "web_search_call":
            searched = mapping(payload.get("action"))
            self._builder.fetch(text(searched.get("url")) or text(searched.get("query")), "")
        elif what == "exec_command_end":
            self._end_command(payload)

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

    def take_exec(self, record: Mapping[str, Any]) -> None:
        """Take a line of `codex exec --json`."""
        item = mapping(record.get("item"))
        if record.get("type") == "turn.completed":
            self._add_tokens(mapping(record.get("usage")))
        if record.get("type") in ("turn.failed", "error"):
            words = text(mapping(record.get("error")).get("message")) or text(record.get("message"))
            self._builder.ending("turn_limit" if "limit" in words else "error", words)
        if record.get("type") != "item.completed":
            return
        what = item.get("type") or item.get("item_type")
        if what in ("agent_message", "assistant_message"):
            self._builder.answer(text(item.get("text")))
        elif what == "command_execution":
            output, exit_code = text(item.get("aggregated_output")), whole_number(item.get("exit_code"))
            self._builder.command(_as_command(item.get("command")), output, exit_code=exit_code)
        elif what == "file_change":
            failed = item.get("status") == "failed"
            for change in mappings(item.get("changes")):
                self._builder.edit(text(change.get("path")), failed=failed)
        elif what == "web_search":
            self._builder.fetch(text(item.get("query")), "")
        elif what == "mcp_tool_call":
            shown = text_of(mapping(item.get("result")).get("content")) or text(
                mapping(item.get("error")).get("message")
            )
            name = f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}"
            self._builder.call(name, mapping(item.get("arguments")))
            self._builder.returned(shown, failed=item.get("status") == "failed")

    def finish(self) -> None:
        """Add the commands whose result never came."""
        for command in self._commands.values():
            self._builder.call("Bash", {"command": command})
        for calls in self._scripts.values():
            for call in calls:
                self._builder.call("Bash", {"command": call.command or "apply_patch"})

    def _add_call(self, payload: Mapping[str, Any]) -> None:
        id_, name = text(payload.get("call_id")), text(payload.get("name"))
        if (server := text(payload.get("namespace"))).startswith("mcp__"):
            name = f"{server}__{name}"
        given = payload.get("arguments", payload.get("input", payload.get("action")))
        if name == "apply_patch":
            self._patches[id_] = _patch_text(given)
            return
        if name == "exec" and (calls := calls_in(text(given))):
            self._scripts[id_] = calls
            return
        arguments = _decoded(given)
        command = _as_command(arguments.get("cmd", arguments.get("command")))
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
                add_calls(self._builder, self._scripts.pop(script), output)
            return
        shown = text_of(output)
        content = shown
        if shown.startswith("{"):
            found = _decoded(shown)
            content = text(found.get("output")) or shown
            code = whole_number(mapping(found.get("metadata")).get("exit_code"))
        else:
            match = _EXITED.search(shown[:2_000])
            code = int(match[1] or match[2]) if match else None
        if id_ in self._patches:
            failed = bool(code) or "verification failed" in shown[:500] or "Failed" in shown[:200]
            self._builder.apply_patch(self._patches.pop(id_), failed=failed, output=shown[:2_000])
        elif id_ in self._commands:
            running = re.search(r"Process running with session ID (\d+)", shown[:2_000])
            if running:
                self._running[running[1]] = id_
            else:
                self._builder.command(self._commands.pop(id_), _OUTPUT.sub("", content), exit_code=code)
        elif self._running.get(id_) in self._running:
            self._poll(self._running[self._running[id_]], content, code)
        else:
            self._builder.returned(content, failed=bool(code), id_=id_)

    def _poll(self, started_by: str, content: str, code: int | None) -> None:
        """Take what a process printed since; with its exit code, it has ended."""
        if started_by not in self._commands:
            return
        self._outputs[started_by] = self._outputs.get(started_by, "") + _OUTPUT.sub("", content)
        if code is not None:
            output = self._outputs.pop(started_by)
            self._builder.command(self._commands.pop(started_by), output, exit_code=code)

    def _end_command(self, payload: Mapping[str, Any]) -> None:
        id_ = text(payload.get("call_id"))
        if id_ in self._commands:
            output, code = text(payload.get("aggregated_output")), whole_number(payload.get("exit_code"))
            self._builder.command(self._commands.pop(id_), output, exit_code=code)

    def _add_tokens_once(self, info: Mapping[str, Any]) -> None:
        """Add the tokens of the latest answer; news of rate limits repeat them, with the same total."""
        total = mapping(info.get("total_token_usage"))
        if not total or total != self._total:
            self._add_tokens(mapping(info.get("last_token_usage")))
        self._total = total

    def _add_tokens(self, usage: Mapping[str, Any]) -> None:
        sent, received = whole_number(usage.get("input_tokens")), whole_number(usage.get("output_tokens"))
        if sent is None or received is None:
            return
        cached = whole_number(usage.get("cached_input_tokens")) or 0
        tokens = {"input_tokens": max(0, sent - cached), "output_tokens": received, "cache_read_input_tokens": cached}
        self._builder.answer("", model=self._model, usage=tokens)


def _as_command(value: object) -> str:
    """Return a command as text; of `["bash", "-lc", "…"]` and of PowerShell's `-Command` the script."""
    words = [word for word in (value if isinstance(value, list) else _words(text(value))) if isinstance(word, str)]
    shell = re.split(r"[\\/]", words[0])[-1].lower().removesuffix(".exe") if words else ""
    options = [index for index, word in enumerate(words) if word.lower() in _SCRIPT_OPTIONS]
    script = words[options[0] + 1 :] if options else []
    if shell in _POWERSHELLS and script:
        return " ".join(script)
    if shell in _SHELLS and options == [1] and len(script) == 1:
        return script[0]
    return value if isinstance(value, str) else shlex.join(words)


def _words(command: str) -> list[str]:
    """Return the words of a command that starts a shell; nothing where it starts none, or a quote is not closed."""
    try:
        return shlex.split(command) if _STARTS_SHELL.match(command) else []
    except ValueError:
        return []


def _decoded(value: object) -> Mapping[str, Any]:
    if not isinstance(value, str):
        return mapping(value)
    try:
        return mapping(msgspec.json.decode(value))
    except (msgspec.DecodeError, RecursionError):
        return {}


def _patch_text(value: object) -> str:
    decoded = _decoded(value)
    return text(decoded.get("input")) or text(decoded.get("patch")) or text(value)
