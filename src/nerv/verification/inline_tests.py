"""Tests that stand in the source files themselves: Rust's modules with `#[cfg(test)]`."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

from nerv.verification.trees import TreeFile

if TYPE_CHECKING:
    from tree_sitter import Parser

_MARK = b"#[cfg(test)]"


def exchange(path: str, code: TreeFile, tests: TreeFile | None) -> TreeFile:
    """Return a source file with the tests of its other version; unchanged if neither has any."""
    if not path.endswith(".rs") or (_MARK not in code.content and (tests is None or _MARK not in tests.content)):
        return code
    kept = _without(code.content)
    added = inline_tests(path, tests)
    return code if added == inline_tests(path, code) else replace(code, content=kept.rstrip() + b"\n\n" + added + b"\n")


def inline_tests(path: str, file: TreeFile | None) -> bytes:
    """Return the text of a file's test modules; empty if it has none."""
    if file is None or not path.endswith(".rs") or _MARK not in file.content:
        return b""
    return b"\n\n".join(file.content[start:end] for start, end in _modules(file.content))


def test_lines(path: str, file: TreeFile) -> frozenset[int]:
    """Return the numbers (from 1) of the lines of a file's test modules."""
    if not inline_tests(path, file):
        return frozenset()
    first_to_last = (
        (file.content.count(b"\n", 0, start) + 1, file.content.count(b"\n", 0, end) + 1)
        for start, end in _modules(file.content)
    )
    return frozenset(number for first, last in first_to_last for number in range(first, last + 1))


def _without(content: bytes) -> bytes:
    parts, place = [], 0
    for start, end in _modules(content):
        parts.append(content[place:start])
        place = end
    return b"".join((*parts, content[place:]))


def _modules(content: bytes) -> list[tuple[int, int]]:
    """Return where the test modules of the top level begin and end, each with the attributes before it."""
    found: list[tuple[int, int]] = []
    attributes: list[tuple[int, bytes]] = []
    for node in _parser().parse(content).root_node.children:
        text = content[node.start_byte : node.end_byte]
        if node.type == "attribute_item":
            attributes.append((node.start_byte, b"".join(text.split())))
            continue
        is_test = any(attribute == _MARK for _, attribute in attributes)
        if node.type == "mod_item" and is_test and node.child_by_field_name("body") is not None:
            found.append((attributes[0][0], node.end_byte))
        attributes = []
    return found


@functools.cache
def _parser() -> Parser:
    import tree_sitter_rust
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_rust.language()))
