"""What belongs to the tests in other files: Rust's tests among the code, and what cargo requires for tests."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from nerv.verification.trees import TreeFile

if TYPE_CHECKING:
    from tree_sitter import Parser

_MARK = re.compile(rb"#\[cfg\((?:test|all\((?:[^()]*,)?test(?:,.*)?\))\)\]")
"""An attribute, without blanks, of what is compiled for tests only."""
_TEST = re.compile(rb"#\[(?:\w+::)*test(?:\(.*\))?\]")
"""The attribute of a test, which may stand beside the code it tests."""
_MAY_MARK = re.compile(rb"#\[(?:cfg\([^]]*\btest\b|\s*(?:\w+::)*test\b)")
_COMMENTS = ("line_comment", "block_comment")
_TABLE = re.compile(r"\s*\[+([^\]\n]*)\]")
_FOR_TESTS = re.compile(r"(?:^|\.)\s*[\"']?dev-dependencies[\"']?\s*(?:\.|$)")


def exchange(path: str, code: TreeFile, tests: TreeFile | None) -> TreeFile:
    """Return a file with what belongs to the tests in its other version; unchanged if there is no such part."""
    if path == "Cargo.toml" or path.endswith("/Cargo.toml"):
        return code if tests is None else _with_requirements_of(code, tests)
    if not path.endswith(".rs") or not (_MAY_MARK.search(code.content) or (tests and _MAY_MARK.search(tests.content))):
        return code
    kept = _without(code.content)
    added = inline_tests(path, tests)
    return code if added == inline_tests(path, code) else replace(code, content=kept.rstrip() + b"\n\n" + added + b"\n")


def inline_tests(path: str, file: TreeFile | None) -> bytes:
    """Return the text of a file's tests, and of what is there for them alone; empty if it has none."""
    if file is None or not path.endswith(".rs") or not _MAY_MARK.search(file.content):
        return b""
    return b"\n\n".join(file.content[start:end] for start, end in _test_items(file.content))


def test_lines(path: str, file: TreeFile) -> frozenset[int]:
    """Return the numbers (from 1) of the lines of a file's tests, and of what is there for them alone."""
    if not inline_tests(path, file):
        return frozenset()
    first_to_last = (
        (file.content.count(b"\n", 0, start) + 1, file.content.count(b"\n", 0, end) + 1)
        for start, end in _test_items(file.content)
    )
    return frozenset(number for first, last in first_to_last for number in range(first, last + 1))


def _without(content: bytes) -> bytes:
    parts, place = [], 0
    for start, end in _test_items(content):
        parts.append(content[place:start])
        place = end
    return b"".join((*parts, content[place:]))


def _test_items(content: bytes) -> list[tuple[int, int]]:
    """Return where tests and what is compiled for them begin and end at the top level, with their attributes."""
    found: list[tuple[int, int]] = []
    attributes: list[tuple[int, bytes]] = []
    for node in _parser().parse(content).root_node.children:
        text = content[node.start_byte : node.end_byte]
        if node.type == "attribute_item":
            attributes.append((node.start_byte, b"".join(text.split())))
            continue
        if node.type in _COMMENTS:
            continue
        marks = [attribute for _, attribute in attributes]
        is_test = node.type == "function_item" and any(map(_TEST.fullmatch, marks))
        if is_test or any(map(_MARK.fullmatch, marks)):
            found.append((attributes[0][0], node.end_byte))
        attributes = []
    return found


def _with_requirements_of(code: TreeFile, tests: TreeFile) -> TreeFile:
    """Return a manifest with the crates that tests require in another version of it."""
    kept, _ = _split_manifest(code.text)
    _, added = _split_manifest(tests.text)
    if added == _split_manifest(code.text)[1]:
        return code
    return replace(code, content=f"{kept.rstrip()}\n\n{added}".encode())


def _split_manifest(text: str) -> tuple[str, str]:
    """Return a manifest without the tables of crates that only tests require, and these tables."""
    parts: dict[bool, list[str]] = {False: [], True: []}
    is_for_tests = False
    for line in text.splitlines(keepends=True):
        if match := _TABLE.match(line):
            is_for_tests = _FOR_TESTS.search(match[1]) is not None
        parts[is_for_tests].append(line)
    return "".join(parts[False]), "".join(parts[True])


@functools.cache
def _parser() -> Parser:
    import tree_sitter_rust
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_rust.language()))
