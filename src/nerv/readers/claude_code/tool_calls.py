"""A call of a tool: the command that it runs, the file that it edits or reads, or the address that it fetches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nerv.evidence import Commit
from nerv.location import Moment
from nerv.readers.claude_code.log_paths import portable_path
from nerv.readers.event_fields import as_request, shorten

_EDITORS = {"Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
_OTHER_EDITORS = re.compile(
    r"mcp__[\w.-]+?__(?:(?:write|edit|create|update|append|overwrite|replace|insert|patch)_\w+|write|edit)"
    r"|str_replace(?:_based)?_edit(?:or)?(?:_tool)?",
    re.I,
)
"""Editors of MCP servers, and of Anthropic's API."""
_READS = re.compile(r"(?:[\w.-]+__)?(?:notebook_?)?(?:read|view|open)(?:_?(?:text_?)?file)?", re.I)
_EDITS_AND_VIEWS = re.compile(r"(?:\w*edit(?:or)?\w*)", re.I)
_SEARCHES = re.compile(r"\w*web_?search\w*|\w*(?:google|bing|brave)_?\w*search\w*", re.I)
_PATHS = (
    "file_path",
    "absolute_path",
    "path",
    "notebook_path",
    "filePath",
    "target_file",
    "filename",
    "relative_path",
    "pathInProject",
)
_CONTENTS = (
    "content",
    "contents",
    "file_text",
    "text",
    "edits",
    "new_string",
    "new_str",
    "newText",
    "body",
    "repl",
    "code_edit",
)
_SHOW_OUTPUT = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool"})
_TASKS = ("bash_id", "task_id", "shell_id", "agentId")
_COMMITTED = re.compile(r"^\[(?P<branch>[^\s\]]+)(?: \([^)]*\))? (?P<id>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.M)
_LONGEST_COMMAND, _LONGEST_PATH = 50_000, 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call whose result is still to come."""

    tool: str
    request: str
    command: str
    """The shell command; empty for other tools, as are the next four."""
    path: str
    """The file that it edits."""
    read: str
    """The file that it reads."""
    fetched: str
    """The address or the search text that it fetches."""
    task: str
    """The id of the command in the background whose output it shows."""
    given: Mapping[str, Any]
    """The input of a tool that edits files."""
    moment: Moment


def tool_call(block: Mapping[str, Any], moment: Moment) -> ToolCall:
    """Return the call of a `tool_use` block."""
    name, given = block.get("name"), block.get("input")
    tool = name[:100] if isinstance(name, str) else ""
    fields: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    named = _text(fields, _EDITORS[tool]) if tool in _EDITORS else _edited_path(tool, fields)
    path = portable_path(named[:_LONGEST_PATH])
    is_edit = tool in _EDITORS or bool(path)
    read = "" if is_edit else portable_path(_read_path(tool, fields))
    return ToolCall(
        tool=tool,
        request=as_request(dict(fields)),
        command="" if read or is_edit else _text(fields, "command")[:_LONGEST_COMMAND],
        path=path,
        read=read,
        fetched="" if is_edit else _fetched(tool, fields),
        task=next(filter(None, (_text(fields, key) for key in _TASKS)), "") if tool in _SHOW_OUTPUT else "",
        given=fields if is_edit else {},
        moment=moment,
    )


def commits_in(command: str, output: str, moment: Moment) -> Iterator[Commit]:
    """Yield the commits that a command made, by what git prints about them."""
    if "git commit" not in command and "git merge" not in command:
        return
    for match in _COMMITTED.finditer(output[:100_000]):
        is_main = match["branch"] in ("main", "master")
        yield Commit(id=match["id"], subject=shorten(match["subject"]), moment=moment, parents=0, on_main=is_main)


def _edited_path(tool: str, fields: Mapping[str, Any]) -> str:
    """Return the file that another editor changes; it has a text to put there."""
    if not _OTHER_EDITORS.fullmatch(tool) or fields.get("dryRun") is True or not any(map(fields.get, _CONTENTS)):
        return ""
    return next((found for name in _PATHS if (found := _text(fields, name))), "")


def _read_path(tool: str, fields: Mapping[str, Any]) -> str:
    views = _EDITS_AND_VIEWS.fullmatch(tool) and fields.get("command") == "view"
    if not views and not _READS.fullmatch(tool):
        return ""
    return next((found for name in _PATHS if (found := _text(fields, name))), "")[:_LONGEST_PATH]


def _fetched(tool: str, fields: Mapping[str, Any]) -> str:
    if _SEARCHES.fullmatch(tool):
        return _text(fields, "query")
    address = _text(fields, "url")
    return address if address.startswith(("http://", "https://")) else ""


def _text(fields: Mapping[str, Any], name: str) -> str:
    found = fields.get(name)
    return found if isinstance(found, str) else ""
