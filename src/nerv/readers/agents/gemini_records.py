"""The records of Gemini CLI's sessions in JSON lines: messages, and records that change what came before.

A message is written again with every change of it. `$rewindTo` takes back a message and all after it, `$set` changes
the session's metadata; with `messages`, it replaces what the model is given, for instance by a summary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nerv.readers.agents.transcript import mapping, mappings, text, text_of

Message = tuple[int, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The messages of a session that were not taken back, in order."""

    messages: Sequence[Message]
    rewound_edits: int
    """The number of calls among those taken back that may have changed files."""


def replay(records: Sequence[Message], editors: Sequence[str]) -> Session:
    """Return what is left of a session. Of what was taken back, the tokens remain: they were spent."""
    latest: dict[object, Message] = {}
    said: set[tuple[str, str]] = set()
    edits = 0
    for number, record in records:
        if isinstance(target := record.get("$rewindTo"), str):
            ids = list(latest)
            taken_back = ids[ids.index(target) :] if target in latest else ids
            for id_ in taken_back:
                place, message = latest.pop(id_)
                edits += sum(call.get("name") in editors for call in mappings(message.get("toolCalls")))
                latest[number, id_] = place, _spent(message)
        elif "$set" in record:
            # what a message of its own has repeats it, cut as the model is given it
            for index, message in enumerate(mappings(mapping(record["$set"]).get("messages"))):
                id_ = text(message.get("id")) or (number, index)
                is_new = _words(message) not in said if _words(message)[1] else "toolCalls" in message
                if id_ not in latest and is_new:
                    latest[id_] = number, message
                    said.add(_words(message))
        elif "type" in record:
            latest[text(record.get("id")) or number] = number, record
            said.add(_words(record))
    return Session(messages=list(latest.values()), rewound_edits=edits)


def _spent(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message with nothing but its tokens."""
    kept = ("type", "timestamp", "model", "tokens") if message.get("type") == "gemini" else ()
    return {name: message[name] for name in kept if name in message}


def _words(message: Mapping[str, Any]) -> tuple[str, str]:
    return text(message.get("type")), text_of(message.get("content"))
