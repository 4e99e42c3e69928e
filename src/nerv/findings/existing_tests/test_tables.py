"""Tables of cases in tests that existed before the run: rows that are gone, or expect another value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding
from nerv.findings.existing_tests.test_changes import rewritten_level
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import row, text_of
from nerv.inspection.values import ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node

_TABLE = re.compile(r"parametrize|\.each\b|ValueSource|CsvSource|rstest|test_case")


def changed_tables(run: ReviewedRun) -> list[Finding]:
    """Find tables of cases (parametrize, each, Go's tables) that lost rows, or whose rows expect something else."""
    found: list[Finding] = []
    trees = [file.new_tree for file in run.test_files if file.new_tree is not None]
    everywhere = {_values(text) for tree in trees for text, _ in _own_rows(tree)}
    for file in run.test_files:
        old, new = file.old_tree, file.new_tree
        if old is None or new is None:
            continue
        lost = dict(_own_rows(old))
        gained = dict(_own_rows(new))
        gone = {
            line: skeleton
            for line, skeleton in lost.items()
            if line not in gained and _values(line) not in everywhere and line not in run.added_lines
        }
        came = {line: skeleton for line, skeleton in gained.items() if line not in lost}
        pairs = []
        for line, skeleton in list(gone.items()):
            match = next((one for one, kind in came.items() if kind == skeleton and _same_input(line, one)), None)
            if match is not None:
                came.pop(match)
                gone.pop(line)
                pairs.append((line, match))
        if pairs:
            values = [pair for one, two in pairs for pair in _changed_words(one, two)]
            owners = [" ".join(test.lines) for test in file.old_tests if run.is_disputed(test.name)]
            may_change = all(any(line in owner for owner in owners) for line, _ in pairs)
            level = rewritten_level(run, "", values) if values and not may_change else "note"
            text = f"In {file.path}, a table of cases expects other values now."
            lines = [line for one, two in pairs for line in (f"- {one}", f"+ {two}")]
            found.append(finding("rewritten_tests", level, text, where=file.location, lines=lines))
        elif len(gone) > len(came):
            named = any(run.asks_for_change_of(test.name) for test in file.old_tests if test.name)
            level = "note" if named or run.spec_asks_for_test_changes else "likely"
            count = "a case was" if len(gone) == 1 else f"{len(gone)} cases were"
            text = f"In {file.path}, {count} removed from a table of cases."
            found.append(
                finding("weakened_tests", level, text, where=file.location, lines=[f"- {line}" for line in gone])
            )
    return found


_LITERAL_WORD = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|-?\b\d[\w.]*|\b(?:True|False|None|true|false|null|nil)\b")


def _own_rows(tree: ParsedFile) -> Iterator[tuple[str, str]]:
    """Yield the rows of tables that belong to this side alone, each with its skeleton."""
    for node in tree.nodes:
        if node.type in ("tuple", "list", "array", "literal_value", "literal_element") and tree.own(node):
            around = node.parent
            if around is None or (row(around) == row(node) and int(around.end_point[0]) == int(node.end_point[0])):
                continue
            text = " ".join(text_of(node).split())
            if text and len(text) < 500 and not _is_first_argument(node) and _in_table(node):
                yield text, _LITERAL_WORD.sub("§", text)


def _is_first_argument(node: Node) -> bool:
    """Return whether a tuple holds the names of a table's columns, not a row."""
    around = node.parent
    return around is not None and around.type == "argument_list" and around.named_children[:1] == [node]


def _in_table(node: Node) -> bool:
    around = node.parent
    for _ in range(8):
        if around is None:
            return False
        if around.type == "decorator":
            return _TABLE.search(text_of(around)[:200] or "parametrize") is not None
        if around.type == "call_expression" and _TABLE.search(text_of(around.child_by_field_name("function"))[:200]):
            return True
        if around.type == "composite_literal":
            return text_of(around.child_by_field_name("type")).startswith("[]struct")
        around = around.parent
    return False


def _values(text: str) -> tuple[str, ...]:
    """Return the values of a row, which stay the same where its layout or a comment changes."""
    return tuple(_LITERAL_WORD.findall(text)) or (text,)


def _same_input(one: str, two: str) -> bool:
    """Return whether two rows begin with the same value: then only what is expected of it differs."""
    return _LITERAL_WORD.findall(one)[:1] == _LITERAL_WORD.findall(two)[:1]


def _changed_words(one: str, two: str) -> list[tuple[str, str]]:
    pairs = zip(_LITERAL_WORD.findall(one), _LITERAL_WORD.findall(two), strict=False)
    return [(was, now) for was, now in pairs if was != now]
