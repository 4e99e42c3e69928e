"""Regions of Rust programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import inserted, replaced, text_of
from forgetest.toolchains import reaching
from forgetest.toolchains.reaching import Decision, Place, Region
from forgetest.toolchains.rust.audit.operators import GRAMMAR, is_test

if TYPE_CHECKING:
    from tree_sitter import Node

_PANIC = "panic!()"
_ABORT = "std::process::abort()"
"""Where a panic may be expected, or caught."""
_CATCHES_PANICS = re.compile(r"\bshould_panic\b|\bcatch_unwind\b|\bspawn\b|\bset_hook\b")
_LEAVING = frozenset({"return_expression", "break_expression", "continue_expression", "try_expression"})
_SCOPES = frozenset({"closure_expression", "function_item"})
_NEVER_MEANT = frozenset({"unreachable", "todo", "unimplemented"})


def regions(case: Case) -> list[Region]:
    """Return the regions of the reference solution's functions, without those that are marked as unreachable."""
    code = case.reference_solution or ""
    ending = _ABORT if _CATCHES_PANICS.search(f"{code}\n{case.expectations.test_file or ''}") else _PANIC
    return reaching.regions(code, _places(mutation.parse(GRAMMAR, code), ending))


def _places(root: Node, ending: str) -> Iterator[Place]:
    for node in mutation.walk(root, lambda node: is_test(node) or node.type == "macro_invocation"):
        if node.type == "block" and not _is_const(node):
            yield from _runs(node, ending)
        elif node.type == "if_expression" and node.child_by_field_name("alternative") is None:
            yield Place(
                start=node.end_byte,
                end=node.end_byte,
                ending=inserted(node.end_byte, f" else {{ {ending} }}"),
                is_branch=True,
                decision=_decision(node, "true"),
            )
        elif node.type == "match_arm":
            value = node.child_by_field_name("value")
            if value is not None and value.type != "block" and not _is_never_meant(value):
                yield Place(
                    start=value.start_byte,
                    end=value.end_byte,
                    ending=replaced(value, f"{{ {ending}; {text_of(value)} }}"),
                    is_branch=True,
                )


def _runs(block: Node, ending: str) -> Iterator[Place]:
    statements = [child for child in block.named_children if not child.type.endswith(("comment", "label"))]
    parent = block.parent
    if parent is None or (len(statements) == 1 and _is_never_meant(statements[0])):
        return
    for number, statement in enumerate(reaching.run_starts(statements, _may_leave)):
        yield Place(
            start=statement.start_byte,
            end=statements[-1].end_byte,
            ending=inserted(statement.start_byte, f"{ending}; "),
            is_branch=not number and parent.type not in ("function_item", "closure_expression", "block"),
            decision=_decision(parent, "false") if not number else None,
        )


def _decision(node: Node, opposite: str) -> Decision | None:
    condition = node.child_by_field_name("condition")
    if condition is None:
        return None
    return Decision(start=condition.start_byte, end=condition.end_byte, opposite=opposite)


def _may_leave(statement: Node) -> bool:
    return any(node.type in _LEAVING for node in mutation.walk(statement, lambda node: node.type in _SCOPES))


def _is_never_meant(node: Node) -> bool:
    inner = node.named_child(0) if node.type == "expression_statement" else node
    is_macro = inner is not None and inner.type == "macro_invocation"
    return is_macro and text_of(inner.child_by_field_name("macro")) in _NEVER_MEANT if inner is not None else False


def _is_const(block: Node) -> bool:
    """Return whether a block is evaluated by the compiler."""
    above = block.parent
    while above is not None and above.type not in ("function_item", "closure_expression"):
        if above.type in ("const_item", "static_item", "const_block", "enum_variant"):
            return True
        above = above.parent
    return above is None
