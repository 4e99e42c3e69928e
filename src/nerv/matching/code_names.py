"""Names of code in a requirement: what it puts in backticks, or writes as only code is written."""

from __future__ import annotations

import re
from collections.abc import Iterable

_INLINE = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"(?:[A-Za-z_]\w*(?:\.|::))*([A-Za-z_]\w+)(?:\(.*\)(?:\s*(?:->|:)?\s*[^=]+)?)?", re.ASCII)
"""With its arguments and what it returns: `find(name) error`, `read(path) -> str`."""
_CALLED = re.compile(r"(?<!\w)([A-Za-z_]\w+)\(", re.ASCII)
_CODE_WORD = re.compile(r"\b(?:[A-Z]\w*(?:Error|Exception)|[A-Za-z]\w*_\w+)\b", re.ASCII)
"""ValueError, read_entries: no word of a text is written like that; JavaScript and macOS are words."""
_WRITTEN_AS_CODE = re.compile(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]")
_WORD = re.compile(r"[A-Za-z_]\w+")
_SUBJECT = re.compile(
    r"(?:^\W*(?:(?:an?|the|new|add|create|provide|implement|introduce|expose|export|define)\s+)*"
    r"|\b(?:functions?|methods?|class(?:es)?|types?|structs?|traits?|interfaces?|options?|flags?|commands?|constants?"
    r"|errors?|exceptions?|modules?|add|create|provide|implement|introduce|expose|export|define|called|named)\s+"
    r"|\b(?:rais|throw|reject|fail)\w*\s+(?:with\s+)?(?:an?\s+)?)"
    r"`(?:[A-Za-z_]\w*(?:\.|::))*([A-Za-z_]\w+)",
    re.I,
)
"""A name with which a requirement begins, or after a word that says what it is or that it is to be made."""


_MEMBER = re.compile(r"^\W*(?:(?i:an?|the|new|add)\s+)?`\(?\*?[A-Z]\w*\)?(?:\.|::)([A-Za-z_]\w+)", re.ASCII)
"""A requirement that begins with a member of a type: `Flag.Percent`, `(*Set).Explain(name)`."""


def names_of(text: str) -> tuple[str, ...]:
    """Return the names of code that a requirement mentions, in order."""
    found: dict[str, None] = {}
    for quoted in _INLINE.findall(text):
        if match := _NAME.fullmatch(quoted.strip()):
            found.setdefault(match[1])
    for word in _CODE_WORD.findall(_INLINE.sub(" ", text)):
        found.setdefault(word)
    return tuple(found)


def called_in(text: str) -> tuple[str, ...]:
    """Return the functions that the code in a requirement calls: `await open(path)` calls `open`."""
    calls = (match[1] for quoted in _INLINE.findall(text) for match in _CALLED.finditer(quoted))
    return tuple(dict.fromkeys(calls))


def surely_code(text: str) -> tuple[str, ...]:
    """Return the names of code that nothing but code is called: `read(path)`, `max_depth`, `RangeError`.

    A plain word in backticks may also be a value, a key or a part of an example; what a requirement begins with as a
    member of a type is none of these.
    """
    called = {
        match[1] for quoted in _INLINE.findall(text) if "(" in quoted and (match := _NAME.fullmatch(quoted.strip()))
    }
    member = _MEMBER.match(text)
    found = [name for name in names_of(text) if name in called or _WRITTEN_AS_CODE.search(name)]
    return tuple(dict.fromkeys([*found, *([member[1]] if member else [])]))


def names_to_create(text: str) -> tuple[str, ...]:
    """Return the names of code that a requirement asks for: it begins with them, calls them, or says what they are.

    A name that it mentions in passing (an example's value, what something else is called) need not be there.
    """
    asked = {match[1] for pattern in (_SUBJECT, _MEMBER) for match in pattern.finditer(text)}
    return tuple(name for name in surely_code(text) if name in asked or re.search(rf"`{name}\([^`]*\)", text))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return every word of some texts that could be a name, in lower case and without underscores."""
    return frozenset(plain_name(word) for text in texts for word in _WORD.findall(text))


def plain_name(name: str) -> str:
    """Return a name as it is compared: `read_entries` and `readEntries` are one."""
    return name.replace("_", "").lower()
