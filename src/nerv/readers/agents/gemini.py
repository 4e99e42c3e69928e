"""Gemini CLI: the sessions below `~/.gemini/tmp/HASH/chats/`, as one JSON object or as JSON lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

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

KIND = "gemini-cli"

_EDITORS = ("write_file", "replace", "edit")


_LABEL = re.compile(r"^(?:Output|Stdout|Stderr): ", re.M)
"""Before the first line of what a command printed."""


def recognises(document: object) -> bool:
    """Return whether it is a session, or the first line of one."""
    found = mapping(document)
    return "sessionId" in found and "projectHash" in found


def read(document: Mapping[str, Any]) -> Transcript:
    """Read a session that is one object."""
    return _read(text(document.get("sessionId")), list(enumerate(mappings(document.get("messages")), 1)))


def read_lines(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a session that is JSON lines. A message that was written again counts as last written."""
    session = text(records[0][1].get("sessionId")) if records else ""
    latest: dict[object, tuple[int, Mapping[str, Any]]] = {}
    for number, record in records:
        if "type" in record:
            latest[text(record.get("id")) or number] = (number, record)
    return _read(session, list(latest.values()))


def _read(session: str, messages: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    builder = TranscriptBuilder(session=session or "session")
    for number, message in messages:
        builder.at(number, message.get("timestamp"))
        if message.get("type") == "user":
            builder.prompt(text_of(message.get("content")))
        elif message.get("type") == "gemini":
            builder.answer(
                text_of(message.get("content")),
                model=text(message.get("model")),
                usage=_usage(mapping(message.get("tokens"))),
            )
            for call in mappings(message.get("toolCalls")):
                _add_call(builder, call)
        elif message.get("type") == "error":
            builder.ending("error", text_of(message.get("content")))
        elif message.get("type") == "info" and "cancelled" in text_of(message.get("content")):
            builder.interruption()
    return Transcript(kind=KIND, lines=builder.lines, known=subjects(tokens=builder.has_tokens, time=True))


def _add_call(builder: TranscriptBuilder, call: Mapping[str, Any]) -> None:
    name, arguments = text(call.get("name")), mapping(call.get("args"))
    output = "\n".join(_response_text(result) for result in mappings(call.get("result")))
    if call.get("status") == "cancelled":
        builder.interruption()
        return
    failed = call.get("status") == "error" or ("\nExit Code: " in output and "\nExit Code: 0" not in output)
    if name in _EDITORS and isinstance(arguments.get("file_path"), str):
        builder.edit(str(arguments["file_path"]), failed=failed, output=output, given=arguments)
    elif name == "run_shell_command":
        shown = _LABEL.sub("", output)
        builder.command(text(arguments.get("command")), shown, exit_code=_exit_code(output, failed))
    else:
        builder.call(name, arguments)
        builder.returned(output, failed=failed)


def _exit_code(output: str, failed: bool) -> int:
    """Return the exit code: the tool writes it out only where it is not 0."""
    match = re.search(r"^Exit Code: (-?\d+)", output, re.M)
    return int(match[1]) if match else int(failed)


def _response_text(result: Mapping[str, Any]) -> str:
    response = mapping(mapping(result.get("functionResponse")).get("response"))
    return text(response.get("output")) or text(response.get("error"))


def _usage(tokens: Mapping[str, Any]) -> dict[str, int] | None:
    sent, received = whole_number(tokens.get("input")), whole_number(tokens.get("output"))
    if sent is None or received is None:
        return None
    cached = whole_number(tokens.get("cached")) or 0
    thoughts = whole_number(tokens.get("thoughts")) or 0
    return {
        "input_tokens": max(0, sent - cached),
        "output_tokens": received + thoughts,
        "cache_read_input_tokens": cached,
    }
