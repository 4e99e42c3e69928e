"""ATIF, the Agent Trajectory Interchange Format of Harbor and Terminal-Bench 2.

Read leniently: exporters put tool results into steps of their own, name calls `id`, `name` and `arguments`, or write
calls after their results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nerv.readers.agents.atif_subagents import subagents_of
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
from nerv.readers.event_fields import amount, whole_number
from nerv.readers.source_files import SourceFiles

KIND = "atif"

_MOST_PARTS = 100

_SHELL = ("command", "cmd", "keystrokes", "code")
_EDITED = ("file_path", "path", "notebook_path", "filename")
_EDITORS = re.compile(r"edit|write|create|replace|insert|patch", re.I)
_RESULT_OF = re.compile(r"Tool result for (\S+)")
_FAILED = "[error] tool reported failure"
_ABOUT_CALL = re.compile(r"Executed \S+ \S+")
"""Stands for the message of a step that has none, but a call."""


def recognises(document: object) -> bool:
    """Return whether it is a trajectory of this format."""
    found = mapping(document)
    has_steps = isinstance(found.get("steps"), list) and isinstance(found.get("agent"), Mapping)
    return has_steps and "schema_version" in found


def with_continuations(document: Mapping[str, Any], file: Path, files: SourceFiles) -> list[Mapping[str, Any]]:
    """Return a trajectory and those that continue it, in files beside it."""
    found, names = [document], {file.name}
    while (name := Path(text(found[-1].get("continued_trajectory_ref"))).name) and name not in names:
        names.add(name)
        following = mapping(files.document(file.with_name(name), name))
        if not following or len(names) > _MOST_PARTS:
            files.warn(f"{file.name}: continues in {name}, which is missing or no trajectory")
            break
        found.append(following)
    return found


def read(parts: Sequence[Mapping[str, Any]], file: Path, files: SourceFiles) -> Transcript:
    """Read a trajectory: its parts, in order, and the trajectories of subagents that they refer to."""
    document = {**parts[0], "final_metrics": parts[-1].get("final_metrics")}
    builder = TranscriptBuilder(session=text(document.get("session_id")) or "session")
    steps = [step for part in parts for step in mappings(part.get("steps"))]
    _add_steps(builder, steps, document)
    found = subagents_of(parts, steps, file, files)
    counted = builder.has_tokens or not _total_usage(document)  # else the total of the run has theirs
    subagents = []
    for one in found:
        own = TranscriptBuilder(session=one.id)
        _add_steps(own, one.steps, one.document, counted=counted)
        if counted and not own.has_tokens and (usage := _total_usage(one.document)):
            own.answer("", usage=usage)
        subagents.append(Subagent(name=one.name, lines=own.lines, started_by=one.step))
    every = [*steps, *(step for one in found for step in one.steps)]
    return replace(_finish(builder, document, every), subagents=subagents)


def _add_steps(
    builder: TranscriptBuilder,
    steps: Sequence[Mapping[str, Any]],
    document: Mapping[str, Any],
    *,
    counted: bool = True,
) -> None:
    """Add the steps of a trajectory; `counted`: with the tokens of each."""
    names = dict(_calls_of(steps))
    agent = mapping(document.get("agent"))
    model = text(agent.get("model_name")) or text(agent.get("model"))
    seen: set[str] = set()
    answered = {id_ for step in steps for id_, _, _ in _results_of(step)}
    for number, step in enumerate(steps, 1):
        if step.get("is_copied_context") is True:  # the same steps stand in an earlier part of the run
            continue
        stamp = step.get("timestamp")
        builder.at(number, stamp if isinstance(stamp, str | int | float) else None)
        builder.sidechain = mapping(step.get("extra")).get("is_sidechain") is True
        if step.get("source") == "user":
            builder.prompt(text_of(step.get("message")))
            continue
        if step.get("source") == "agent":
            usage = _usage(mapping(step.get("metrics"))) if counted else None
            said = text_of(step.get("message"))
            said = "" if _ABOUT_CALL.fullmatch(said) else said
            builder.answer(said, model=text(step.get("model_name")) or model, usage=usage)
        own = dict(_calls_of([step]))
        if (output := _shared_output(step)) is not None:
            _add_calls(builder, list(own.values()), output)
            seen |= set(own)
            continue
        for id_, call in own.items():
            if id_ not in answered:
                builder.call(*_as_ours(*call))
        for id_, output, failed in _results_of(step):
            if id_ not in seen:
                seen.add(id_)
                _add_call(builder, names.get(id_, ("", {})), output, failed)
    builder.sidechain = False


def _finish(builder: TranscriptBuilder, document: Mapping[str, Any], steps: list[Mapping[str, Any]]) -> Transcript:
    final = mapping(document.get("final_metrics"))
    cost = amount(final.get("total_cost_usd"))
    if cost is None:
        costs = [amount(mapping(step.get("metrics")).get("cost_usd")) for step in steps]
        given = [value for value in costs if value is not None]
        cost = sum(given) if given else None
    usage = _total_usage(document)
    if usage or cost is not None:
        builder.totals(cost_usd=cost, usage=usage)
    known = subjects(tokens=bool(usage) or builder.has_tokens, cost=cost is not None, time=builder.has_times)
    return Transcript(kind=KIND, lines=builder.lines, known=known)


def _total_usage(document: Mapping[str, Any]) -> dict[str, int] | None:
    final = mapping(document.get("final_metrics"))
    return _usage({name.removeprefix("total_"): value for name, value in final.items()})


def _calls_of(steps: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, tuple[str, Mapping[str, Any]]]]:
    """Yield every call, by its id."""
    for step in steps:
        for call in mappings(step.get("tool_calls")):
            id_ = text(call.get("tool_call_id")) or text(call.get("id"))
            name = text(call.get("function_name")) or text(call.get("name"))
            yield id_, (name, mapping(call.get("arguments")))


def _shared_output(step: Mapping[str, Any]) -> str | None:
    """Return what a terminal showed for several calls together; None where each has a result of its own."""
    results = mappings(mapping(step.get("observation")).get("results"))
    if len(results) != 1 or results[0].get("source_call_id") or len(mappings(step.get("tool_calls"))) < 2:
        return None
    return text_of(results[0].get("content"))


def _add_calls(builder: TranscriptBuilder, calls: list[tuple[str, Mapping[str, Any]]], output: str) -> None:
    """Add calls that a terminal answered together: its commands as one, before the other calls."""
    found = [_as_ours(*call) for call in calls]
    commands = [given["command"] for name, given in found if name == "Bash"]
    if commands:
        builder.command("\n".join(commands), output, exit_code=None)
    for name, given in found:
        if name != "Bash":
            builder.call(name, given)
            builder.returned("" if commands else output)


def _results_of(step: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Yield the id of each call whose result a step holds, the output, and whether it failed."""
    observation = mapping(step.get("observation"))
    ids = [text(call.get("tool_call_id")) or text(call.get("id")) for call in mappings(step.get("tool_calls"))]
    for position, result in enumerate(mappings(observation.get("results"))):
        id_ = text(result.get("source_call_id")) or (ids[position] if position < len(ids) else "")
        output, failed = _output_of(result, step)
        yield id_, output, failed
    if "content" in observation:
        named = _RESULT_OF.match(text(step.get("message")))
        output = text_of(observation.get("content"))
        failed = mapping(observation.get("result")).get("success") is False or observation.get("is_error") is True
        yield (named[1] if named else (ids[0] if ids else "")), output, failed


