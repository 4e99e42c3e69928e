"""OpenHands' SDK: its events, one a line, or as the history of a run in a benchmark's `output.jsonl`.

The SDK itself keeps each event of a conversation in a file of its own, `events/event-00000-ID.json`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from nerv.readers.agents.transcript import TranscriptBuilder, mapping, task_in, text, text_of
from nerv.readers.claude_code.endings import REJECTED
from nerv.readers.event_fields import amount, whole_number
from nerv.readers.source_files import SourceFiles

Event = Mapping[str, Any]

_EDITING_COMMANDS = ("create", "str_replace", "insert", "undo_edit")
_EDITING_TOOLS = ("write_file", "edit")
"""Editors of the tools for Gemini's models."""
_STORED = re.compile(r"event-\d{5,}-.+\.json")
_MOST_FILES = 20_000
_RESULTS = ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation")
_COUNTS = ("prompt_tokens", "completion_tokens", "cache_read_tokens", "cache_write_tokens")


def is_event(record: Event) -> bool:
    """Return whether a record is an event of the SDK."""
    return isinstance(record.get("kind"), str) and record.get("source") in ("user", "agent", "environment", "hook")


def stored_events(file: Path, files: SourceFiles, decoder: msgspec.json.Decoder[Any]) -> list[tuple[int, Event]]:
    """Return the events of a conversation that are kept in files beside this one, with their numbers."""
    found: list[tuple[int, Event]] = []
    for each in sorted(file.parent.glob("event-*.json"))[:_MOST_FILES]:
        found += [(len(found) + 1, record) for _, record in files.records(each, each.name, decoder)]
    return found


def is_stored_event(file: Path) -> bool:
    """Return whether a file is named like one that holds a single event."""
    return _STORED.fullmatch(file.name) is not None


def add_events(builder: TranscriptBuilder, records: Sequence[tuple[int, Event]], model: str = "") -> dict[str, Any]:
    """Add the events of a conversation; return its metrics, empty where no event has them."""
    results = {
        id_: (number, event)
        for number, event in records
        if event.get("kind") in _RESULTS and (id_ := text(event.get("tool_call_id")))
    }
    called = {text(event.get("tool_call_id")) for _, event in records if event.get("kind") == "ActionEvent"}
    used = _usage_by_model(records)
    model = model or next((name for one in used if (name := text(one.get("model_name")))), "")
    for number, event in records:
        builder.at(number, event.get("timestamp"))
        match event.get("kind"):
            case "MessageEvent" if event.get("source") == "user":
                builder.prompt(task_in(text_of(mapping(event.get("llm_message")).get("content"))))
            case "MessageEvent":
                builder.answer(text_of(mapping(event.get("llm_message")).get("content")), model=model)
            case "ActionEvent":
                builder.answer(text_of(event.get("thought")), model=model)
                _add_call(builder, event, results.get(text(event.get("tool_call_id"))))
            case kind if kind in _RESULTS and (id_ := text(event.get("tool_call_id"))) not in called:
                output, failed, exit_code = _outcome(event)
                builder.returned(output, failed=failed, id_=id_, exit_code=exit_code)
            case "Condensation":
                builder.compaction()
            case "ConversationErrorEvent":
                builder.exit_status(text(event.get("detail")) or text(event.get("code")))
            case "PauseEvent" | "InterruptEvent":
                builder.interruption()
    return _total(used)


def _add_call(builder: TranscriptBuilder, event: Event, answered: tuple[int, Event] | None) -> None:
    """Add a call with its result, which may stand anywhere after it."""
    tool, action = text(event.get("tool_name")), mapping(event.get("action"))
    number, result = answered or (builder.place, {})
    observation = mapping(result.get("observation"))
    output, failed, exit_code = _outcome(result)
    patch = text(action.get("patch"))
    if "*** Begin Patch" in patch and answered is not None:
        builder.apply_patch(patch, failed=failed, output=output)
        return
    builder.call(*_as_ours(tool, action, observation))
    if answered is None:
        return
    builder.at(number, result.get("timestamp"))
    if result.get("kind") == "UserRejectObservation":
        builder.returned(f"{REJECTED}, the user said:\n{text(result.get('rejection_reason'))}", failed=True)
        return
    builder.returned(output, failed=failed, exit_code=exit_code)
    before = observation.get("old_content")
    known = {"originalFile": before} if isinstance(before, str) else {}
    known |= {"type": "create"} if observation.get("prev_exist") is False else {}
    if known:
        builder.lines[-1][1]["toolUseResult"] = known


def _outcome(result: Event) -> tuple[str, bool, int | None]:
    """Return the output of a call, whether it failed, and its exit code."""
    observation = mapping(result.get("observation"))
    exit_code = whole_number(observation.get("exit_code"))
    failed = (
        observation.get("is_error") is True or exit_code not in (0, None) or result.get("kind") == "AgentErrorEvent"
    )
    return text_of(observation.get("content")) or text(result.get("error")), failed, exit_code


def _as_ours(tool: str, action: Mapping[str, Any], observation: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the call in the names of Claude Code's tools; an edit with the whole file that it left, where known."""
    command, path = action.get("command"), action.get("path") or action.get("file_path")
    if isinstance(path, str) and (command in _EDITING_COMMANDS or tool in _EDITING_TOOLS):
        after = observation.get("new_content")
        return "Edit", {**action, "file_path": path} | ({"content": after} if isinstance(after, str) else {})
    if isinstance(command, str) and not isinstance(path, str):
        return "Bash", {"command": command}
    return tool, {key: value for key, value in action.items() if key != "kind"}


def _usage_by_model(records: Sequence[tuple[int, Event]]) -> list[Mapping[str, Any]]:
    """Return the latest metrics, one for each use of a model."""
    totals: Mapping[str, Any] = {}
    for _, event in records:
        if event.get("kind") == "ConversationStateUpdateEvent" and event.get("key") == "stats":
            totals = mapping(mapping(event.get("value")).get("usage_to_metrics"))
    return [mapping(one) for one in totals.values()]


def _total(used: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    if not used:
        return {}
    counts = [mapping(one.get("accumulated_token_usage")) for one in used]
    return {
        "accumulated_cost": sum(amount(one.get("accumulated_cost")) or 0.0 for one in used),
        "accumulated_token_usage": {key: sum(whole_number(one.get(key)) or 0 for one in counts) for key in _COUNTS},
    }
