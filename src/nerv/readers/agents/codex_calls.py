"""What rollouts and `codex exec` write alike: commands with a shell around them, patches, calls of servers, tokens."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

import msgspec

from nerv.readers.agents.transcript import TranscriptBuilder, mapping, text, text_of
from nerv.readers.event_fields import whole_number

_SHELLS, _POWERSHELLS = ("bash", "sh", "zsh"), ("pwsh", "powershell")
_SCRIPT_OPTIONS = ("-c", "-lc", "-command")
_STARTS_SHELL = re.compile(rf"\"?(?:[^\"\s]*[\\/])?(?:{'|'.join(_SHELLS + _POWERSHELLS)})(?:\.exe)?\"?\s", re.I)


def command_text(value: object) -> str:
    """Return a command as text; of `["bash", "-lc", "…"]` and of PowerShell's `-Command` the script."""
    words = [word for word in (value if isinstance(value, list) else _words(text(value))) if isinstance(word, str)]
    shell = re.split(r"[\\/]", words[0])[-1].lower().removesuffix(".exe") if words else ""
    options = [index for index, word in enumerate(words) if word.lower() in _SCRIPT_OPTIONS]
    script = words[options[0] + 1 :] if options else []
    if shell in _POWERSHELLS and script:
        return " ".join(script)
    if shell in _SHELLS and options == [1] and len(script) == 1:
        return script[0]
    if shell == "apply_patch" and len(words) == 2:
        return "\n".join(words)  # the quotes of a shell would stand within the patch
    return value if isinstance(value, str) else shlex.join(words)


def arguments_of(value: object) -> Mapping[str, Any]:
    """Return the arguments of a call, which rollouts hold as JSON in a string."""
    if not isinstance(value, str):
        return mapping(value)
    try:
        return mapping(msgspec.json.decode(value))
    except (msgspec.DecodeError, RecursionError):
        return {}


def patch_text(value: object) -> str:
    """Return the patch that a call of `apply_patch` is given."""
    decoded = arguments_of(value)
    return text(decoded.get("input")) or text(decoded.get("patch")) or text(value)


def patch_of_changes(changes: Mapping[str, Any]) -> str:
    """Return changed files as the patch that they are the result of; their kind is a member, or the name of one."""
    sections = []
    for path, change in changes.items():
        fields = mapping(change)
        kind = text(fields.get("type")) or next(iter(fields), "")
        fields = mapping(fields[kind]) if kind in fields else fields
        if kind == "add":
            added = text(fields.get("content")).removesuffix("\n").split("\n")
            sections.append("\n".join([f"*** Add File: {path}", *(f"+{line}" for line in added)]))
        elif kind == "delete":
            sections.append(f"*** Delete File: {path}")
        else:
            moved = [f"*** Move to: {to}"] if (to := text(fields.get("move_path"))) else []
            sections.append("\n".join([f"*** Update File: {path}", *moved, text(fields.get("unified_diff"))]))
    return "\n".join(sections)


def usage_of(tokens: Mapping[str, Any]) -> dict[str, int]:
    """Return the tokens of an answer; nothing where they are not known."""
    sent, received = whole_number(tokens.get("input_tokens")), whole_number(tokens.get("output_tokens"))
    if sent is None or received is None:
        return {}
    cached = whole_number(tokens.get("cached_input_tokens")) or 0
    return {"input_tokens": max(0, sent - cached), "output_tokens": received, "cache_read_input_tokens": cached}


def add_server_call(builder: TranscriptBuilder, item: Mapping[str, Any]) -> None:
    """Add a call of an MCP server's tool, with its result."""
    shown = text_of(mapping(item.get("result")).get("content")) or text(mapping(item.get("error")).get("message"))
    builder.call(f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}", mapping(item.get("arguments")))
    builder.returned(shown, failed=item.get("status") == "failed")


def _words(command: str) -> list[str]:
    """Return the words of a command that starts a shell; nothing where it starts none, or a quote is not closed."""
    try:
        return shlex.split(command) if _STARTS_SHELL.match(command) else []
    except ValueError:
        return []
