"""Codex's recorded `codex exec --json`: one event a line, each with a whole item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerv.readers.agents.codex_calls import add_server_call, command_text, usage_of
from nerv.readers.agents.transcript import (
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    subjects,
    text,
)
from nerv.readers.event_fields import whole_number


def read(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a recorded run. It does not hold what was asked, and tells nothing of compactions."""
    builder = TranscriptBuilder()
    for number, record in records:
        builder.at(number, record.get("timestamp"))
        _take(builder, record)
    known = subjects(tokens=builder.has_tokens, time=builder.has_times)
    return Transcript(kind="codex", lines=builder.lines, known=known)


def _take(builder: TranscriptBuilder, record: Mapping[str, Any]) -> None:
    kind = record.get("type")
    if kind == "turn.completed":
        if usage := usage_of(mapping(record.get("usage"))):
            builder.answer("", usage=usage)
    elif kind in ("turn.failed", "error"):
        words = text(mapping(record.get("error")).get("message")) or text(record.get("message"))
        builder.ending("turn_limit" if "limit" in words else "error", words)
    elif kind == "item.completed":
        _take_item(builder, mapping(record.get("item")))


def _take_item(builder: TranscriptBuilder, item: Mapping[str, Any]) -> None:
    what = item.get("type") or item.get("item_type")
    if what in ("agent_message", "assistant_message"):
        builder.answer(text(item.get("text")))
    elif what == "command_execution":
        output, exit_code = text(item.get("aggregated_output")), whole_number(item.get("exit_code"))
        builder.command(command_text(item.get("command")), output, exit_code=exit_code)
    elif what == "file_change":
        failed = item.get("status") == "failed"
        for change in mappings(item.get("changes")):
            builder.edit(text(change.get("path")), failed=failed)
    elif what == "web_search":
        builder.fetch(text(item.get("query")), "")
    elif what == "mcp_tool_call":
        add_server_call(builder, item)
