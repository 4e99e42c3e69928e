"""Mutations: small changes to code that tests worth their name notice."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.languages import SyntaxLanguage, language_of, parse, row, text_of, walk
from nerv.inspection.source import LARGEST
from nerv.verification.mutants import Mutation

if TYPE_CHECKING:
    from tree_sitter import Node

_OPERATORS = {
    "==": "!=",
    "!=": "==",
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "and": "or",
    "or": "and",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "*": "+",
    "//": "*",
    "%": "*",
}
_OPERATIONS = frozenset({"binary_expression", "binary_operator", "comparison_operator", "boolean_operator"})
_NUMBERS = frozenset({"integer", "number", "integer_literal", "int_literal", "decimal_integer_literal"})
_CONDITIONALS = frozenset({"if_statement", "elif_clause", "if_expression"})
_FLIPPED = {"True": "False", "False": "True", "true": "false", "false": "true"}
_IGNORED_CALLS = frozenset({"expression_statement"})
_COLLECTIONS = frozenset(
    {
        *("list", "tuple", "dictionary", "set", "array", "object", "pair", "array_expression", "tuple_expression"),
        *("unary_operator", "unary_expression", "reference_expression", "parenthesized_expression"),
        *("literal_value", "literal_element", "keyed_element", "composite_literal", "array_initializer"),
    }
)
_LINES_OF_DATA = 30
"""From this size on, a literal is data, of which tests try a few places at most."""
_CALLS = frozenset({"call", "call_expression", "method_invocation"})


def mutations(path: str, text: str, lines: Collection[int]) -> tuple[Mutation, ...]:
    """Return mutations of these lines (from 1) of a file, in the order of the text; none if it has no parser.

    A condition becomes false, so that what it guards is never done; operators and numbers change a little; calls whose
    result is not used are left out.
    """
    language = language_of(path)
    if language is None or len(text) > LARGEST:
        return ()
    content = text.encode("utf-8", "replace")
    found = []
    for node in walk(parse(language, text)):
        if row(node) + 1 not in lines or _is_data(node):
            continue
        for changed, replacement in _changes(node, language):
            before, after = content[: changed.start_byte], content[changed.end_byte :]
            found.append(
                Mutation(
                    path=path,
                    line=row(changed) + 1,
                    before=" ".join(text_of(changed).split())[:80],
                    after=replacement,
                    content=before + replacement.encode() + after,
                )
            )
    return tuple(found)


def _changes(node: Node, language: SyntaxLanguage) -> Iterator[tuple[Node, str]]:
    """Return the changes that begin at a node: which node, and the text in its place."""
    parent = node.parent
    if node.type in _CONDITIONALS:
        condition = node.child_by_field_name("condition")
        if condition is not None and not _binds_names(condition):
            false = "False" if language.name == "Python" else "false"
            yield condition, f"({false})" if condition.type == "parenthesized_expression" else false
    elif node.type in _OPERATORS and parent is not None and parent.type in _OPERATIONS:
        yield node, _OPERATORS[node.type]
    elif node.type in _NUMBERS:
        digits = text_of(node).replace("_", "")
        if digits.isdigit():
            yield node, str(int(digits) + 1)
    elif node.type in _FLIPPED and not node.children:
        yield node, _FLIPPED[node.type]
    elif node.type in _IGNORED_CALLS and node.named_child_count == 1 and node.named_children[0].type in _CALLS:
        yield node, "pass" if language.name == "Python" else "{}" if language.name != "Go" else ""


def _is_data(node: Node) -> bool:
    """Return whether a node is part of a large literal."""
    around = node.parent
    while around is not None and around.type in _COLLECTIONS:
        if around.end_point[0] - around.start_point[0] >= _LINES_OF_DATA:
            return True
        around = around.parent
    return False


def _binds_names(condition: Node) -> bool:
    """Return whether a condition declares what its block uses, as `if let` does."""
    return any(node.type in ("let_condition", "let_chain", "named_expression") for node in walk(condition))
