"""Leftover code: commented-out code, TODO notes, debugging aids, code that never runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.inspection.languages import SyntaxLanguage, name_of, parse, row, text_of, walk
from nerv.inspection.source import is_terminal_program
from nerv.inspection.values import COMMENTS, Issue, ParsedFile, ancestors

if TYPE_CHECKING:
    from tree_sitter import Node

_NOTE = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
_PLACEHOLDER = re.compile(
    r"not (?:yet )?implemented|implement (?:this|me|later)|\bplaceholder\b|rest of (?:the )?code", re.I
)
_DEBUG_CALLS = frozenset(
    {
        "console.log",
        "console.debug",
        "console.trace",
        "breakpoint",
        "pdb.set_trace",
        "ipdb.set_trace",
        "debugger",
        "var_dump",
    }
)
_MACROS = frozenset({"todo", "unimplemented", "dbg"})
_FOCUSED = re.compile(r"(?:it|test|describe)\.(?:only|skip|todo)|x(?:it|describe|test)|f(?:it|describe)")
_CONFLICT = re.compile(r"^(?:<{7} |>{7} |={7}$)")


def leftover_issues(parsed: ParsedFile) -> Iterator[Issue]:
    """Find code that a reviewer would ask to remove before the merge."""
    for node in parsed.nodes:
        if not parsed.own(node):
            continue
        if node.type in COMMENTS:
            if note := _NOTE.search(text_of(node)) or _PLACEHOLDER.search(text_of(node)):
                yield parsed.issue("leftover", node, f"a note was left: {_excerpt(text_of(node), note.start())}", 0.5)
        elif (text := _leftover(node, parsed)) is not None:
            yield parsed.issue("leftover", node, text, 0.5)
        if node.type in parsed.language.blocks:
            yield from _unreachable(node, parsed)
    for index, line in enumerate(parsed.source.text.split("\n")):
        if _CONFLICT.match(line) and line[0] != "=" and parsed.source.lines[index : index + 1]:
            location = parsed.source.at(index)
            yield Issue(kind="leftover", text="a merge conflict was left in the file", location=location, weight=3)
    yield from _commented_out(parsed)


def _excerpt(text: str, index: int) -> str:
    return text[index : index + 70].split("\n")[0].strip()


def _leftover(node: Node, parsed: ParsedFile) -> str | None:
    if node.type in ("call_expression", "call", "method_invocation"):
        called = text_of(node.child_by_field_name("function"))
        printing = called == "console.log" and is_terminal_program(parsed.source.path)
        if called in _DEBUG_CALLS and not parsed.is_test and not printing:
            return f"a debugging aid was left: {text_of(node)[:60]}"
        if parsed.is_test and _FOCUSED.fullmatch(called):
            return f"a test is switched off, or alone: {called}"
    if node.type == "debugger_statement":
        return "a debugging aid was left: debugger"
    if node.type == "macro_invocation" and text_of(node.child_by_field_name("macro")) in _MACROS:
        return f"{text_of(node)[:40]} was left"
    if node.type == "raise_statement" and "NotImplementedError" in text_of(node) and not _abstract(node):
        return "a function was left unimplemented: NotImplementedError"
    if node.type in parsed.language.functions and not parsed.is_test and _hollow(node):
        return f"{name_of(node) or 'a function'} has no body"
    return None


def _abstract(node: Node) -> bool:
    return any(
        around.type == "decorated_definition" and "abstractmethod" in text_of(around)[:200]
        for around in ancestors(node)
    )


def _hollow(function: Node) -> bool:
    """Return whether a Python function is only `pass` or `...`, outside Protocols and abstract classes."""
    body = function.child_by_field_name("body")
    if body is None or function.type != "function_definition":
        return False
    statements = [child for child in body.named_children if child.type != "comment"]
    if len(statements) != 1 or statements[0].type != "pass_statement":
        return False
    return not _abstract(function) and not name_of(function).startswith("__")


def _unreachable(block: Node, parsed: ParsedFile) -> Iterator[Issue]:
    ended = False
    for statement in block.named_children:
        if statement.type in COMMENTS:
            continue
        if ended and statement.type not in ("function_declaration", "function_item", "empty_statement", "else_clause"):
            if parsed.own(statement):
                yield parsed.issue("dead code", statement, f"never reached: {text_of(statement)[:60]}", 1)
            return
        inner = (
            statement.named_children[0]
            if statement.type == "expression_statement" and statement.named_children
            else None
        )
        ended = statement.type in parsed.language.ends or (inner is not None and inner.type in parsed.language.ends)


_MARKS = re.compile(r"^\s*(?:#+|//+[/!]?|/\*+|\*+/?|--)\s?|\s*\*/\s*$")
_CODE = re.compile(r"[=;(){}\[\]]")
_FOR_TOOLS = re.compile(
    r"\s*(?:pylint|mypy|pyright|ruff|flake8|isort|yapf|fmt|type|pragma|eslint|prettier|istanbul|nolint|noinspection)\b\s*[:-]"
)
"""Comments that tools read: `pylint: disable=W0212`."""


def _commented_out(parsed: ParsedFile) -> Iterator[Issue]:
    """Find comments that are code: without comment marks they parse, and not only as a word or sentence."""
    for run in _comment_runs(parsed):
        lines = [_MARKS.sub("", line) for node in run for line in text_of(node).split("\n")]
        lines = [line for line in lines if not _FOR_TOOLS.match(line)]
        text = "\n".join(lines)
        if not text_of(run[0]).startswith(("///", "//!", "/**", "#!")) and _is_code(parsed.language, text):
            count = sum(1 for line in lines if line.strip())
            weight = min(3.0, 0.5 + count / 10)
            yield parsed.issue(
                "commented-out code",
                run[0],
                f"{count} commented-out line{'s' * (count > 1)}: {lines[0].strip()[:50]}",
                weight,
            )


def _comment_runs(parsed: ParsedFile) -> Iterator[list[Node]]:
    """Yield comments on consecutive lines as one block, without comments after code."""
    run: list[Node] = []
    text = parsed.source.text.split("\n")
    for node in parsed.nodes:
        if node.type not in COMMENTS or not parsed.own(node):
            continue
        if text[row(node)].encode()[: node.start_point[1]].strip():
            continue
        if run and row(node) != run[-1].end_point[0] + (0 if run[-1].end_point[1] == 0 else 1):
            yield run
            run = []
        run.append(node)
    if run:
        yield run


_STATEMENTS = frozenset(
    {
        "assignment",
        "augmented_assignment",
        "assignment_expression",
        "call",
        "call_expression",
        "method_invocation",
        "import_statement",
        "import_from_statement",
        "return_statement",
        "return_expression",
        "if_statement",
        "if_expression",
        "for_statement",
        "for_expression",
        "lexical_declaration",
        "variable_declaration",
        "variable_declarator",
        "let_declaration",
        "short_var_declaration",
        "local_variable_declaration",
        "function_definition",
        "function_declaration",
        "function_item",
        "method_declaration",
        "macro_invocation",
    }
)
_CALLS = frozenset({"call", "call_expression", "method_invocation", "macro_invocation"})


def _is_code(language: SyntaxLanguage, text: str) -> bool:
    if not _CODE.search(text) or len(text.strip()) < 8:
        return False
    root = parse(language, _in_a_function(language, text))
    if root.has_error:
        return False
    kinds = [node.type for node in walk(root) if node.type in _STATEMENTS and not _annotation(node)]
    wrapper = 1 if language.name in ("Rust", "Go", "Java") else 0
    statements = kinds[wrapper:]
    # a lone call may be an example or a mention: `foo(bar)`
    return (
        any(kind not in _CALLS for kind in statements)
        or len(statements) > 1
        or (bool(statements) and text.rstrip().endswith(";"))
    )


def _annotation(node: Node) -> bool:
    """`Note: this` parses as a variable with a type."""
    return node.type == "assignment" and node.child_by_field_name("right") is None


def _in_a_function(language: SyntaxLanguage, text: str) -> str:
    if language.name == "Rust":
        return f"fn wrapped() {{\n{text}\n}}"
    if language.name == "Go":
        return f"package wrapped\nfunc wrapped() {{\n{text}\n}}"
    if language.name == "Java":
        return f"class Wrapped {{ void wrapped() {{\n{text}\n}} }}"
    return _dedented(text)


def _dedented(text: str) -> str:
    import textwrap

    return textwrap.dedent(text)
