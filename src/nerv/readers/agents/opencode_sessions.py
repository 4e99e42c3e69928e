"""opencode's sessions in files: exports, the folders in which it stores them, and the sessions of subagents.

Stored sessions have a file each (`session/PROJECT/SESSION.json`), and so have their messages (`message/SESSION/`) and
the parts of those (`part/MESSAGE/`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from nerv.readers.agents.transcript import mapping, mappings, text
from nerv.readers.event_fields import whole_number
from nerv.readers.source_files import SourceFiles, is_file

FILE_NAME = "ses_*.json"
"""The name of a stored session."""

_ID = re.compile(r"\w[\w.-]{0,99}")
_PARENT = re.compile(rb'"parentID"\s*:\s*"(ses[\w.-]{0,99})"')
_HEAD = 64 * 1024
_MOST_LOOKED_AT, _MOST_SUBAGENTS = 500, 200
_MOST_MESSAGES, _MOST_PARTS = 10_000, 1_000

Document = Mapping[str, Any]


def is_export(document: object) -> bool:
    """Return whether it is an exported session."""
    found = mapping(document)
    messages = mappings(found.get("messages"))
    return isinstance(found.get("info"), Mapping) and bool(messages) and all("parts" in one for one in messages)


def is_stored(document: object) -> bool:
    """Return whether it is the file of a stored session, which has no messages in it."""
    found = mapping(document)
    return text(found.get("id")).startswith("ses") and "projectID" in found and "messages" not in found


def with_messages(document: Document, file: Path, files: SourceFiles) -> Document:
    """Return a session in the form of an export: that of a stored one is put together from its files."""
    if not is_stored(document):
        return document
    storage = file.parent.parent.parent
    messages: list[dict[str, Any]] = [
        {"info": info, "parts": list(_stored(storage, f"part/{text(info.get('id'))}", _MOST_PARTS, files))}
        for info in _stored(storage, f"message/{text(document.get('id'))}", _MOST_MESSAGES, files)
    ]
    messages.sort(key=lambda message: whole_number(mapping(message["info"].get("time")).get("created")) or 0)
    return {"info": document, "messages": messages}


def subagents_beside(session: str, file: Path, files: SourceFiles) -> Iterator[tuple[Path, Document]]:
    """Yield the sessions in the same folder that this one started, or one of those did, with their files."""
    beside = (other for other in sorted(file.parent.glob("*.json")) if other != file and is_file(other))
    parents = {other: parent for other in islice(beside, _MOST_LOOKED_AT) if (parent := _parents_in(other))}
    known, count = {session}, 0
    while started := [other for other, named in parents.items() if named & known]:
        for other in started:
            del parents[other]
            document = mapping(files.document(other, other.name))
            info = document if is_stored(document) else mapping(document.get("info"))
            if count < _MOST_SUBAGENTS and text(info.get("parentID")) in known:
                count += 1
                known = known | {text(info.get("id"))}
                yield other, with_messages(document, other, files)


def without_subagents(logs: Sequence[Path]) -> list[Path]:
    """Leave out the sessions of subagents whose parents are among the logs."""
    sessions = {log: _session_in(log) for log in logs if log.suffix == ".json"}
    known = {id_ for id_, _ in sessions.values() if id_}
    return [log for log in logs if log not in sessions or sessions[log][1] not in known]


def _session_in(log: Path) -> tuple[str, str]:
    """Return the ids of the session in a file and of the session that started it; empty where there is none."""
    document = mapping(SourceFiles().document(log, log.name))
    info = document if is_stored(document) else mapping(document.get("info")) if is_export(document) else {}
    return text(info.get("id")), text(info.get("parentID"))


def _parents_in(file: Path) -> set[str]:
    """Return the sessions that the head of a file names as parents."""
    try:
        with file.open("rb") as stream:
            return {match.decode() for match in _PARENT.findall(stream.read(_HEAD))}
    except OSError:
        return set()


def _stored(storage: Path, folder: str, most: int, files: SourceFiles) -> Iterator[Document]:
    if _ID.fullmatch(folder.partition("/")[2]):
        for file in islice(sorted((storage / folder).glob("*.json")), most):
            yield mapping(files.document(file, f"{folder}/{file.name}"))
