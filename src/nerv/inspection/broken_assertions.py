"""Broken assertions: every comparison in a test file fails as soon as it is reached.

A test that passes all the same never comes to compare anything: it loops over an empty result, asks for a condition
that never holds, or swallows the failure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.hollow_code import Edit, edited
from nerv.inspection.languages import SyntaxLanguage, language_of, parse, row, text_of, walk
from nerv.inspection.source import LARGEST
from nerv.inspection.values import ancestors

if TYPE_CHECKING:
    from tree_sitter import Node

_JAVASCRIPT = 'void (() => { throw new Error("broken assertion"); })()'
_JAVASCRIPT_CALL = re.compile(r"(?:\w+\.)?assert(?:\.\w+)*|expect\(.*\)(?:\.\w+)+", re.S)
_NO_COMPARISON = re.compile(
    r"(?:\w+\.)?assert\.(?:fail|rejects|throws|doesNot\w+|ifError)|.*\.(?:rejects|throws?|toThrow\w*)\b", re.S
)
"""Assertions that are about an error, or the lack of one."""
_PYTHON_CALL = re.compile(r"self\.assert(?!Raises|Warns|Logs|NoLogs)\w+|(?:\w+\.)*assert_\w+")
_RUST_MACRO = re.compile(r"assert(?:_eq|_ne|_matches)?|(?:\w+::)?assert_\w+")
_GO_CALL = re.compile(r"\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)")
_ASKS_FOR_ERROR = re.compile(r"\(?\s*!?\s*(?:\w*[eE]rr\w*\s*[!=]=\s*nil|errors\.(?:Is|As)\(.*\)|ok|!ok)\s*\)?", re.S)
"""A condition about the mere presence of an error or a value."""


def break_assertions(path: str, text: str, lines: Collection[int] | None = None) -> bytes | None:
    """Return a test file whose comparisons all fail; None if it has none that could be changed.

    Only those that begin on one of these lines (from 1), if some are given; in Python, JavaScript, Go and Rust.
    Assertions about errors stay: what is left out is left as it was, and may still end a test.
    """
    language = language_of(path)
    change = _CHANGES.get(language.name) if language is not None else None
    if language is None or change is None or len(text) > LARGEST:
        return None
    wanted = None if lines is None else frozenset(lines)
    found = _within(language, text, wanted)
    return edited(text, list(dict.fromkeys(edit for node in found for edit in change(node))))


def broken_lines(path: str, text: str) -> frozenset[int]:
    """Return the lines (from 1) on which assertions begin that can be broken."""
    language = language_of(path)
    change = _CHANGES.get(language.name) if language is not None else None
    if language is None or change is None or len(text) > LARGEST:
        return frozenset()
    return frozenset(row(node) + 1 for node in _within(language, text, None) if any(True for _ in change(node)))


def _within(language: SyntaxLanguage, text: str, wanted: frozenset[int] | None) -> Iterator[Node]:
    for node in walk(parse(language, text)):
        if wanted is None or row(node) + 1 in wanted:
            yield node


def _python(node: Node) -> Iterator[Edit]:
    if node.type == "assert_statement":
        yield node.start_byte, node.end_byte, 'assert False, "broken assertion"'
    elif node.type == "call" and _PYTHON_CALL.fullmatch(text_of(node.child_by_field_name("function"))):
        yield node.start_byte, node.end_byte, '(_ for _ in ()).throw(AssertionError("broken assertion"))'


def _javascript(node: Node) -> Iterator[Edit]:
    called = text_of(node.child_by_field_name("function")) if node.type == "call_expression" else ""
    if called and _JAVASCRIPT_CALL.fullmatch(called) and not _NO_COMPARISON.match(called):
        yield node.start_byte, node.end_byte, _JAVASCRIPT


def _rust(node: Node) -> Iterator[Edit]:
    if node.type == "macro_invocation" and _RUST_MACRO.fullmatch(text_of(node.child_by_field_name("macro"))):
        yield node.start_byte, node.start_byte, '{ if true { panic!("broken assertion"); } '
        yield node.end_byte, node.end_byte, " }"


def _go(node: Node) -> Iterator[Edit]:
    """Make the condition true below which a test fails: `if got != want { t.Errorf(…) }`."""
    if node.type != "call_expression" or not _GO_CALL.fullmatch(text_of(node.child_by_field_name("function"))):
        return
    branch = next((each for each in ancestors(node) if each.type in ("if_statement", "func_literal")), None)
    condition = branch.child_by_field_name("condition") if branch is not None else None
    if condition is not None and not _ASKS_FOR_ERROR.fullmatch(text_of(condition)):
        yield condition.start_byte, condition.start_byte, "(true || ("
        yield condition.end_byte, condition.end_byte, "))"


_CHANGES = {"Python": _python, "JavaScript": _javascript, "TypeScript": _javascript, "Go": _go, "Rust": _rust}
