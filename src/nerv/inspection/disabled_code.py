"""Disabled code: a file in which every function that the run wrote fails at once.

A test that passes all the same has not called any of them: it asserts something about a mock, a copy, or nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.languages import SyntaxLanguage, language_of, name_of, parse, row, walk
from nerv.inspection.source import LARGEST

if TYPE_CHECKING:
    from tree_sitter import Node

_FAILURES = {
    "Python": 'raise RuntimeError("disabled")',
    "JavaScript": 'throw new Error("disabled");',
    "TypeScript": 'throw new Error("disabled");',
    "Go": 'panic("disabled");',
    "Rust": 'panic!("disabled");',
    "Java": 'if (true) throw new RuntimeException("disabled");',  # a plain throw makes the rest an error
}
"""A statement that fails, for the beginning of a body; the rest stays, so that names and imports are still used."""
_LEFT_ALONE = frozenset({"constructor_declaration"})
"""Java's constructors, whose first statement may have to be a call of another one."""


def disable_code(path: str, text: str, lines: Collection[int]) -> bytes | None:
    """Return a file whose functions with one of these lines (from 1) fail; None if it has none, or no parser."""
    language = language_of(path)
    if language is None or len(text) > LARGEST:
        return None
    content = text.encode("utf-8", "replace")
    wanted = frozenset(lines)
    edits = sorted(edit for node in walk(parse(language, text)) for edit in _edits(node, language, content, wanted))
    if not edits:
        return None
    pieces, done = [], 0
    for start, end, piece in edits:
        if start >= done:  # the body of an arrow function may have been replaced as a whole
            pieces += [content[done:start], piece]
            done = end
    return b"".join((*pieces, content[done:]))


def functions_in(path: str, text: str) -> Iterator[tuple[str, range]]:
    """Yield the functions of a file, each with its lines (from 1); none if it has no parser."""
    language = language_of(path)
    if language is None or len(text) > LARGEST:
        return
    for node in walk(parse(language, text)):
        if node.type in language.functions and (name := name_of(node)):
            yield name, range(row(node) + 1, int(node.end_point[0]) + 2)


def _edits(
    node: Node, language: SyntaxLanguage, content: bytes, lines: frozenset[int]
) -> Iterator[tuple[int, int, bytes]]:
    """Yield the change to a function as (start, end, text): none if the run wrote no line of it."""
    body = node.child_by_field_name("body") if node.type in language.functions - _LEFT_ALONE else None
    if body is None or lines.isdisjoint(range(row(node) + 1, int(node.end_point[0]) + 2)):
        return
    failure = _FAILURES[language.name].encode()
    if language.name == "Python":
        first = body.start_byte
        start_of_line = content.rfind(b"\n", 0, first) + 1
        indentation = content[start_of_line:first]
        yield first, first, failure + (b"\n" + indentation if not indentation.strip() else b"; ")
    elif content[body.start_byte : body.start_byte + 1] == b"{":
        yield body.start_byte + 1, body.start_byte + 1, b" " + failure + b" "
    elif node.type == "arrow_function":
        yield body.start_byte, body.end_byte, b"{ " + failure + b" }"
