"""OpenHands: `output.jsonl` of its benchmarks and resolver (an object a run), and the events of its SDK.

A run is an object with a `history` of actions and observations, or of the SDK's events, each with a `kind`. Newer
histories give each event an id, and an observation the id of its action as `cause`; in older ones, actions and
observations take turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nerv.evidence import Subject
from nerv.readers.agents.openhands_sdk import add_events, is_event
from nerv.readers.agents.transcript import (
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    subjects,
    task_in,
    text,
)
from nerv.readers.event_fields import amount, whole_number

KIND = "openhands"

_EDITS = ("edit", "write")


def is_run(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a run of `output.jsonl`."""
    return isinstance(record.get("history"), list) and ("instruction" in record or "instance_id" in record)


def run_name(record: Mapping[str, Any]) -> str:
    """Return the name of a run among others in its file."""
    issue = mapping(record.get("issue"))
    return text(record.get("instance_id")) or str(issue.get("number") or "")


def read_run(record: Mapping[str, Any]) -> Transcript:
    """Read a run of `output.jsonl`."""
    builder = TranscriptBuilder(session=run_name(record) or "session")
    history = mappings(record.get("history"))
    of_sdk = any(is_event(event) for event in history)
    model, metrics = _model(record, history), mapping(record.get("metrics"))
    if of_sdk:
        told = add_events(builder, list(enumerate(history, 1)), model)
        metrics = metrics or told
        asked = any(event.get("kind") == "MessageEvent" and event.get("source") == "user" for event in history)
    else:
        asked = _add_history(builder, record, history, model)
    if not asked:
        builder.at(1)
        builder.lines.insert(0, (1, _prompt_line(builder, _issue(record) or text(record.get("instruction")))))
    known = _add_totals(builder, metrics, compactions=of_sdk)
    diff = text(record.get("git_patch")) or text(mapping(record.get("test_result")).get("git_patch"))
    error = text(record.get("error"))
    builder.exit_status(error)
    return Transcript(
        kind=KIND,
        lines=builder.lines,
        known=known,
        diff=diff,
        warnings=[f"the run ended with an error: {error[:200]}"] if error else [],
    )


def _add_history(
    builder: TranscriptBuilder, record: Mapping[str, Any], history: Sequence[Mapping[str, Any]], model: str
) -> bool:
    """Add actions and observations; return whether the request is among them."""
    asked = False
    pending: Mapping[str, Any] = {}
    for number, event in enumerate(history, 1):
        builder.at(number, event.get("timestamp"))
        if "observation" in event:
            _add_observation(builder, event, pending)
        elif event.get("action") == "message":
            by_user = event.get("source", "agent" if asked else "user") == "user"
            content = text(mapping(event.get("args")).get("content")) or text(event.get("content"))
            if by_user:
                builder.prompt(task_in(content) if asked else _issue(record) or task_in(content))
                asked = True
            else:
                builder.answer(content, model=model)
        elif event.get("action") in ("finish", "think"):
            arguments = mapping(event.get("args"))
            words = (
                event.get("message"),
                event.get("thought"),
                arguments.get("final_thought"),
                arguments.get("thought"),
            )
            said = next((found for each in words if (found := text(each).strip())), "")
            builder.answer(said, model=model)
            if event.get("action") == "finish":
                builder.ending("answered", said)
        else:
            pending = event
    return asked


def read_events(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read the events of the SDK."""
    builder = TranscriptBuilder()
    metrics = add_events(builder, records)
    return Transcript(kind=KIND, lines=builder.lines, known=_add_totals(builder, metrics, compactions=True))


def _issue(record: Mapping[str, Any]) -> str:
    """Return the issue that the resolver was to fix; its instruction wraps it in the same rules for every run."""
    issue = mapping(record.get("issue"))
    return "\n\n".join(filter(None, (text(issue.get("title")), text(issue.get("body"))))).replace("\r\n", "\n")


def _model(record: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> str:
    """Return the model that answered, by its real name where the service gave it."""
    for event in history:
        answered = mapping(mapping(event.get("tool_call_metadata")).get("model_response"))
        if name := text(answered.get("model")):
            return name
    metadata = mapping(record.get("metadata"))
    return text(mapping(metadata.get("llm_config")).get("model")) or text(mapping(metadata.get("llm")).get("model"))


def _add_observation(builder: TranscriptBuilder, event: Mapping[str, Any], action: Mapping[str, Any]) -> None:
    kind, extras = event.get("observation"), mapping(event.get("extras"))
    output = text(event.get("content"))
    if kind == "run":
        exit_code = whole_number(mapping(extras.get("metadata")).get("exit_code"))
        if exit_code is None:
            exit_code = whole_number(event.get("exit_code"))
        builder.command(text(extras.get("command")) or text(event.get("command")), output, exit_code=exit_code)
    elif kind in _EDITS:
        path = text(extras.get("path")) or text(mapping(action.get("args")).get("path"))
        given, before = mapping(action.get("args")), extras.get("old_content")
        if isinstance(after := extras.get("new_content"), str):
            given = {"content": after}
        builder.edit(
            path,
            failed=output.startswith("ERROR"),
            output=output,
            given=given,
            before=before if isinstance(before, str) else None,
            created=extras.get("prev_exist") is False,
        )
    elif kind == "read":
        builder.read(text(extras.get("path")) or text(mapping(action.get("args")).get("path")))
    elif kind == "agent_state_changed" and extras.get("agent_state") in ("error", "rejected"):
        builder.ending("error", text(extras.get("reason")) or output)
    elif kind == "run_ipython":
        builder.call("Python", {"code": text(extras.get("code")) or text(event.get("code"))})
        builder.returned(output)
    elif kind in ("error", "user_rejected"):
        builder.call(text(action.get("action")), mapping(action.get("args")))
        builder.returned(output, failed=True)
    elif kind not in ("recall", "think", "agent_state_changed"):
        builder.call(str(kind), mapping(action.get("args")))
        builder.returned(output)


def _add_totals(
    builder: TranscriptBuilder, metrics: Mapping[str, Any], *, compactions: bool = False
) -> frozenset[Subject]:
    """Add the totals of a run, and return the subjects that its log knows."""
    usage = mapping(metrics.get("accumulated_token_usage"))
    sent, received = whole_number(usage.get("prompt_tokens")), whole_number(usage.get("completion_tokens"))
    cost = amount(metrics.get("accumulated_cost")) or None  # 0.0 where the model has no price
    tokens = None
    if sent and received is not None:
        cached = whole_number(usage.get("cache_read_tokens")) or 0
        tokens = {
            "input_tokens": max(0, sent - cached),
            "output_tokens": received,
            "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": whole_number(usage.get("cache_write_tokens")) or 0,
        }
    if tokens or cost is not None:
        builder.totals(cost_usd=cost, usage=tokens)
    return subjects(tokens=tokens is not None, cost=cost is not None, time=builder.has_times, compactions=compactions)


def _prompt_line(builder: TranscriptBuilder, content: str) -> dict[str, Any]:
    return {"type": "user", "message": {"content": content}, "sessionId": builder.session}