def _output_of(result: Mapping[str, Any], step: Mapping[str, Any]) -> tuple[str, bool]:
    """Return what a call returned, and whether it failed.

    Harbor's form of Claude Code's results repeats the output in sections of its own, and holds the result itself aside.
    """
    recorded = mapping(_recorded(result, step).get("raw_tool_result"))
    if recorded:
        return text_of(recorded.get("content")), recorded.get("is_error") is True
    output = text_of(result.get("content"))
    return output, result.get("is_error") is True or output.endswith(_FAILED)


def _recorded(result: Mapping[str, Any], step: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what Harbor keeps of a result of Claude Code's: in the step, which has one call, or beside the result."""
    extras = [mapping(mapping(each.get("extra")).get("tool_result_metadata")) for each in (result, step)]
    return extras[0] or (extras[1] if len(mappings(step.get("tool_calls"))) == 1 else {})


def _add_call(builder: TranscriptBuilder, call: tuple[str, Mapping[str, Any]], output: str, failed: bool) -> None:
    patch = next((found for key in ("patch", "input") if "*** Begin Patch" in (found := text(call[1].get(key)))), "")
    if patch:
        builder.apply_patch(patch, failed=failed, output=output)
        return
    builder.call(*_as_ours(*call))
    builder.returned(output, failed=failed)


def _as_ours(name: str, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the call in the names of Claude Code's tools, where it runs a command or changes a file."""
    if _EDITORS.search(name):
        path = next((arguments[key] for key in _EDITED if isinstance(arguments.get(key), str)), None)
        if path is not None and arguments.get("command") != "view":
            return "Edit", {**arguments, "file_path": path}
    command = next((arguments[key] for key in _SHELL if isinstance(arguments.get(key), str)), None)
    if command is not None:
        return "Bash", {"command": command.strip()}
    return name, dict(arguments)


def _usage(metrics: Mapping[str, Any]) -> dict[str, int] | None:
    sent, received = whole_number(metrics.get("prompt_tokens")), whole_number(metrics.get("completion_tokens"))
    if sent is None or received is None:
        return None
    cached = whole_number(metrics.get("cached_tokens")) or 0
    return {"input_tokens": max(0, sent - cached), "output_tokens": received, "cache_read_input_tokens": cached}
