"""Codex's tool `exec`, to which newer models give a script that calls the other tools: `await tools.exec_command({…})`.

The newest rollouts have an item for each command and patch of a script. In others, only calls whose command or patch is
written out, or is a constant of the script, are known: the script is not run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from nerv.readers.agents.codex_calls import command_text, patch_of_changes
from nerv.readers.agents.transcript import TranscriptBuilder, mapping, mappings, text, text_of
from nerv.readers.event_fields import whole_number

_STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_VALUE = rf"(?P<string>{_STRING})|(?P<name>[A-Za-z_$][\w$]*)"
_CALL = re.compile(
    r"\btools\.(?:(?P<shell>exec_command|shell_command|shell)\(\s*\{[^{}]*?[\"']?\b(?:cmd|command)[\"']?\s*:\s*"
    rf"|apply_patch\(\s*(?:\{{\s*[\"']?(?:input|patch)[\"']?\s*:\s*)?)(?:{_VALUE})",
    re.S,
)
_CONSTANT = re.compile(
    rf"\b(?:const|let|var)\s+(?P<constant>[A-Za-z_$][\w$]*)\s*=\s*(?P<value>{_STRING})\s*[;\n]", re.S
)
_ESCAPE = re.compile(r"\\(?:u(?P<unicode>[0-9a-fA-F]{4})|x(?P<byte>[0-9a-fA-F]{2})|(?P<char>.))", re.S)
_CHARACTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}
_EXIT_CODE = re.compile(r"\bexit(?:_code)?[\"']?\s*[=:]\s*(-?\d+)")
_STATUS = re.compile(
    r"\AScript (?P<status>completed|failed|running)[^\n]*?(?:cell ID (?P<cell>\w+))?\n.*?^Output:\n?", re.S | re.M
)
_LONGEST_SCRIPT = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptCall:
    """A call that a script makes: a command of the shell, or a patch."""

    command: str = ""
    patch: str = ""


def calls_in(script: str) -> list[ScriptCall]:
    """Return the calls of a script that run commands or edit files, in its order."""
    script = script[:_LONGEST_SCRIPT]
    constants = {match["constant"]: match["value"] for match in _CONSTANT.finditer(script)}
    found = []
    for match in _CALL.finditer(script):
        value = _decoded(match["string"] or constants.get(match["name"], ""))
        if value and match["shell"]:
            found.append(ScriptCall(command=value))
        elif "*** Begin Patch" in value:
            found.append(ScriptCall(patch=value))
    return found


def running_cell(output: object) -> str:
    """Return the id by which a script that has not ended is asked for; empty if it has ended."""
    match = _STATUS.match(text_of(output))
    return match["cell"] or "" if match and match["status"] == "running" else ""


def add_calls(builder: TranscriptBuilder, calls: list[ScriptCall], output: object) -> None:
    """Add the calls of a script; what it printed is the output of its commands, which count as one."""
    shown = text_of(output)
    status = _STATUS.match(shown)
    failed = status is not None and status["status"] == "failed"
    for call in calls:
        if call.patch:
            builder.apply_patch(call.patch, failed=failed or "verification failed" in shown, output="")
    commands = [call.command for call in calls if call.command]
    if commands:
        codes = [int(code) for code in _EXIT_CODE.findall(shown)]
        exit_code = next((code for code in codes if code), 0) if len(codes) >= len(commands) else None
        builder.command("\n".join(commands), "\n".join(_printed(output)), exit_code=1 if failed else exit_code)


def add_completed(builder: TranscriptBuilder, items: list[Mapping[str, Any]], output: object) -> None:
    """Add the commands and patches of a script as their own items have them; a single silent command has its output."""
    commands = [item for item in items if item.get("type") == "CommandExecution"]
    for item in items:
        if item.get("type") == "FileChange":
            builder.apply_patch(
                patch_of_changes(mapping(item.get("changes"))), failed=item.get("status") != "completed", output=""
            )
            continue
        shown = text(item.get("aggregated_output")) or text(item.get("stdout")) + text(item.get("stderr"))
        if not shown and len(commands) == 1:
            shown = "\n".join(_printed(output))
        exit_code = whole_number(item.get("exit_code"))
        builder.command(command_text(item.get("command")), shown, exit_code=exit_code)


def _printed(output: object) -> Iterator[str]:
    """Yield what a script printed: texts, or the results of commands as JSON."""
    blocks = [text(block.get("text")) for block in mappings(output)] or [text_of(output)]
    for block in blocks:
        shown = _STATUS.sub("", block)
        found = _object(shown)
        yield text(found.get("output")) if whole_number(found.get("exit_code")) is not None else shown


def _object(shown: str) -> Mapping[str, Any]:
    try:
        return mapping(msgspec.json.decode(shown)) if shown.lstrip().startswith("{") else {}
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return {}


def _decoded(literal: str) -> str:
    """Return the text of a literal; empty where a template has parts that are worked out."""
    if literal.startswith("`") and re.search(r"(?<!\\)\$\{", literal):
        return ""
    halves = _ESCAPE.sub(_character, literal[1:-1])  # JavaScript writes an emoji as two halves
    return halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(match: re.Match[str]) -> str:
    if code := match["unicode"] or match["byte"]:
        return chr(int(code, 16))
    return _CHARACTERS.get(match["char"], match["char"])
