"""SWE-agent's trajectories (`*.traj`): a JSON object with `trajectory`, `history` and `info`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from itertools import pairwise
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

KIND = "swe-agent"

_EDITING = re.compile(r"\s*(edit|create|insert|str_replace_editor (?:create|str_replace|insert)|undo_edit)\b")
_CREATED = re.compile(r"\s*create\s+(\S+)|\s*str_replace_editor \w+ (\S+)")
_BLOCK = re.compile(r"\s*edit \d+:\d+\s*\n(.*?)\n?end_of_edit", re.S)
_READING = re.compile(r"\s*(?:open|str_replace_editor view)\s+[\"']?([^\s\"']+)")
_REFUSED_EDIT = re.compile(r"Your proposed edit has introduced|No replacement was performed|ERROR|Invalid")


def recognises(document: object) -> bool:
    """Return whether it is a trajectory of SWE-agent; demonstrations have a `history` only."""
    if not isinstance(document, Mapping):
        return False
    if isinstance(document.get("trajectory"), list):
        return True
    history = mappings(document.get("history"))
    return bool(history) and all("role" in message for message in history) and "agent" in history[0]


def read(document: Mapping[str, Any]) -> Transcript:
    """Read a trajectory."""
    builder = TranscriptBuilder()
    history = mappings(document.get("history"))
    for number, message in enumerate(history, 1):
        if message.get("role") == "user" and not message.get("is_demo"):
            builder.at(number)
            builder.prompt(task_in(text_of(message.get("content"))))
            break
    steps = mappings(document.get("trajectory"))
    model = _model(document.get("replay_config"))
    for number, step in enumerate(steps, 1):
        builder.at(number)
        _add_step(builder, step, model)
    submitted = "" if steps else _add_history(builder, history)
    info = mapping(document.get("info"))
    stats = mapping(info.get("model_stats"))
    sent, received = whole_number(stats.get("tokens_sent")), whole_number(stats.get("tokens_received"))
    cost = amount(stats.get("instance_cost"))
    usage = {"input_tokens": sent, "output_tokens": received} if sent and received is not None else None
    if usage or cost:
        builder.totals(cost_usd=cost, usage=usage)
    known = subjects(tokens=bool(usage), cost=bool(cost))
    status = text(info.get("exit_status"))
    builder.exit_status(status or ("submitted" if builder.last_command == "submit" else ""))
    warnings = [] if status.startswith("submitted") or not status else [f"the run did not end by submitting: {status}"]
    return Transcript(
        kind=KIND, lines=builder.lines, known=known, diff=text(info.get("submission")) or submitted, warnings=warnings
    )


def _model(config: object) -> str:
    """Return the model that a run was started with: its configuration is an object, or its JSON."""
    agent = mapping(_decoded(config).get("agent"))
    return text(mapping(agent.get("model")).get("name"))


def _add_step(builder: TranscriptBuilder, step: Mapping[str, Any], model: str) -> None:
    action, observation = text(step.get("action")), text(step.get("observation"))
    builder.answer(text(step.get("thought")), model=model)
    if _EDITING.match(action):
        path = _created(action) or _open_file(step.get("state"))
        failed = bool(_REFUSED_EDIT.search(observation))
        builder.edit(path, failed=failed, output=observation, given=_written(action))
    elif match := _READING.match(action):
        builder.call("Read", {"file_path": match[1]})
        builder.returned(observation)
    elif action.strip():
        builder.command(action.strip(), observation, exit_code=None)


def _add_history(builder: TranscriptBuilder, history: list[Mapping[str, Any]]) -> str:
    """Add the calls of a log that has messages only; return the diff that the submission printed."""
    pending: dict[str, tuple[str, Mapping[str, Any]]] = {}
    submitted = ""
    for number, message in enumerate(history, 1):
        builder.at(number)
        if message.get("is_demo"):
            continue
        if message.get("role") == "assistant":
            builder.answer(text_of(message.get("content")))
            for call in mappings(message.get("tool_calls")):
                function = mapping(call.get("function"))
                pending[text(call.get("id"))] = _command_of(function), _arguments(function)
            if not message.get("tool_calls") and text(message.get("action")).strip():
                pending[""] = text(message.get("action")).strip(), {}
        elif message.get("role") in ("tool", "user") and pending:
            ids = message.get("tool_call_ids")
            wanted = (
                [one for one in ids if isinstance(one, str) and one in pending]
                if isinstance(ids, list)
                else list(pending)
            )
            for one in wanted[:1]:
                (command, given), output = pending.pop(one), text_of(message.get("content"))
                _add_call(builder, command, given, output)
                submitted = diff_in(output) if command.split()[:1] == ["submit"] else submitted
    return submitted


def _add_call(builder: TranscriptBuilder, command: str, given: Mapping[str, Any], output: str) -> None:
    path = given.get("path")
    if isinstance(path, str) and given.get("command") in ("create", "str_replace", "insert"):
        builder.edit(path, failed=bool(_REFUSED_EDIT.search(output)), output=output, given=given)
    elif isinstance(path, str) and given.get("command") == "view":
        builder.read(path)
    else:
        builder.command(command, output, exit_code=None)


def _command_of(function: Mapping[str, Any]) -> str:
    name, given = text(function.get("name")), _arguments(function)
    if isinstance(given.get("command"), str) and name == "bash":
        return str(given["command"])
    return " ".join([name, *(str(value) for value in given.values())])


def _arguments(function: Mapping[str, Any]) -> Mapping[str, Any]:
    return _decoded(function.get("arguments"))


def _decoded(value: object) -> Mapping[str, Any]:
    """Return an object that may be written as JSON; an empty one where it is none."""
    try:
        return mapping(msgspec.json.decode(value)) if isinstance(value, str) else mapping(value)
    except (msgspec.DecodeError, RecursionError):
        return {}


def _written(action: str) -> dict[str, str]:
    """Return what an editing action writes, by the names of its options: the editor's, or a block of lines."""
    if block := _BLOCK.match(action):
        return {"new_source": block[1]}
    if re.match(r"\s*create\s", action):
        return {"file_text": ""}
    try:
        words = shlex.split(action)
    except ValueError:
        return {}
    return {name[2:]: value for name, value in pairwise(words) if name in ("--file_text", "--old_str", "--new_str")}


def _created(action: str) -> str:
    match = _CREATED.match(action)
    return next((group for group in match.groups() if group), "") if match else ""


def _open_file(state: object) -> str:
    """Return the file that the agent's editor has open: `state` is an object, or its JSON."""
    opened = text(_decoded(state).get("open_file"))
    return "" if opened == "n/a" else opened
