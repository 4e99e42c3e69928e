"""What a run did and said, from its evidence: for logs whose lines only their reader understands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nerv.actions import Command
from nerv.evidence import Evidence
from nerv.judge.material import MaterialPart
from nerv.location import Location, Moment

RAW_KINDS = frozenset({"nerv", "claude-code", "stream-json"})
"""Logs that a judge reads line by line."""

_LONGEST_TEXT, _LONGEST_OUTPUT = 800, 400
_LAST_SHARE = 2 / 3
"""Of the budget, for the end of a run that is too long: what counts is what it leaves."""


def account_part(evidence: Evidence, budget: int) -> MaterialPart:
    """Return the account within a budget: its beginning and, with more room, its end."""
    title = "what the run did and said, from its log"
    lines = [f"{_number(moment)}{text}" for moment, text in _in_order(_events(evidence))]
    if not lines:
        return MaterialPart(title=title, text="(the log says nothing of it)")
    if sum(len(line) + 1 for line in lines) <= budget:
        return MaterialPart(title=title, text="\n".join(lines))
    last = _fitting(reversed(lines), int(budget * _LAST_SHARE))[::-1]
    first = _fitting(lines[: len(lines) - len(last)], budget - sum(len(line) + 1 for line in last) - 2)
    return MaterialPart(
        title=title,
        text="\n".join([*first, "…", *last]),
        left_out=f"{len(lines) - len(first) - len(last)} of {len(lines)} events in the middle",
    )


def account_passages(evidence: Evidence) -> Iterator[tuple[str, Location]]:
    """Yield everything that the account may show, to search it for injections."""
    for moment, text in _events(evidence):
        yield text, moment.location


def _events(evidence: Evidence) -> Iterator[tuple[Moment, str]]:
    actions = evidence.activity.actions
    for command in actions.commands:
        yield command.moment, _command_text(command)
    for read in actions.reads:
        yield read.moment, f"read {read.path}"
    for edits in evidence.activity.edits:
        for moment in edits.moments or (edits.first,):
            yield moment, f"edited {edits.path}" if edits.exact else f"ran a command that names {edits.path}"
    for fetch in actions.fetches:
        yield fetch.moment, f"fetched {fetch.address}"
    for message in actions.corrections:
        yield message.moment, f"the user: {_cut(message.text, _LONGEST_TEXT)}"
    if actions.final_message is not None:
        yield actions.final_message.moment, f"the agent, at its end: {actions.final_message.text}"
    if actions.ending is not None:
        text = f": {actions.ending.text}" if actions.ending.text else ""
        yield actions.ending.moment, f"ended: {actions.ending.kind.replace('_', ' ')}{text}"


def _command_text(command: Command) -> str:
    if command.exit_code is not None:
        result = f" (exit code {command.exit_code})"
    else:
        result = " (failed)" if command.failed else ""
    output = _cut(command.output.strip(), _LONGEST_OUTPUT)
    return f"$ {_cut(command.text, _LONGEST_TEXT)}{result}" + (f"\n{output}" if output else "")


def _in_order(events: Iterable[tuple[Moment, str]]) -> list[tuple[Moment, str]]:
    """Sort by time where every event has one, else by the lines of the log."""
    found = list(events)
    timed = all(moment.ms is not None for moment, _ in found)

    def key(event: tuple[Moment, str]) -> tuple[int, str, int]:
        moment = event[0]
        return (moment.ms or 0) if timed else 0, moment.location.file, moment.location.line or 0

    return sorted(found, key=key)


def _number(moment: Moment) -> str:
    return "" if moment.location.line is None else f"{moment.location.line}: "


def _cut(text: str, most: int) -> str:
    """Return the beginning and the end of a long text: results stand at the end of an output."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-(most // 2) :]}"


def _fitting(lines: Iterable[str], budget: int) -> list[str]:
    chosen: list[str] = []
    for line in lines:
        budget -= len(line) + 1
        if budget < 0:
            break
        chosen.append(line)
    return chosen
