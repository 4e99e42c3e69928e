"""mini-swe-agent's trajectories (`*.traj.json`): messages whose commands all go to the shell.

Version 1 has a list of messages with a ```bash block in each answer; version 2 an object with `messages`, tool calls
and `info`. With OpenAI's Responses API, an answer is a `response` with its `output`, and a result is a
`function_call_output`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from nerv.readers.agents.transcript import (
    Transcript,
    TranscriptBuilder,
    diff_in,
    mapping,
    mappings,
    subjects,
    task_in,
    text,
    text_of,
)
from nerv.readers.event_fields import amount, whole_number

KIND = "mini-swe-agent"

_BLOCK = re.compile(r"```(?:bash|sh|mswea_bash_command)\s*\n(.*?)\n```", re.S)
_RETURN_CODE = re.compile(r"<returncode>\s*(-?\d+)\s*</returncode>")
_SUBMIT = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
_OUTPUT = re.compile(r"<output>\n?(.*?)\n?</output>", re.S)


def recognises(document: object) -> bool:
    """Return whether it is a trajectory of mini-swe-agent."""
    if isinstance(document, list):
        roles = [message.get("role") for message in mappings(document[:3])]
        return roles[:2] == ["system", "user"] and "content" in mapping(document[0])
    found = mapping(document)
    return isinstance(found.get("messages"), list) and (
        "mini_version" in mapping(found.get("info")) or "mini-swe-agent" in text(found.get("trajectory_format"))
    )


def read(document: object) -> Transcript:
    """Read a trajectory."""
    found = mapping(document)
    info = mapping(found.get("info"))
    builder = TranscriptBuilder()
    commands: dict[str, str] = {}
    configured = text(mapping(mapping(info.get("config")).get("model")).get("model_name"))
    asked, submitted = False, ""
    for number, message in enumerate(mappings(document if isinstance(document, list) else found.get("messages")), 1):
        extra = mapping(message.get("extra"))
        seconds = extra.get("timestamp", mapping(extra.get("response")).get("created"))
        builder.at(number, round(seconds * 1000) if isinstance(seconds, int | float) else None)
        content, role = text_of(message.get("content")), message.get("role")
        if message.get("object") == "response":
            outputs = mappings(message.get("output"))
            said = [text_of(item.get("content")) for item in outputs if item.get("type") == "message"]
            builder.answer(
                "\n".join(said),
                model=text(message.get("model")) or configured,
                usage=_usage(mapping(message.get("usage"))),
            )
            commands = _commands(message, "")
        elif role == "user" and not asked:
            asked = True
            builder.prompt(task_in(content))
        elif role == "assistant":
            usage = _usage(mapping(mapping(extra.get("response")).get("usage")))
            builder.answer(
                _BLOCK.sub("", content).strip(),
                model=text(mapping(extra.get("response")).get("model")) or configured,
                usage=usage,
            )
            commands = _commands(message, content)
        elif (role in ("user", "tool") or message.get("type") == "function_call_output") and commands:
            id_ = text(message.get("tool_call_id")) or text(message.get("call_id"))
            content = content or text_of(message.get("output"))
            command = commands.pop(id_ if id_ in commands else next(iter(commands)))
            _add_result(builder, command, content, extra)
            submitted = diff_in(content) if _SUBMIT in command else submitted
    cost = amount(mapping(info.get("model_stats")).get("instance_cost"))
    if cost:
        builder.totals(cost_usd=cost)
    known = subjects(tokens=builder.has_tokens, cost=bool(cost), time=builder.has_times)
    status = text(info.get("exit_status"))
    builder.exit_status(status or ("submitted" if _SUBMIT in builder.last_command else ""))
    warnings = [] if status in ("", "Submitted") else [f"the run did not end by submitting: {status}"]
    diff = text(info.get("submission")) or submitted
    return Transcript(kind=KIND, lines=builder.lines, known=known, diff=diff, warnings=warnings)


def _commands(message: Mapping[str, Any], content: str) -> dict[str, str]:
    """Return the commands of an answer, by the id of their call."""
    found = {}
    flat = [item for item in mappings(message.get("output")) if item.get("type") == "function_call"]
    for call in [*mappings(message.get("tool_calls")), *flat]:
        arguments = mapping(call.get("function")).get("arguments", call.get("arguments"))
        try:
            given = mapping(msgspec.json.decode(arguments)) if isinstance(arguments, str) else mapping(arguments)
        except (msgspec.DecodeError, RecursionError):
            continue
        if isinstance(given.get("command"), str):
            found[text(call.get("call_id")) or text(call.get("id"))] = str(given["command"])
    blocks = _BLOCK.findall(content)
    return found or ({"": blocks[0]} if blocks else {})


def _add_result(builder: TranscriptBuilder, command: str, content: str, extra: Mapping[str, Any]) -> None:
    shown = _RETURN_CODE.search(content)
    exit_code = whole_number(extra.get("returncode"))
    if exit_code is None and shown:
        exit_code = int(shown[1])
    raw = _OUTPUT.search(content)
    output = text(extra.get("raw_output")) or (raw[1] if raw else content)
    builder.command(command, output, exit_code=exit_code)


def _usage(found: Mapping[str, Any]) -> dict[str, int] | None:
    """Return the tokens in the names of Claude's API; the tokens that were sent include those read from the cache."""
    sent = whole_number(found.get("prompt_tokens", found.get("input_tokens")))
    received = whole_number(found.get("completion_tokens", found.get("output_tokens")))
    if sent is None or received is None:
        return None
    details = mapping(found.get("prompt_tokens_details", found.get("input_tokens_details")))
    cached = whole_number(details.get("cached_tokens")) or 0
    return {"input_tokens": max(0, sent - cached), "output_tokens": received, "cache_read_input_tokens": cached}
