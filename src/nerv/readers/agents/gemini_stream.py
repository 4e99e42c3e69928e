"""Gemini CLI's recorded `--output-format stream-json`: one event a line, an answer in pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerv.readers.agents import gemini
from nerv.readers.agents.transcript import Transcript, TranscriptBuilder, mapping, subjects, text
from nerv.readers.event_fields import whole_number


def recognises(record: Mapping[str, Any]) -> bool:
    """Return whether a line is one of this stream's: Claude Code's and Cursor's begin with a `system` line."""
    kind = record.get("type")
    return (kind == "init" and "session_id" in record) or (kind in ("tool_use", "tool_result") and "tool_id" in record)


def read(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a recorded stream."""
    builder = TranscriptBuilder()
    calls: dict[str, tuple[str, Mapping[str, Any]]] = {}
    answer: list[str] = []
    model, counted = "", False
    for number, record in records:
        kind = record.get("type")
        if kind == "message" and record.get("role") == "assistant" and record.get("delta") is True:
            answer.append(text(record.get("content")))
            continue
        if answer:
            builder.answer("".join(answer), model=model)
            answer = []
        builder.at(number, record.get("timestamp"))
        if kind == "init":
            model = text(record.get("model"))
            builder.session = text(record.get("session_id")) or builder.session
        elif kind == "message" and record.get("role") == "user":
            builder.prompt(text(record.get("content")))
        elif kind == "message":
            builder.answer(text(record.get("content")), model=model)
        elif kind == "tool_use":
            calls[text(record.get("tool_id"))] = text(record.get("tool_name")), mapping(record.get("parameters"))
        elif kind == "tool_result":
            _add_result(builder, calls.pop(text(record.get("tool_id")), ("", {})), record)
        elif kind == "result":
            counted = _add_result_of_run(builder, record)
    if answer:
        builder.answer("".join(answer), model=model)
    for name, given in calls.values():
        builder.call(name, given)
    return Transcript(kind=gemini.KIND, lines=builder.lines, known=subjects(tokens=counted, time=builder.has_times))


def _add_result(builder: TranscriptBuilder, call: tuple[str, Mapping[str, Any]], record: Mapping[str, Any]) -> None:
    failed = record.get("status") == "error"
    output = text(record.get("output")) or text(mapping(record.get("error")).get("message"))
    # a command that fails is a success of the tool: its exit code is not told
    gemini.add_tool(builder, *call, output, failed=failed, exit_code=1 if failed else None)


def _add_result_of_run(builder: TranscriptBuilder, record: Mapping[str, Any]) -> bool:
    """Add how the run ended, and its totals; return whether they have tokens."""
    stats = mapping(record.get("stats"))
    sent, received = whole_number(stats.get("input_tokens")), whole_number(stats.get("output_tokens"))
    usage = None
    if sent is not None and received is not None:
        cached = whole_number(stats.get("cached")) or 0
        usage = {
            "input_tokens": max(0, sent - cached),
            "output_tokens": received,
            "cache_read_input_tokens": cached,
        }
    builder.totals(usage=usage, duration_ms=whole_number(stats.get("duration_ms")))
    if record.get("status") == "error":
        error = mapping(record.get("error"))
        at_limit = "TurnLimit" in text(error.get("type"))
        builder.ending("turn_limit" if at_limit else "error", text(error.get("message")))
    return usage is not None
