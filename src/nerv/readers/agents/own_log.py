"""nerv's own form for the log of any agent. See docs/agent-logs.md.

JSON lines: a header with `format` and `format_version`, then what happened, in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from forgetest.errors import UserError
from nerv.actions import EndingKind
from nerv.evidence import Subject
from nerv.readers.agents.transcript import FINISHES, Transcript, TranscriptBuilder, mapping, subjects, text
from nerv.readers.event_fields import amount, whole_number

KIND = "nerv-log"
FORMAT, FORMAT_VERSION = "nerv-log", 1

_USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}

_REQUIRED = {
    "prompt": "text",
    "command": "command",
    "edit": "path",
    "tool": "name",
    "read": "path",
    "fetch": "address",
}
"""The member without which a line says nothing."""
_TEXTS = frozenset({"text", "model", "command", "output", "path", "diff", "name", "address", "patch", "status"})
_NUMBERS = frozenset({"exit_code", "duration_ms", "cost_usd"})


def recognises(record: Mapping[str, Any]) -> bool:
    """Return whether a line is the header of our own form."""
    return record.get("format") == FORMAT


def read(records: Sequence[tuple[int, Mapping[str, Any]]], name: str) -> Transcript:
    """Read a log. Raises UserError where its version is newer than ours, or a line is not as documented."""
    header = records[0][1]
    version = header.get("format_version")
    if version != FORMAT_VERSION:
        raise UserError(f"{name}:{records[0][0]}: format_version {version!r}; this nerv reads {FORMAT_VERSION}")
    builder = TranscriptBuilder(session=text(header.get("session")) or "session")
    model = text(header.get("model"))
    known: set[Subject] = set(subjects())
    diff: list[str] = []
    for number, record in records[1:]:
        _check(record, f"{name}:{number}")
        builder.at(number, record.get("time"))
        known |= {"time"} if "time" in record else set()
        match record.get("type"):
            case "prompt":
                builder.prompt(text(record.get("text")))
            case "answer":
                usage = _usage(record)
                known |= {"tokens"} if usage else set()
                builder.answer(text(record.get("text")), model=text(record.get("model")) or model, usage=usage)
            case "command":
                exit_code = whole_number(record.get("exit_code"))
                builder.command(text(record.get("command")), text(record.get("output")), exit_code=exit_code)
            case "edit":
                builder.edit(text(record.get("path")), failed=record.get("failed") is True)
                diff.append(text(record.get("diff")))
            case "tool":
                builder.call(text(record.get("name")), mapping(record.get("input")))
                builder.returned(text(record.get("output")), failed=record.get("failed") is True)
            case "compaction":
                known.add("compactions")
                builder.compaction()
            case "interruption":
                builder.interruption()
            case "read":
                builder.read(text(record.get("path")))
            case "fetch":
                builder.fetch(text(record.get("address")), text(record.get("text")))
            case "end":
                if isinstance(status := record.get("status"), str):
                    _add_ending(builder, status, f"{name}:{number}", text(record.get("text")))
                known |= _add_totals(builder, record)
                diff.append(text(record.get("patch")))
            case other:
                raise UserError(f"{name}:{number}: type {other!r} is unknown; docs/agent-logs.md lists the types")
    joined = "\n".join(filter(None, diff))
    ends = _says_how_it_ended([record for _, record in records[1:]])
    return Transcript(kind=KIND, lines=builder.lines, known=frozenset(known), diff=joined, records_ending=ends)


def _check(record: Mapping[str, Any], where: str) -> None:
    """Raise UserError if a member is missing or of another type; else it would count as something that was not done."""
    required = _REQUIRED.get(str(record.get("type")))
    if required is not None and record.get(required) is None:
        raise UserError(f"{where}: {record['type']} without {required!r}; docs/agent-logs.md lists the members")
    for member, value in record.items():
        if value is None:
            continue
        if member in _TEXTS and not isinstance(value, str):
            raise UserError(f"{where}: {member!r} has to be a text")
        if member in _NUMBERS and (not isinstance(value, int | float) or isinstance(value, bool)):
            raise UserError(f"{where}: {member!r} has to be a number")
        if member == "usage" and not isinstance(value, Mapping):
            raise UserError(f"{where}: 'usage' has to be an object")
        if member == "failed" and not isinstance(value, bool):
            raise UserError(f"{where}: 'failed' has to be true or false")


def _says_how_it_ended(records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a log says how its run ended: an `end` without a status does so only after an answer."""
    if any("status" in record for record in records):
        return True
    types = ["answer" if _hands_in(each) else each.get("type") for each in records if each.get("type") != "compaction"]
    if "end" in types:
        before = types[: types.index("end")]
        return bool(before) and before[-1] in ("answer", "interruption")
    return "answer" in types


def _hands_in(record: Mapping[str, Any]) -> bool:
    """Return whether a record is the call of a tool such as `finish`, which is an answer."""
    return record.get("type") == "tool" and FINISHES.fullmatch(text(record.get("name"))) is not None


def _add_ending(builder: TranscriptBuilder, status: str, where: str, words: str) -> None:
    kind = next((kind for kind in get_args(EndingKind) if kind == status), None)
    if kind is None:
        raise UserError(f"{where}: status {status!r} is unknown; there are: {', '.join(get_args(EndingKind))}")
    builder.ending(kind, words)


def _add_totals(builder: TranscriptBuilder, record: Mapping[str, Any]) -> set[Subject]:
    cost, duration, usage = amount(record.get("cost_usd")), whole_number(record.get("duration_ms")), _usage(record)
    builder.totals(cost_usd=cost, usage=usage, duration_ms=duration)
    known: set[Subject] = {"cost"} if cost is not None else set()
    known |= {"time"} if duration is not None else set()
    return known | ({"tokens"} if usage else set())


def _usage(record: Mapping[str, Any]) -> dict[str, int] | None:
    found = mapping(record.get("usage"))
    counts = {theirs: whole_number(found.get(ours)) for ours, theirs in _USAGE.items()}
    return {name: count for name, count in counts.items() if count is not None} or None
