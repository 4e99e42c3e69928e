"""Types that tests define for themselves under the name of what they should test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nerv.finding import Finding
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.values import ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = frozenset({"class_definition", "class_declaration", "struct_item", "type_spec", "enum_item"})
_PARENTS = ("superclasses", "superclass")
_FEWEST_SHARED = 2
"""Methods that two types of one name must have in common."""


def copied_types(run: ReviewedRun) -> list[Finding]:
    """Find types of tests with the name and the methods of a type of the changed code."""
    real: dict[str, set[str]] = {}
    for file in run.code_files:
        if file.new_tree is not None:
            for name, (_, methods) in _types(file.new_tree).items():
                real.setdefault(name, set()).update(methods)
    found = []
    for file in run.files:
        tree = file.new_tree if file.is_test else None
        for name, (node, methods) in _types(tree).items() if tree is not None else ():
            assert tree is not None
            shared = methods & real.get(name, set())
            if len(shared) >= _FEWEST_SHARED and tree.own(node) and not _extends(node, name):
                text = f"{file.path} defines a {name} of its own, with {len(shared)} methods of the one to be tested."
                lines = [text_of(node).split("\n")[0], *sorted(shared)]
                found.append(finding("copied_subject", "likely", text, where=tree.at(node), lines=lines))
    return found


def _types(tree: ParsedFile) -> dict[str, tuple[Node, set[str]]]:
    """Return the types that a file defines, each with the names of its methods."""
    found = {name_of(node): (node, set[str]()) for node in tree.nodes if node.type in _TYPES and name_of(node)}
    for node in tree.nodes:
        if node.type not in tree.language.functions or not name_of(node):
            continue
        owner = _owner(node)
        if owner in found:
            found[owner][1].add(name_of(node))
    return found


def _owner(node: Node) -> str:
    """Return the name of the type that a method belongs to."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        return next((text_of(each) for each in walk(receiver) if each.type == "type_identifier"), "")
    around = enclosing(node, frozenset({"impl_item"}) | _TYPES)
    if around is None:
        return ""
    return text_of(around.child_by_field_name("type")) if around.type == "impl_item" else name_of(around)


def _extends(node: Node, name: str) -> bool:
    """Return whether a class is made from the one of its name: `class Shop(shop.Shop)`."""
    return any(name in text_of(node.child_by_field_name(field)) for field in _PARENTS)
