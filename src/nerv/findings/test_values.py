"""Values of tests: which literals stand together in an assertion, a call or a row of a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun
from nerv.findings.test_code import LITERALS
from nerv.inspection.languages import language_of, parse, text_of, walk
from nerv.inspection.source import is_test_path
from nerv.inspection.values import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node

_TOGETHER = frozenset(
    {
        "tuple",
        "pair",
        "keyed_element",
        "list",
        "array",
        "literal_value",
        "call",
        "call_expression",
        "macro_invocation",
        "assert_statement",
        "method_invocation",
        "comparison_operator",
        "binary_expression",
        "if_statement",
    }
)
"""Nodes whose literals stand together."""
_LARGEST_GROUP = 600
_MOST_TEST_FILES = 400


def expected_values(run: ReviewedRun) -> dict[str, set[int]]:
    """Return, for each literal, the numbers of the assertions and rows of tables that contain it."""
    found: set[frozenset[str]] = set()
    for file in run.files:
        for tree in (file.new_tree, file.old_tree):
            if tree is not None and (file.is_test or tree.language.name == "Rust"):
                found.update(_literal_sets(file, tree))
    known = {file.path for file in run.files}
    repository = run.evidence.changes.repository
    others = (
        [each for each in repository.files if is_test_path(each.path) and each.path not in known] if repository else []
    )
    for each in others[:_MOST_TEST_FILES]:
        language = language_of(each.path)
        if language is not None and len(each.text) < 200_000:
            root = parse(language, each.text)
            found.update(_sets_in(walk(root)))
    numbers: dict[str, set[int]] = {}
    for number, literals in enumerate(found):
        for literal in literals:
            numbers.setdefault(literal, set()).add(number)
    return numbers


def _literal_sets(file: ChangedFile, tree: ParsedFile) -> Iterator[frozenset[str]]:
    for test in file.new_tests if tree is file.new_tree else file.old_tests:
        for assertion in (*test.assertions, *test.dead):
            yield frozenset(plain_literal(literal) for literal in assertion.literals)
    if tree.is_test:
        yield from _sets_in(tree.nodes)


def _sets_in(nodes: Iterable[Node]) -> Iterator[frozenset[str]]:
    """Yield the literals of each row of a table and of each small call or comparison in a test file."""
    for node in nodes:
        if node.type in _TOGETHER and node.end_byte - node.start_byte < _LARGEST_GROUP:
            literals = frozenset(plain_literal(text_of(each)) for each in walk(node) if each.type in LITERALS)
            if 2 <= len(literals) <= 12:
                yield literals


def plain_literal(literal: str) -> str:
    """Return a literal without quotes, sign and suffixes: `"a"` is `'a'`; in Rust's macros, a sign is apart."""
    text = literal.strip()
    if re.match(r"[rbfuRBFU]*['\"`]", text):
        return text.lstrip("rbfuRBFU").strip("'\"`")
    return re.sub(r"^-\s*(?=\d)|(?<=\d)_(?=\d)|(?<=[\d.])[uif]\d+$|(?<=\d)[lLfFdDn]$|(?<=\d)\.0+$", "", text)
