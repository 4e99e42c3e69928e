"""Gemini CLI: the sessions below `~/.gemini/tmp/HASH/chats/`, as one JSON object or as JSON lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from nerv.readers.agents.gemini_records import replay
from nerv.readers.agents.transcript import (
    Subagent,
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    subjects,
    text,
    text_of,
)
from nerv.readers.event_fields import whole_number
from nerv.readers.source_files import SourceFiles

KIND = "gemini-cli"

_EDITORS = ("write_file", "replace", "edit")
_MOST_SUBAGENTS = 200
_ID = re.compile(r"\w[\w.-]{0,99}")
_RECORD = msgspec.json.Decoder(dict[str, Any])
_SUMMARY = "<state_snapshot>"
"""Begins what stands for the conversation so far after it was compressed."""
_CONTEXT = "<session_context>"
"""Begins what Gemini CLI tells the model about the machine and the folder."""
_REFERENCES = re.compile(r"^--- Content from referenced files ---$", re.M)
"""Before the text of the files that a prompt refers to by `@`."""
_MOVED = re.compile(r"Command moved to background \(PID: (\d+)\)")
_LABEL = re.compile(r"^(?:Output|Stdout|Stderr): ", re.M)
"""Before the first line of what a command printed."""


def recognises(document: object) -> bool:
    """Return whether it is a session, or the first line of one."""
    found = mapping(document)
    return "sessionId" in found and "projectHash" in found


def read(document: Mapping[str, Any]) -> Transcript:
    """Read a session that is one object."""
    return _read(text(document.get("sessionId")), list(enumerate(mappings(document.get("messages")), 1)))


def read_lines(records: Sequence[tuple[int, Mapping[str, Any]]], file: Path, files: SourceFiles) -> Transcript:
    """Read a session that is JSON lines, with those of its subagents, which are in a folder named after it."""
    session = text(records[0][1].get("sessionId")) if records else ""
    found = replay(records, _EDITORS)
    warnings = []
    if found.rewound_edits:
        warnings = [
            "the user took back requests whose edits are left out; name the result with --diff if they were kept"
        ]
    subagents = [
        Subagent(name=f"{session}/{other.name}", lines=_read(other.stem, replay(lines, _EDITORS).messages).lines)
        for other in _subagents_of(session, file)
        if (lines := list(files.records(other, f"{session}/{other.name}", _RECORD)))
    ]
    return replace(_read(session, found.messages), warnings=warnings, subagents=subagents)


def _subagents_of(session: str, file: Path) -> list[Path]:
    return sorted((file.parent / session).glob("*.jsonl"))[:_MOST_SUBAGENTS] if _ID.fullmatch(session) else []


def _read(session: str, messages: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    builder = TranscriptBuilder(session=session or "session")
    compactions = 0
    for number, message in messages:
        builder.at(number, message.get("timestamp"))
        if message.get("type") == "user":
            compactions += _add_prompt(builder, message)
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
    known = subjects(tokens=builder.has_tokens, time=True, compactions=bool(compactions))
    return Transcript(kind=KIND, lines=builder.lines, known=known)


def _add_prompt(builder: TranscriptBuilder, message: Mapping[str, Any]) -> bool:
    """Add what the user typed, without the files that it refers to; return whether it is a summary after all."""
    sent = text_of(message.get("content"))
    if sent.lstrip().startswith(_SUMMARY):
        builder.compaction()
        return True
    if sent.lstrip().startswith(_CONTEXT):
        return False
    builder.prompt(text_of(message.get("displayContent")) or _REFERENCES.split(sent)[0].rstrip())
    return False


def _add_call(builder: TranscriptBuilder, call: Mapping[str, Any]) -> None:
    output = "\n".join(_response_text(result) for result in mappings(call.get("result")))
    if call.get("status") == "cancelled":
        builder.interruption()
        return
    failed = call.get("status") == "error" or ("\nExit Code: " in output and "\nExit Code: 0" not in output)
    add_tool(
        builder,
        text(call.get("name")),
        mapping(call.get("args")),
        _LABEL.sub("", output),
        failed=failed,
        exit_code=_exit_code(output, failed),
        shown=mapping(call.get("resultDisplay")),
    )


def add_tool(
    builder: TranscriptBuilder,
    name: str,
    arguments: Mapping[str, Any],
    output: str,
    *,
    failed: bool,
    exit_code: int | None,
    shown: Mapping[str, Any] | None = None,
) -> None:
    """Add a call of one of Gemini's tools; `shown` has the file before and after an edit, where the log holds that."""
    if name in _EDITORS and isinstance(arguments.get("file_path"), str):
        before, after = (shown or {}).get("originalContent"), (shown or {}).get("newContent")
        builder.edit(
            str(arguments["file_path"]),
            failed=failed,
            output=output,
            given={**arguments, "content": after} if isinstance(after, str) else arguments,
            before=before if isinstance(before, str) else None,
            created=(shown or {}).get("isNewFile") is True,
        )
    elif name == "run_shell_command" and (moved := _MOVED.match(output)):
        builder.background_command(text(arguments.get("command")), moved[1])
    elif name == "read_background_output":
        builder.background_output(str(arguments.get("pid")), output)
    elif name == "run_shell_command":
        builder.command(text(arguments.get("command")), output, exit_code=exit_code)
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
