"""How Claude Code records the end of a run, a rejection by the user, and the exit code of a command."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nerv.actions import EndingKind
from nerv.readers.event_fields import whole_number

SUBTYPES: Mapping[EndingKind, str] = {
    "answered": "success",
    "turn_limit": "error_max_turns",
    "error": "error_during_execution",
    "timed_out": "error_timeout",
    "interrupted": "interrupted",
    "no_answer": "no_answer",
}
"""The `subtype` of a `result` line for each ending: Claude Code's own, and those that its form lacks."""
_KINDS: Mapping[str, EndingKind] = {subtype: kind for kind, subtype in SUBTYPES.items()} | {
    "error_max_budget_usd": "turn_limit"
}
REJECTED = "The user doesn't want to proceed with this tool use"
"""Stands for the result of a call that the user rejected."""
_REJECTED = (
    REJECTED,
    "The user doesn't want to take this action right now",
    "Error: The user doesn't want to take this action right now",
    "[Request interrupted by user for tool use]",
)
_DENIED = re.compile(r"(?:Error: )?Permission to use \w+.{0,2000}? has been denied", re.S)
_TIMED_OUT = re.compile(r"\btime[d -]*out\b|\btime limit", re.I)
_EXIT_CODE = re.compile(r"(?:Error: )?[Ee]xit code:? (-?\d+)")
_REASON = re.compile(r"the user said:\s*(.+)", re.S)


def ending_of_result(line: Mapping[str, Any]) -> tuple[EndingKind, str] | None:
    """Return the ending that a `result` line states, with its text; None where it has totals only."""
    nested = line.get("result")
    fields = nested if isinstance(nested, Mapping) else line
    text = fields.get("result") if isinstance(fields.get("result"), str) else ""
    assert isinstance(text, str)
    subtype = fields.get("subtype")
    failed = fields.get("is_error") is True
    if not isinstance(subtype, str) and not failed:
        return None
    kind = _KINDS.get(subtype, "error") if isinstance(subtype, str) else "error"
    if kind == "answered" and failed:
        kind = "error"
    if kind == "error" and _TIMED_OUT.search(text[:2_000]):
        kind = "timed_out"
    if kind == "answered":
        return kind, text
    return kind, text or (subtype if isinstance(subtype, str) else "")


def is_rejection(output: str) -> bool:
    """Return whether the user rejected a call, by the words that stand for its result."""
    return output.startswith(_REJECTED)


def is_denial(output: str) -> bool:
    """Return whether the rules for permissions, and not a person, denied a call."""
    return _DENIED.match(output) is not None


def rejection_reason(output: str) -> str:
    """Return what the user said on rejecting a call; else the rejection itself."""
    match = _REASON.search(output[:10_000])
    return match[1].strip() if match else output


def exit_code_of(block: Mapping[str, Any], output: str) -> int | None:
    """Return the exit code that a tool result has, as a field or at the head of its text."""
    found = whole_number(block.get("exit_code"))
    if found is None and (match := _EXIT_CODE.match(output)):
        found = int(match[1])
    return found
