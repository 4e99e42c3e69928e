"""opencode: its sessions, exported (`opencode export SESSION`) or as it stores them, and `opencode run --format json`.

An export is an object with the session's `info` and its `messages`, each with its own `info` and its `parts`. A
recorded run is JSON lines, each with one part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from nerv.readers.agents import opencode_sessions
from nerv.readers.agents.transcript import (
    Line,
    Subagent,
    Transcript,
    TranscriptBuilder,
    mapping,
    mappings,
    patched_paths,
    subjects,
    text,
)
from nerv.readers.event_fields import amount, whole_number
from nerv.readers.source_files import SourceFiles

KIND = "opencode"

_LINES = ("step_start", "step_finish", "text", "tool_use", "reasoning", "error")
_EDITORS = ("edit", "write", "multiedit")
_NAMES = {
    "filePath": "file_path",
    "oldString": "old_string",
    "newString": "new_string",
    "replaceAll": "replace_all",
    "patchText": "patch",
}


def recognises(document: object) -> bool:
    """Return whether it is an exported session, or the file of a stored one."""
    return opencode_sessions.is_export(document) or opencode_sessions.is_stored(document)


def is_line(record: Mapping[str, Any]) -> bool:
    """Return whether a record is a line of a recorded run."""
    return isinstance(record.get("sessionID"), str) and record.get("type") in _LINES


def read(document: Mapping[str, Any], file: Path, files: SourceFiles) -> Transcript:
    """Read a session, with those of its subagents in the same folder."""
    document = opencode_sessions.with_messages(document, file, files)
    info = mapping(document.get("info"))
    edited: set[str] = set()
    subagents, cost = [], 0.0
    for other, found in opencode_sessions.subagents_beside(text(info.get("id")), file, files):
        child = _Reader(_builder(found), edited)
        child.take_messages(found)
        cost += child.cost
        subagents.append(Subagent(name=other.name, lines=child.lines))
    reader = _Reader(_builder(document), edited)
    reader.take_messages(document)
    reader.cost += cost
    return replace(reader.transcript(), subagents=subagents)


def _builder(document: Mapping[str, Any]) -> TranscriptBuilder:
    info = mapping(document.get("info"))
    return TranscriptBuilder(session=text(info.get("id")) or "session", folder=text(info.get("directory")))


def read_lines(records: Sequence[tuple[int, Mapping[str, Any]]]) -> Transcript:
    """Read a recorded run. It does not hold what was asked."""
    builder = TranscriptBuilder()
    reader = _Reader(builder, set())
    for number, record in records:
        builder.at(number, record.get("timestamp"))
        builder.session = text(record.get("sessionID")) or builder.session
        if record.get("type") == "error":
            reader.add_error(mapping(record.get("error")))
        else:
            reader.take_part(mapping(record.get("part")))
            if record.get("type") == "step_finish":
                reader.add_usage(mapping(record.get("part")), "")
    return reader.transcript()


class _Reader:
    def __init__(self, builder: TranscriptBuilder, edited: set[str]) -> None:
        self.cost = 0.0
        self._builder = builder
        self._edited = edited
        """The files that are known to be edited, by this session or by its subagents'."""

    @property
    def lines(self) -> Sequence[tuple[int, Line]]:
        """The lines so far."""
        return self._builder.lines

    def take_messages(self, document: Mapping[str, Any]) -> None:
        """Take all messages of a session; of those that the user reverted, and their changes with them, the tokens."""
        reverted_from = text(mapping(mapping(document.get("info")).get("revert")).get("messageID"))
        reverted = False
        for number, message in enumerate(mappings(document.get("messages")), 1):
            info = mapping(message.get("info"))
            reverted = reverted or (reverted_from != "" and info.get("id") == reverted_from)
            if not reverted:
                self.take_message(number, info, mappings(message.get("parts")))
            elif info.get("role") != "user":
                self.add_usage(info, text(info.get("modelID")))

    def take_message(self, number: int, info: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> None:
        self._builder.at(number, mapping(info.get("time")).get("created"))
        if info.get("role") == "user":
            typed = [text(part.get("text")) for part in parts if part.get("type") == "text" and not _is_added(part)]
            if any(words.strip() for words in typed):
                self._builder.prompt("\n".join(typed))
            return
        if info.get("summary") is True:
            self._builder.compaction()
        for part in parts:
            self.take_part(part)
        self.add_usage(info, text(info.get("modelID")))
        if isinstance(error := info.get("error"), Mapping):
            self.add_error(error)

    def take_part(self, part: Mapping[str, Any]) -> None:
        if part.get("type") == "text":
            self._builder.answer(text(part.get("text")))
        elif part.get("type") == "tool":
            self._add_call(text(part.get("tool")), mapping(part.get("state")))
        elif part.get("type") == "compaction":
            self._builder.compaction()
        elif part.get("type") == "patch":
            self._add_changed(part.get("files"))

    def _add_changed(self, files: object) -> None:
        """Add the files that a step changed in other ways: by a command, or by a subagent, whose session is another."""
        for path in files if isinstance(files, list) else ():
            if isinstance(path, str) and not any(f"/{path}".endswith(f"/{known}") for known in self._edited):
                self._edited.add(path)
                self._builder.edit(path)

    def add_usage(self, found: Mapping[str, Any], model: str) -> None:
        """Add the tokens and cost of an answer or a step."""
        tokens = mapping(found.get("tokens"))
        sent, received = whole_number(tokens.get("input")), whole_number(tokens.get("output"))
        cache = mapping(tokens.get("cache"))
        self.cost += amount(found.get("cost")) or 0.0
        if sent is None or received is None:
            return
        usage = {
            "input_tokens": sent,
            "output_tokens": received + (whole_number(tokens.get("reasoning")) or 0),
            "cache_read_input_tokens": whole_number(cache.get("read")) or 0,
            "cache_creation_input_tokens": whole_number(cache.get("write")) or 0,
        }
        self._builder.answer("", model=model, usage=usage)

    def add_error(self, error: Mapping[str, Any]) -> None:
        """Add an error of the session, or the user's stop, which is one of them."""
        name, words = text(error.get("name")), text(mapping(error.get("data")).get("message"))
        if name == "MessageAbortedError":
            self._builder.interruption()
        else:
            at_limit = "OutputLength" in name or "ContextOverflow" in name
            self._builder.ending("turn_limit" if at_limit else "error", words or name)

    def transcript(self) -> Transcript:
        """Return what was read, with the total of the costs."""
        builder = self._builder
        if self.cost:  # 0 for subscriptions and local models
            builder.totals(cost_usd=self.cost)
        known = subjects(tokens=builder.has_tokens, cost=bool(self.cost), time=builder.has_times, compactions=True)
        return Transcript(kind=KIND, lines=builder.lines, known=known)

    def _add_call(self, tool: str, state: Mapping[str, Any]) -> None:
        given = {_NAMES.get(name, name): value for name, value in mapping(state.get("input")).items()}
        metadata = mapping(state.get("metadata"))
        output = text(state.get("output")) or text(state.get("error")) or text(metadata.get("output"))
        failed = state.get("status") == "error"
        if tool == "bash":
            exit_code = whole_number(metadata.get("exit"))
            exit_code = 1 if exit_code is None and failed else exit_code
            self._builder.command(text(given.get("command")), output, exit_code=exit_code)
        elif isinstance(patch := given.get("patch"), str):
            self._edited |= {path.removeprefix("./") for path in patched_paths(patch)}
            self._builder.apply_patch(patch, failed=failed, output=output)
        elif tool in _EDITORS:
            path, created = text(given.get("file_path")), metadata.get("exists") is False
            whole = mapping(metadata.get("filediff"))
            before, after = whole.get("before"), whole.get("after")
            self._builder.edit(
                path,
                failed=failed,
                output=output,
                given={**given, "content": after} if isinstance(after, str) else given,
                before=before if isinstance(before, str) else None,
                created=created,
            )
            self._edited.add(path)
        else:
            self._builder.call("WebFetch" if tool == "webfetch" else tool, given)
            self._builder.returned(output, failed=failed)


def _is_added(part: Mapping[str, Any]) -> bool:
    """Return whether opencode added a part to what the user typed."""
    return part.get("synthetic") is True or part.get("ignored") is True
