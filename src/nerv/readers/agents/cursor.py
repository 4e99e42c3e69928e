"""Cursor: the output of `cursor-agent --print --output-format stream-json`, and its agents' transcripts.

The stream resembles Claude Code's, but its calls are lines of their own (`type: tool_call`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from nerv.readers.agents.transcript import (
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    subjects,
    task_in,
    text,
    text_of,
)
from nerv.readers.event_fields import whole_number

KIND = "cursor"

_WRITES = ("Write", "StrReplace", "EditNotebook")
_REDACTED = "[REDACTED]"
"""What a transcript has instead of the agent's thoughts."""
_EDITORS = ("editToolCall", "writeToolCall", "applyPatchToolCall")


def recognises(record: Mapping[str, Any]) -> bool:
    """Return whether a line is one of Cursor's and of nobody else's."""
    if record.get("type") in ("tool_call", "thinking") and "session_id" in record:
        return True
    if record.get("type") == "system" and "apiKeySource" in record and "tools" not in record:
        return True
    # a transcript: role and message, without a type
    return "type" not in record and record.get("role") in ("user", "assistant") and "message" in record


def read(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a stream or a transcript."""
    builder = TranscriptBuilder()
    duration, model, counts_tokens = None, "", False
    is_transcript = "type" not in records[0][1] if records else False
    for number, record in records:
        stamp = record.get("timestamp_ms")
        builder.at(number, stamp if isinstance(stamp, int) else None)
        builder.session = text(record.get("session_id")) or builder.session
        kind = record.get("type") or record.get("role")
        content = mapping(record.get("message")).get("content")
        if kind == "user":
            builder.prompt(task_in(text_of(content)))
        elif kind == "assistant":
            said = text_of(content).replace(_REDACTED, "").strip() if is_transcript else text_of(content)
            if said or not is_transcript:
                builder.answer(said, model=model)
            for block in mappings(content):
                if block.get("type") == "tool_use":
                    _add_unanswered(builder, text(block.get("name")), block.get("input"))
        elif kind == "turn_ended" and record.get("status") not in (None, "success", "completed"):
            builder.exit_status(text(record.get("status")))
        elif kind == "tool_call" and record.get("subtype") == "completed":
            for name, call in mapping(record.get("tool_call")).items():
                if name == "function":
                    builder.call(text(mapping(call).get("name")), _decoded(mapping(call).get("arguments")))
                    builder.returned("")
                elif isinstance(call, Mapping) and ("args" in call or "result" in call):
                    _add_call(builder, name, call)
        elif kind == "system":
            model = text(record.get("model")) or model
            builder.folder = text(record.get("cwd")) or builder.folder
        elif kind == "result":
            duration = whole_number(record.get("duration_ms"))
            usage = _usage(mapping(record.get("usage")))
            counts_tokens = counts_tokens or usage is not None
            builder.totals(duration_ms=duration, usage=usage)
            if record.get("is_error") is True:
                builder.ending("error", text(record.get("result")) or text(record.get("subtype")))
    known = subjects(tokens=counts_tokens, time=builder.has_times or duration is not None)
    known -= {"tests"} if is_transcript else set()  # it holds no results of calls
    return Transcript(kind=KIND, lines=builder.lines, known=known)


def _add_unanswered(builder: TranscriptBuilder, name: str, given: object) -> None:
    """Add a call of a transcript. It holds no results: an edit counts as made, how a command ended is not known."""
    arguments = mapping(given)
    path = text(arguments.get("path")) or text(arguments.get("target_notebook"))
    patch = text(given) or text(arguments.get("patch")) or text(arguments.get("input"))
    if name == "Shell":
        builder.command(text(arguments.get("command")), "", exit_code=None)
    elif "*** Begin Patch" in patch:
        builder.apply_patch(patch, failed=False, output="")
    elif name in _WRITES and path:
        builder.edit(path, given=arguments)
    elif name == "Delete" and path:
        builder.apply_patch(f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch", failed=False, output="")
    elif name == "Read" and path:
        builder.read(path)
    else:
        builder.call(name, arguments)


def _add_call(builder: TranscriptBuilder, name: str, call: Mapping[str, Any]) -> None:
    arguments, result = mapping(call.get("args")), mapping(call.get("result"))
    success, failure = mapping(result.get("success")), mapping(result.get("failure") or result.get("error"))
    failed = bool(failure) or "rejected" in result
    shown = success or failure
    if "rejected" in result:
        builder.interruption()
    if name == "shellToolCall" and result.get("isBackground") is True:
        builder.background_command(
            text(arguments.get("command")), text(arguments.get("toolCallId")).split("\n")[0] or "1"
        )
    elif name == "shellToolCall":
        exit_code = whole_number(shown.get("exitCode"))
        output = "\n".join(filter(None, (text(shown.get("stdout")), text(shown.get("stderr")))))
        builder.command(
            text(arguments.get("command")), output, exit_code=exit_code if exit_code is not None else int(failed)
        )
    elif name == "deleteToolCall" and isinstance(path := arguments.get("path"), str):
        builder.apply_patch(f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch", failed=failed, output="")
    elif name in _EDITORS and isinstance(arguments.get("path"), str):
        _add_edit(builder, arguments, success, failed)
    elif name == "mcpToolCall":
        tool = f"mcp__{text(arguments.get('providerIdentifier'))}__{text(arguments.get('toolName'))}"
        builder.call(tool, mapping(arguments.get("args")))
        builder.returned(_mcp_output(success), failed=failed)
    else:
        _add_steps_of_subagent(builder, success)
        builder.call(name.removesuffix("ToolCall"), {key: arguments[key] for key in list(arguments)[:20]})
        builder.returned("", failed=failed)


def _add_steps_of_subagent(builder: TranscriptBuilder, success: Mapping[str, Any]) -> None:
    """Add the calls of a subagent, which stand in the result of the call that started it."""
    outer, builder.sidechain = builder.sidechain, True
    for step in mappings(success.get("conversationSteps")):
        for name, call in mapping(step.get("toolCall")).items():
            if isinstance(call, Mapping):
                _add_call(builder, name, call)
    builder.sidechain = outer


def _add_edit(
    builder: TranscriptBuilder, arguments: Mapping[str, Any], success: Mapping[str, Any], failed: bool
) -> None:
    """Add an edit, by the whole file before and after it, else by the lines of the diff that Cursor shows."""
    before, after = success.get("beforeFullFileContent"), success.get("afterFullFileContent", arguments.get("fileText"))
    shown = [line for line in text(success.get("diffString")).split("\n") if line[:1] in ("+", "-", " ")]
    is_new = all(line == "-" or line.startswith("+") for line in shown)
    path = str(arguments["path"])
    if not isinstance(before, str) and shown and not is_new:
        old = "\n".join(line[1:] for line in shown if not line.startswith("+"))
        new = "\n".join(line[1:] for line in shown if not line.startswith("-"))
        builder.edit(path, failed=failed, given={"old_string": old, "new_string": new})
        return
    given = {**arguments, "content": after} if isinstance(after, str) else arguments
    created = not isinstance(before, str) and bool(shown)
    builder.edit(path, failed=failed, given=given, before=before if isinstance(before, str) else None, created=created)


def _mcp_output(success: Mapping[str, Any]) -> str:
    blocks = [block.get("text") for block in mappings(success.get("content"))]
    return "\n".join(text(mapping(block).get("text")) or text(block) for block in blocks)


def _decoded(arguments: object) -> Mapping[str, Any]:
    try:
        return mapping(msgspec.json.decode(arguments)) if isinstance(arguments, str) else mapping(arguments)
    except (msgspec.DecodeError, RecursionError):
        return {}


def _usage(found: Mapping[str, Any]) -> dict[str, int] | None:
    sent, received = whole_number(found.get("inputTokens")), whole_number(found.get("outputTokens"))
    if sent is None or received is None:
        return None
    return {
        "input_tokens": sent,
        "output_tokens": received,
        "cache_read_input_tokens": whole_number(found.get("cacheReadTokens")) or 0,
        "cache_creation_input_tokens": whole_number(found.get("cacheWriteTokens")) or 0,
    }
