"""What `codex exec --json` wrote before its items: the settings, the prompt, and Codex's events (`{"id", "msg"}`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerv.readers.agents.codex_calls import add_server_call, command_text, patch_of_changes, usage_of
from nerv.readers.agents.transcript import Transcript, TranscriptBuilder, mapping, subjects, text
from nerv.readers.event_fields import whole_number


def is_line(record: Mapping[str, Any]) -> bool:
    """Return whether a record is one of Codex's events."""
    return "id" in record and "type" in mapping(record.get("msg"))


def read(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a recorded run."""
    builder = TranscriptBuilder()
    model = ""
    begun: dict[str, Mapping[str, Any]] = {}
    for number, record in records:
        builder.at(number)
        message = mapping(record.get("msg"))
        if message:
            _take(builder, message, begun, model)
        elif isinstance(prompt := record.get("prompt"), str):
            builder.prompt(prompt)
        elif "workdir" in record:
            model, builder.folder = text(record.get("model")), text(record.get("workdir"))
    builder.unanswered(command_text(message["command"]) for message in begun.values() if "command" in message)
    return Transcript(kind="codex", lines=builder.lines, known=subjects(tokens=builder.has_tokens))


def _take(
    builder: TranscriptBuilder, message: Mapping[str, Any], begun: dict[str, Mapping[str, Any]], model: str
) -> None:
    what, id_ = message.get("type"), text(message.get("call_id"))
    if what in ("exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin"):
        begun[id_] = message
    elif what == "exec_command_end":
        output = text(message.get("aggregated_output")) or text(message.get("stdout")) + text(message.get("stderr"))
        command = command_text(begun.pop(id_, message).get("command"))
        builder.command(command, output, exit_code=whole_number(message.get("exit_code")))
    elif what == "patch_apply_end":
        patch = patch_of_changes(mapping(begun.pop(id_, {}).get("changes")))
        builder.apply_patch(patch, failed=message.get("success") is False, output=text(message.get("stdout")))
    elif what == "mcp_tool_call_end":
        invoked = mapping(message.get("invocation")) or mapping(begun.pop(id_, {}).get("invocation"))
        result = mapping(message.get("result"))
        failed = {"status": "failed"} if "Err" in result else {}
        add_server_call(builder, {**invoked, "result": result.get("Ok"), **failed})
    elif what == "agent_message":
        builder.answer(text(message.get("message")), model=model)
    elif what == "user_message":
        builder.prompt(text(message.get("message")))
    elif what == "token_count":
        usage = usage_of(mapping(mapping(message.get("info")).get("last_token_usage")) or message)
        if usage:
            builder.answer("", model=model, usage=usage)
    elif what == "turn_aborted":
        builder.interruption()
    elif what == "error":
        builder.ending("error", text(message.get("message")))
