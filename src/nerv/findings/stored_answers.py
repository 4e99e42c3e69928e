"""Answers of the tests in another shape: in a data file, or returned for what begins like one of their inputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding
from nerv.findings.hard_coded import (
    ARMS,
    BRANCHES,
    FEWEST_PAIRS,
    SHARE_OF_TABLE,
    TRIVIAL,
    expected_values,
    plain_literal,
)
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import row, text_of, walk
from nerv.inspection.values import STRINGS, ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_LONG = 5
"""Length of a text that a branch would not have by chance as a test has it."""
_LARGEST_TABLE = 600


def stored_answers(run: ReviewedRun) -> list[Finding]:
    """Find answers of the tests in data files, and in branches that ask for what begins with the tests' inputs."""
    expected = expected_values(run)
    if not expected:
        return []
    trees = [file.new_tree for file in run.code_files if file.new_tree is not None]
    return [*_data_files(run, expected), *(one for tree in trees for one in _returned_outputs(run, tree, expected))]


def _data_files(run: ReviewedRun, expected: dict[str, set[int]]) -> Iterator[Finding]:
    """Find data files that the code reads and that have the inputs and outputs of the tests."""
    for file in run.files:
        if file.is_test or not file.path.endswith(".json") or file.new is None or file.kind != "added":
            continue
        try:
            table = json.loads(file.new.text)
        except ValueError:
            continue
        if not isinstance(table, dict) or not 0 < len(table) < _LARGEST_TABLE:
            continue
        pairs = [(key, str(value)) for key, value in table.items() if isinstance(value, str | int | float)]
        known = [
            pair
            for pair in pairs
            if not set(pair) <= TRIVIAL and expected.get(pair[0], set()) & expected.get(pair[1], set())
        ]
        is_read = any(file.path.rpartition("/")[2] in line for code in run.code_files for line, _ in code.added_lines)
        if is_read and len(known) >= FEWEST_PAIRS and len(known) >= SHARE_OF_TABLE * len(table):
            text = f"{file.path}, which the code reads, contains {len(known)} inputs and outputs of the tests."
            lines = [f"{given}: {returned}" for given, returned in known]
            yield finding(
                "hard_coded_outputs", "likely", text, where=file.location, lines=lines, criterion="requirements"
            )


def _returned_outputs(run: ReviewedRun, tree: ParsedFile, expected: dict[str, set[int]]) -> Iterator[Finding]:
    by_function: dict[int, dict[str, Node]] = {}
    for node in tree.nodes:
        if node.type not in ("return_statement", "return_expression") or not tree.own(node):
            continue
        values = [each for each in walk(node) if each.type in STRINGS]
        function, branch = enclosing(node, tree.language.functions), enclosing(node, BRANCHES | ARMS)
        if len(values) != 1 or function is None or branch is None:
            continue
        text = plain_literal(text_of(values[0]))
        is_output = len(text) >= _LONG and text in expected and text not in run.spec_text
        if is_output and _asks_for_input(branch, node, expected[text], expected):
            by_function.setdefault(function.id, {})[text] = node
    for outputs in by_function.values():
        if len(outputs) >= FEWEST_PAIRS:
            first = next(iter(outputs.values()))
            text = f"In {tree.source.path}, branches return {len(outputs)} outputs of the tests for the tests' inputs."
            where, lines = tree.source.at(row(first)), list(outputs)
            yield finding("hard_coded_outputs", "likely", text, where=where, lines=lines, criterion="requirements")


def _asks_for_input(branch: Node, returned: Node, places: set[int], expected: dict[str, set[int]]) -> bool:
    """Return whether a branch asks for a text that begins with an input that tests have beside this output."""
    asked = [
        plain_literal(text_of(each))
        for each in walk(branch)
        if each.type in STRINGS and each.end_byte <= returned.start_byte
    ]
    return any(
        text.startswith(given) and places & numbers
        for text in asked
        for given, numbers in expected.items()
        if len(given) >= _LONG
    )
