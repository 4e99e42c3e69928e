"""The operators that change Rust programs, in one table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.mutation import Edit, Mutation, exchanged, inserted, replaced, text_of
from forgetest.toolchains.rust.audit.alternatives import ARITHMETIC, BOUNDARIES, COMPARISONS, TWINS
from forgetest.toolchains.rust.audit.values import constants

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMAR = "tree_sitter_rust"

_NEUTRAL_CALLS = frozenset(
    {"rev", "sort", "sort_unstable", "dedup", "trim", "abs", "flatten", "skip", "take", "filter"}
)
"""Methods whose result has the type of what they are called on, so that the call can be left out."""
_DECIMAL = re.compile(r"(\d[\d_]*?)_?([iu](?:8|16|32|64|128|size))?")
_BRANCHES = {
    "if_expression": ("consequence", "alternative"),
    "match_expression": ("body",),
    "match_arm": ("value",),
}
"""Expressions with branches, and the fields that hold them."""
_MOST_BRANCH_VALUES = 2
_ORDERINGS = frozenset({"cmp", "partial_cmp", "total_cmp"})
_SYMMETRIC = frozenset({"min", "max", "gcd", "lcm", "swap"})
"""Functions whose arguments may be swapped."""
_MESSAGE_MACROS = frozenset({"panic", "unreachable", "todo", "unimplemented", "debug_assert", "debug_assert_eq"})
_MESSAGE_METHODS = frozenset({"expect", "expect_err"})


def mutations(code: str) -> list[Mutation]:
    """Return every mutation of a program that the table has."""
    return mutation.mutations(code, mutation.parse(GRAMMAR, code), OPERATORS, _is_skipped)


def _is_skipped(node: Node) -> bool:
    """Return whether nothing in a node changes what a program does."""
    if node.type in ("attribute_item", "inner_attribute_item", "use_declaration", "line_comment", "block_comment"):
        return True
    if node.type in ("type_arguments", "type_parameters", "array_type", "where_clause", "reference_type"):
        return True
    if node.type == "macro_invocation":
        return text_of(node.child_by_field_name("macro")) in _MESSAGE_MACROS
    if node.type == "arguments" and node.parent is not None:
        return _method(node.parent) in _MESSAGE_METHODS
    return is_test(node)


def is_test(node: Node) -> bool:
    """Return whether a function or module is for tests."""
    if node.type not in ("mod_item", "function_item"):
        return False
    before = node.prev_named_sibling
    return before is not None and before.type == "attribute_item" and "test" in text_of(before)


def _method(call: Node) -> str:
    function = call.child_by_field_name("function")
    return text_of(function.child_by_field_name("field")) if function is not None else ""


def _comparison(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, COMPARISONS, ("binary_expression",))


def _boundary(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, BOUNDARIES, ("binary_expression",))


def _arithmetic(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, ARITHMETIC, ("binary_expression",))
    if node.parent is not None and node.parent.type == "compound_assignment_expr" and node.type.endswith("="):
        for text in ARITHMETIC.get(node.type[:-1], ()):
            yield replaced(node, f"{text}=")
    if node.type == "unary_expression" and text_of(node.child(0)) == "-":
        yield replaced(node, f"({text_of(node.named_child(0))})")


def _constant(node: Node) -> Iterator[Edit]:
    text = text_of(node)
    if node.type == "integer_literal":
        decimal = _DECIMAL.fullmatch(text)
        if decimal is not None:
            number, suffix = int(decimal[1].replace("_", "")), decimal[2] or ""
            yield from (replaced(node, f"{value}{suffix}") for value in (number + 1, number - 1) if value >= 0)
    elif node.type == "float_literal":
        yield replaced(node, f"({text} + 1.0)")
    elif node.type == "boolean_literal":
        yield replaced(node, "false" if text == "true" else "true")
    elif node.type == "string_literal" and node.parent is not None and node.parent.type != "token_tree":
        yield replaced(node, '""' if text != '""' else '"mutant"')
    elif node.type == "char_literal" and node.parent is not None and node.parent.type != "token_tree":
        yield replaced(node, "'\\u{1}'")


def _boolean(node: Node) -> Iterator[Edit]:
    yield from exchanged(node, {"&&": ("||",), "||": ("&&",)}, ("binary_expression",))
    if node.type == "unary_expression" and text_of(node.child(0)) == "!":
        yield replaced(node, f"({text_of(node.named_child(0))})")
    if node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) in ("&&", "||"):
        yield from (replaced(node, f"({text_of(node.child_by_field_name(side))})") for side in ("left", "right"))


def _condition(node: Node) -> Iterator[Edit]:
    condition = None
    if node.type in ("if_expression", "while_expression", "match_pattern"):
        condition = node.child_by_field_name("condition")
    if condition is None or any(each.type in ("let_condition", "let_chain") for each in mutation.walk(condition)):
        return
    yield replaced(condition, "false")
    if node.type != "while_expression":
        yield replaced(condition, "true")
    operator = text_of(condition.child_by_field_name("operator"))
    is_negated = condition.type == "unary_expression" or operator in COMPARISONS
    if not is_negated and condition.type != "boolean_literal":
        yield replaced(condition, f"!({text_of(condition)})")


def _deleted_statement(node: Node) -> Iterator[Edit]:
    if node.type == "expression_statement" and node.named_child_count >= 1:
        only = node.named_children[0]
        if only.type in (
            "call_expression",
            "assignment_expression",
            "compound_assignment_expr",
            "await_expression",
            "try_expression",
            "continue_expression",
            "break_expression",
            "return_expression",
        ) or (only.type == "if_expression" and only.child_by_field_name("alternative") is None):
            yield replaced(node, "")
    elif node.type == "match_arm" and node.parent is not None:
        arms = [child for child in node.parent.named_children if child.type == "match_arm"]
        if len(arms) > 1 and node != arms[-1]:
            yield replaced(node, "")


def _deleted_call(node: Node) -> Iterator[Edit]:
    function = node.child_by_field_name("function") if node.type == "call_expression" else None
    if function is not None and function.type == "field_expression" and _method(node) in _NEUTRAL_CALLS:
        yield replaced(node, text_of(function.child_by_field_name("value")))


def _early_return(node: Node) -> Iterator[Edit]:
    if node.type in ("for_expression", "while_expression", "loop_expression"):
        body = node.child_by_field_name("body")
        if body is not None and body.named_child_count:
            yield inserted(body.end_byte - 1, " break; ")
            yield inserted(body.start_byte + 1, " break; ")
            function = _enclosing_function(node)
            if function is not None:
                yield from (inserted(body.start_byte + 1, f" return {value}; ") for value in constants(function)[:1])


def _return_value(node: Node) -> Iterator[Edit]:
    if node.type == "function_item":
        body = node.child_by_field_name("body")
        if body is not None and body.named_child_count:
            for text in constants(node):
                yield replaced(body, f"{{ {text} }}")
            for value in _branch_values(body):
                others = [text for text in constants(node) if text != text_of(value)]
                yield from (replaced(value, text) for text in others[:_MOST_BRANCH_VALUES])
    elif node.type == "return_expression" and node.named_child_count == 1:
        function = _enclosing_function(node)
        if function is not None:
            yield from (replaced(node.named_children[0], text) for text in constants(function))


def _branch_values(node: Node, *, is_branch: bool = False) -> Iterator[Node]:
    """Yield the expressions that branches at the end of a function return."""
    if node.type in ("else_clause", "match_block"):
        inner = [child for child in node.named_children if not child.type.endswith("comment")]
    elif node.type in _BRANCHES:
        inner = [child for field in _BRANCHES[node.type] if (child := node.child_by_field_name(field)) is not None]
    elif node.type in ("block", "expression_statement"):
        inner = [] if text_of(node).endswith(";") else node.named_children[-1:]
    else:
        inner = []
        is_message = node.type == "macro_invocation" and text_of(node.child_by_field_name("macro")) in _MESSAGE_MACROS
        if is_branch and not is_message and _is_value_type(node.type):
            yield node
    for child in inner:
        yield from _branch_values(child, is_branch=is_branch or node.type in _BRANCHES)


def _is_value_type(kind: str) -> bool:
    leaves = kind in ("return_expression", "continue_expression", "break_expression")
    return not leaves and kind.endswith(("expression", "literal", "identifier", "invocation"))


def _enclosing_function(node: Node) -> Node | None:
    return mutation.enclosing(node, "function_item", ("closure_expression", "async_block"))


def _swapped_arguments(node: Node) -> Iterator[Edit]:
    if node.type != "arguments" or node.parent is None:
        return
    function = node.parent.child_by_field_name("function")
    if (_method(node.parent) or text_of(function).rpartition("::")[2]) in _SYMMETRIC:
        return
    if function is not None and _method(node.parent) in _ORDERINGS:
        yield from _reversed_ordering(node.parent, function, node)
    plain = [child for child in node.named_children if not child.type.endswith("comment")]
    for one, other in pairwise(plain):
        yield Edit(one.start_byte, other.end_byte, f"{text_of(other)}, {text_of(one)}")


def _reversed_ordering(call: Node, function: Node, arguments: Node) -> Iterator[Edit]:
    """`b.cmp(a)` for `a.cmp(b)`; `a` must not lose a reference, and `b` must not keep one."""
    receiver, argument = function.child_by_field_name("value"), arguments.named_child(0)
    if receiver is None or argument is None:
        return
    is_reference = argument.type == "reference_expression"
    bare = text_of(argument.child_by_field_name("value")) if is_reference else text_of(argument)
    text = f"{bare}.{_method(call)}({'&' if is_reference else ''}{text_of(receiver)})"
    yield replaced(call, text)


def _loop_bound(node: Node) -> Iterator[Edit]:
    if node.type != "range_expression":
        return
    operator = next((child for child in node.children if child.type in ("..", "..=")), None)
    if operator is None:
        return
    lower = [child for child in node.named_children if child.end_byte <= operator.start_byte]
    upper = [child for child in node.named_children if child.start_byte >= operator.end_byte]
    if upper:
        yield replaced(operator, "..=" if operator.type == ".." else "..")
        yield replaced(upper[0], f"({text_of(upper[0])} - 1)")
    if lower:
        yield replaced(lower[0], f"({text_of(lower[0])} + 1)")
    elif upper:
        yield inserted(operator.start_byte, "1")


def _error_kind(node: Node) -> Iterator[Edit]:
    """Another variant of an enum that the program defines, and `None` and `Some` for each other."""
    if node.type == "scoped_identifier" and _is_value(node):
        path, name = text_of(node.child_by_field_name("path")), text_of(node.child_by_field_name("name"))
        others = [other for other in _plain_variants(node, path) if other != name]
        is_called = node.parent is not None and node.parent.type == "call_expression"
        if len(others) and not is_called and name in _plain_variants(node, path):
            yield from (replaced(node, f"{path}::{other}") for other in others[:2])
    elif node.type == "call_expression" and text_of(node.child_by_field_name("function")) == "Some":
        yield replaced(node, "None")


def _is_value(node: Node) -> bool:
    """Return whether a path is evaluated, and is no pattern and no part of a longer path."""
    above = node.parent
    while above is not None and not above.type.endswith(("block", "_item")):
        if above.type in ("match_pattern", "let_condition", "scoped_identifier") or above.type.endswith("_pattern"):
            return False
        above = above.parent
    return True


def _plain_variants(node: Node, enum: str) -> list[str]:
    root = node
    while root.parent is not None:
        root = root.parent
    for item in root.named_children:
        if item.type == "enum_item" and text_of(item.child_by_field_name("name")) == enum:
            body = item.child_by_field_name("body")
            variants = [child for child in body.named_children if child.type == "enum_variant"] if body else []
            return [text_of(each.child_by_field_name("name")) for each in variants if each.named_child_count == 1]
    return []


def _twin(node: Node) -> Iterator[Edit]:
    if node.type == "field_identifier" and node.parent is not None and node.parent.type == "field_expression":
        call = node.parent.parent
        if call is not None and call.type == "call_expression":
            yield from (replaced(node, text) for text in TWINS.get(text_of(node), ()))


OPERATORS: mutation.Operators = {
    "comparison": _comparison,
    "boundary": _boundary,
    "arithmetic": _arithmetic,
    "constant": _constant,
    "boolean": _boolean,
    "condition": _condition,
    "deleted statement": _deleted_statement,
    "deleted call": _deleted_call,
    "early return": _early_return,
    "return value": _return_value,
    "swapped arguments": _swapped_arguments,
    "loop bound": _loop_bound,
    "error kind": _error_kind,
    "twin": _twin,
}
