"""Hollow code: functions that the run wrote give empty values, or an error where the language returns those.

A test that passes all the same calls them, but looks at nothing that they give.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.disabled_code import disable_code
from nerv.inspection.languages import SyntaxLanguage, language_of, name_of, parse, row, text_of, walk
from nerv.inspection.source import LARGEST
from nerv.inspection.values import enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_PYTHON = (
    "(lambda _v: (lambda _h: _h(_h, _v))(lambda _h, _v:"
    " type(_v)() if type(_v) in (bool, int, float, str, bytes, list, tuple, dict, set)"
    " else (lambda *_a, **_k: _h(_h, _v(*_a, **_k))) if type(_v).__name__ == 'function' else _v))({value})"
)
_JAVASCRIPT = (
    '(function _h(_v) {{ return (typeof _v === "string" ? "" : typeof _v === "number" ? 0'
    ' : typeof _v === "boolean" ? false : Array.isArray(_v) ? [] : _v instanceof Map ? new Map()'
    " : _v instanceof Set ? new Set() : _v && Object.getPrototypeOf(_v) === Object.prototype ? {{}}"
    ' : typeof _v === "function" && !_v.prototype ? (..._a) => _h(_v(..._a)) : _v); }})({value})'
)
"""A function that a function gives is hollow, too; in JavaScript, only one that is no class."""
_WRAPPED = {"Python": _PYTHON, "JavaScript": _JAVASCRIPT}
_ERROR = '\n\ntype {name} struct{{}}\n\nfunc ({name}) Error() string {{ return "disabled" }}\n'
Edit = tuple[int, int, str]
"""Start, end and text of a replacement, in bytes."""


def refuse_calls(path: str, text: str, lines: Collection[int]) -> bytes | None:
    """Return a file whose functions with one of these lines (from 1) fail; None if it has none, or no parser.

    In Go they return an error or empty values: a panic would end all tests at once.
    """
    language = language_of(path)
    if language is None or language.name != "Go" or len(text) > LARGEST:
        return disable_code(path, text, lines)
    error = f"disabled{hashlib.sha256(path.encode()).hexdigest()[:8]}"
    edits = [edit for node in functions_with(language, text, lines) for edit in _go_return(node, error)]
    changed = edited(text, edits)
    return changed if changed is None or error.encode() not in changed else changed + _ERROR.format(name=error).encode()


def hollow_results(path: str, text: str, lines: Collection[int], names: Collection[str]) -> bytes | None:
    """Return a file whose functions of these names give empty values of the same kind; None if it has none.

    Only functions with one of these lines (from 1), in Python, JavaScript and Go.
    """
    language = language_of(path)
    if language is None or len(text) > LARGEST:
        return None
    functions = [node for node in functions_with(language, text, lines) if name_of(node) in names]
    if language.name == "Go":
        return edited(text, [edit for node in functions for edit in _go_return(node, None)])
    wrapper = _WRAPPED.get(language.name)
    if wrapper is None:
        return None
    return edited(text, [edit for node in functions for edit in wrapped_returns(node, language, wrapper)])


def functions_with(language: SyntaxLanguage, text: str, lines: Collection[int]) -> Iterator[Node]:
    """Yield the functions of a text that have one of these lines (from 1)."""
    wanted = frozenset(lines)
    for node in walk(parse(language, text)):
        if node.type in language.functions and not wanted.isdisjoint(range(row(node) + 1, int(node.end_point[0]) + 2)):
            yield node


def wrapped_returns(function: Node, language: SyntaxLanguage, wrapper: str) -> Iterator[Edit]:
    """Yield a change for each value that a function returns."""
    body = function.child_by_field_name("body")
    if function.type == "arrow_function" and body is not None and body.type != "statement_block":
        yield body.start_byte, body.end_byte, wrapper.format(value=text_of(body))
        return
    for node in walk(function):
        if node.type == "return_statement" and node.named_children and enclosing(node, language.functions) == function:
            values = [each for each in node.named_children if each.type != "comment"]
            start, end = values[0].start_byte, values[-1].end_byte
            value = text_of(node).encode()[start - node.start_byte : end - node.start_byte].decode()
            yield start, end, wrapper.format(value=f"({value})")


def _go_return(function: Node, error: str | None) -> Iterator[Edit]:
    """Yield a statement at the beginning of a function that returns empty values, and an error if one is wanted."""
    body, result = function.child_by_field_name("body"), function.child_by_field_name("result")
    if body is None:
        return
    kinds = [text_of(result)] if result is not None else []
    if result is not None and result.type == "parameter_list":
        kinds = [
            text_of(each.child_by_field_name("type"))
            for each in result.named_children
            for _ in range(max(1, len(each.children_by_field_name("name"))))
        ]
    values = [f"*new({kind})" for kind in kinds]
    if error is not None and kinds and kinds[-1] == "error":
        values[-1] = f"{error}{{}}"
    statement = f" if true {{ return {', '.join(values)} }}; "
    yield body.start_byte + 1, body.start_byte + 1, re.sub(r"return  }", "return }", statement)


def edited(text: str, edits: list[Edit]) -> bytes | None:
    """Return a text with these changes, of which none may lie inside another; None if there are none."""
    if not edits:
        return None
    content, pieces, done = text.encode("utf-8", "replace"), [], 0
    for start, end, piece in sorted(edits):
        if start >= done:
            pieces += [content[done:start], piece.encode()]
            done = end
    return b"".join((*pieces, content[done:]))
