"""Regions of Python programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import inserted, text_of
from forgetest.toolchains import reaching
from forgetest.toolchains.python.audit.operators import GRAMMAR
from forgetest.toolchains.reaching import Decision, Place, Region

if TYPE_CHECKING:
    from tree_sitter import Node

_RAISED = 'raise SystemExit("reached")'
_ENDED = '__import__("os")._exit(1)'
"""Where something may catch SystemExit."""
_CATCHES_ALL = re.compile(r"except\s*:|\bBaseException\b|\bSystemExit\b|\bsuppress\b|\bfinally\s*:")
_LEAVING = frozenset({"return_statement", "break_statement", "continue_statement", "raise_statement", "yield"})
_SCOPES = frozenset({"function_definition", "class_definition", "lambda"})
_BRANCHES = frozenset(
    {"if_statement", "elif_clause", "else_clause", "for_statement", "while_statement", "except_clause", "case_clause"}
)


def regions(case: Case) -> list[Region]:
    """Return the regions of the reference solution's functions; for a program that is run, also those outside."""
    code = case.reference_solution or ""
    ending = _ENDED if _CATCHES_ALL.search(f"{code}\n{case.expectations.test_file or ''}") else _RAISED
    is_program = case.io is not None and case.io.call is None
    return reaching.regions(code, _places(mutation.parse(GRAMMAR, code), ending, inside=is_program))


def _places(node: Node, ending: str, *, inside: bool) -> Iterator[Place]:
    if inside and node.type == "block" and node.parent is not None and node.parent.type != "class_definition":
        yield from _runs(node, ending)
    elif inside and node.type == "if_statement":
        yield from _way_past(node, ending)
    for child in node.named_children:
        yield from _places(child, ending, inside=inside or node.type == "function_definition")


def _runs(block: Node, ending: str) -> Iterator[Place]:
    statements = [child for child in block.named_children if child.type != "comment"]
    parent = block.parent
    for number, statement in enumerate(reaching.run_starts(statements, _may_leave)):
        is_own_line = statement.start_point[0] > (parent.start_point[0] if parent is not None else 0)
        between = f"\n{' ' * int(statement.start_point[1])}" if is_own_line else "; "
        yield Place(
            start=statement.start_byte,
            end=statements[-1].end_byte,
            ending=inserted(statement.start_byte, f"{ending}{between}"),
            is_branch=not number and parent is not None and parent.type in _BRANCHES,
            decision=_decision(parent, "False") if not number and parent is not None else None,
        )


def _decision(node: Node, opposite: str) -> Decision | None:
    condition = node.child_by_field_name("condition")
    if condition is None:
        return None
    return Decision(start=condition.start_byte, end=condition.end_byte, opposite=opposite)


def _way_past(node: Node, ending: str) -> Iterator[Place]:
    alternatives = [child for child in node.named_children if child.type in ("elif_clause", "else_clause")]
    if any(child.type == "else_clause" for child in alternatives):
        return
    indent = " " * int(node.start_point[1])
    yield Place(
        start=node.end_byte,
        end=node.end_byte,
        ending=inserted(node.end_byte, f"\n{indent}else:\n{indent}    {ending}"),
        is_branch=True,
        decision=_decision(alternatives[-1] if alternatives else node, "True"),
    )


def _may_leave(statement: Node) -> bool:
    found = mutation.walk(statement, lambda node: node.type in _SCOPES)
    return any(node.type in _LEAVING or text_of(node) in ("exit", "quit") for node in found)
