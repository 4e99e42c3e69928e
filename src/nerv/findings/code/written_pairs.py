"""Pairs of an input and an output that stand in the code: branches, arms of a `switch`, entries and rows of tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nerv.findings.test_code import LITERALS
from nerv.findings.test_values import plain_literal
from nerv.inspection.languages import text_of, walk
from nerv.inspection.test_functions import in_test_module
from nerv.inspection.values import COMMENTS, ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_MANY_PAIRS = 3
FREE_TEXT = re.compile(r"\s|.{10}|(?=.{4}).*[=$#\"'(){}<>*\\]", re.S)
"""An input of ten characters, or with a blank or the signs of some syntax, is no key of an ordinary table."""
_TABLES = frozenset({"dictionary", "object", "composite_literal", "array_expression", "array"})
_ARGUMENTS = frozenset({"argument_list", "arguments"})
_SIGNED = frozenset({"unary_operator", "unary_expression"})
BRANCHES = frozenset({"if_statement", "if_expression", "elif_clause", "conditional_expression", "ternary_expression"})
ARMS = frozenset(
    {"match_arm", "switch_case", "case_clause", "expression_case", "switch_block_statement_group", "switch_rule"}
)
_VALUE = re.compile(r"return\b|[\"'\d\[(-]|Some\(|Ok\(|vec!|String::from|true|false")
_STORES = re.compile(r"(?:.*\.)?(?:put|set|insert|entry|add|Map\.entry)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """An input and what it gives, each as plain literals joined by NUL characters."""

    given: str
    returned: str
    node: Node


def pairs_by_owner(tree: ParsedFile) -> dict[int, list[Pair]]:
    """Return the pairs of input and output that stand in the code, by the function or table that has them."""
    found: dict[int, list[Pair]] = {}
    is_rust = tree.language.name == "Rust"
    for node in tree.nodes:
        if not tree.own(node) or (is_rust and in_test_module(node)):
            continue
        found.update(_listed_pairs(node))
        pair = _pair(node)
        if pair is None:
            continue
        function = enclosing(node, tree.language.functions)
        table = enclosing(node, _TABLES)
        owner = function if node.type in BRANCHES | ARMS else table or function or tree.root
        if owner is not None:
            found.setdefault(owner.id, []).extend(_alternatives(pair))
    return found


def _listed_pairs(node: Node) -> dict[int, list[Pair]]:
    """Return the pairs of a call with one literal after the other: `strings.NewReplacer("a", "b", "c", "d")`."""
    parts = [each for each in node.named_children if each.type not in COMMENTS] if node.type in _ARGUMENTS else []
    if len(parts) < 2 * _MANY_PAIRS or len(parts) % 2 or any(each.type not in LITERALS for each in parts):
        return {}
    plain = [plain_literal(text_of(each)) for each in parts]
    pairs = zip(plain[::2], plain[1::2], parts[::2], strict=True)
    return {node.id: [Pair(given=given, returned=returned, node=part) for given, returned, part in pairs]}


def _pair(node: Node) -> Pair | None:
    if node.type in BRANCHES:
        return _branch(node)
    if node.type in ARMS:
        return _arm(node)
    if node.type in ("pair", "keyed_element"):
        return _entry(node)
    if node.type in ("tuple", "array", "list", "tuple_expression", "argument_list", "arguments"):
        return _row(node)
    return None


def _alternatives(pair: Pair) -> list[Pair]:
    """Return a pair for each input of `case "a", "b":`, or the pair itself."""
    given = pair.given.split("\0")
    if pair.node.type not in ARMS or len(given) == 1 or not all(FREE_TEXT.search(each) for each in given):
        return [pair]
    return [replace(pair, given=each) for each in given]


def _branch(node: Node) -> Pair | None:
    """`if x == "a": return "b"`, also with several comparisons joined by `and`."""
    condition = node.child_by_field_name("condition")
    if condition is None and node.type in ("conditional_expression", "ternary_expression"):
        parts = node.named_children
        condition = parts[1] if node.type == "conditional_expression" and len(parts) == 3 else None
    if condition is None or not re.search(r"==|\bis\b|equals|\bin\b", text_of(condition)):
        return None
    if re.search(r"%|\blen\(|\.len\(\)|\.length|\.size\(|typeof|instanceof", text_of(condition)):
        return None
    given = [plain_literal(text_of(each)) for each in walk(condition) if each.type in LITERALS]
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    returned = _returned(body)
    return Pair(given="\0".join(given), returned=returned, node=node) if given and returned is not None else None


def _arm(node: Node) -> Pair | None:
    literals = [each for each in walk(node) if each.type in LITERALS]
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("value")
    if pattern is None:
        if not node.named_children:
            return None
        pattern = node.named_children[0]
    given = [plain_literal(text_of(each)) for each in walk(pattern) if each.type in LITERALS]
    rest = [each for each in literals if each.start_byte >= pattern.end_byte]
    statements = [
        each for each in node.named_children if each.start_byte >= pattern.end_byte and each.type not in COMMENTS
    ]
    if not given or not rest or len(statements) > 2 or (len(rest) > 1 and not _is_list(statements[0])):
        return None
    return Pair(given="\0".join(given), returned="\0".join(plain_literal(text_of(each)) for each in rest), node=node)


def _is_list(node: Node) -> bool:
    """Return whether a value is a list of literals."""
    names = [text_of(each) for each in walk(node) if each.type == "identifier"]
    return (
        set(names) <= {"vec", "Ok", "Some"}
        and re.match(r"(?:return\s+)?(?:\w+\()*(?:&?vec!)?\[", text_of(node)) is not None
    )


def _entry(node: Node) -> Pair | None:
    key = node.child_by_field_name("key") or (node.named_children[0] if len(node.named_children) == 2 else None)
    value = node.child_by_field_name("value") or (node.named_children[1] if len(node.named_children) == 2 else None)
    if key is None or value is None:
        return None
    given = [plain_literal(text_of(each)) for each in walk(key) if each.type in LITERALS]
    if not given and key.type in ("property_identifier", "identifier"):
        given = [text_of(key)]
    returned = [plain_literal(text_of(each)) for each in walk(value) if each.type in LITERALS]
    if not given or not returned or len(text_of(value)) > 300:
        return None
    return Pair(given="\0".join(given), returned="\0".join(returned), node=node)


def _row(node: Node) -> Pair | None:
    """`("a", "b")` or `("a", 1, "b")` in a list of rows, whose last value is the output, and `known.put("a", "b")`."""
    parts = [each for each in node.named_children if each.type not in COMMENTS]
    if len(parts) < 2 or node.parent is None:
        return None
    if node.type in ("argument_list", "arguments"):
        called = node.parent.child_by_field_name("function") or node.parent.child_by_field_name("name")
        if not _STORES.fullmatch(text_of(called)):
            return None
    elif node.parent.type not in ("list", "array", "array_expression", "arguments", "argument_list", "set"):
        return None
    values = [[plain_literal(text_of(each)) for each in walk(part) if each.type in LITERALS] for part in parts]
    if not all(values) or any(part.type not in LITERALS | _SIGNED for part in parts):
        return None
    *given, returned = values
    inputs = [literal for value in given for literal in value]
    return Pair(given="\0".join(inputs), returned="\0".join(returned), node=node)


def _returned(body: Node | None) -> str | None:
    """Return the literals that a block returns or assigns, if it does nothing else."""
    if body is None:
        return None
    statements = [each for each in body.named_children if each.type not in COMMENTS]
    if body.type == "return_statement":
        statements = [body]
    value = _assigned(statements[0]) if len(statements) == 1 else None
    if value is None or not re.match(_VALUE, text_of(value)):
        return None
    names = [each for each in walk(value) if each.type == "identifier"]
    literals = [plain_literal(text_of(each)) for each in walk(value) if each.type in LITERALS]
    allowed = {"Ok", "Some", "String", "vec", "from", "to_string", "List", "Arrays", "of", "asList", "Array"}
    if not literals or any(text_of(each) not in allowed for each in names):
        return None
    return "\0".join(literals)


def _assigned(statement: Node) -> Node:
    """Return the right side of an assignment, and any other statement as it is."""
    inner = (
        statement.named_children[0]
        if statement.type == "expression_statement" and statement.named_children
        else statement
    )
    if inner.type in ("assignment", "assignment_expression", "assignment_statement"):
        return inner.child_by_field_name("right") or inner
    return statement
