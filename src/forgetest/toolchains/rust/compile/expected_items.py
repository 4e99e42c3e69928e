"""Checks that a sample defines the items its case expects, on its syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.verdict import Condition

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_TYPES = {
    "struct_item": "struct",
    "enum_item": "enum",
    "trait_item": "trait",
    "type_item": "type",
    "union_item": "union",
}


def defined(code: str) -> frozenset[tuple[str, str]]:
    """Return every (keyword, name) that the code defines, including in modules and implementations."""
    found = set()
    waiting = [_parser().parse(code.encode(errors="replace")).root_node]
    while waiting:
        node = waiting.pop()
        keyword = "fn" if node.type == "function_item" else _TYPES.get(node.type)
        name = node.child_by_field_name("name")
        if keyword and name is not None and name.text is not None:
            found.add((keyword, name.text.decode()))
        if node.type not in ("token_tree", "block"):
            waiting.extend(node.children)
    return frozenset(found)


def conditions(
    code: str, functions: tuple[ExpectedItem, ...], types: tuple[ExpectedItem, ...]
) -> list[tuple[ExpectedItem, Condition]]:
    """Return whether each expected item is defined at all; the compiler checks signatures."""
    if not functions and not types:
        return []
    items = defined(code)
    checks = [("expected_functions", item, ["fn"]) for item in functions]
    checks += [("expected_types", item, list(_TYPES.values())) for item in types]
    found = [
        (item, _item_condition(key, item, [item.keyword] if item.keyword else kinds, items))
        for key, item, kinds in checks
    ]
    return [(item, _check_opaque(code, item, items) if item.opaque_of and held.holds else held) for item, held in found]


def _check_opaque(code: str, item: ExpectedItem, items: frozenset[tuple[str, str]]) -> Condition:
    """Check that a method's result shows no more than its trait: `impl Trait`, a box of it, or a type of std's own."""
    results = list(_results(code, str(item.opaque_of), item.name))
    transparent = [
        text for text in results if not _OPAQUE.match(text) or ("Box" in text and ("struct", "Box") in items)
    ]
    if results and not transparent:
        return Condition(name="expected_functions", holds=True)
    reason = f"its result is `{transparent[0]}`" if transparent else "it is not written out in an implementation"
    return Condition(name="expected_functions", holds=False, detail=f"`{item.entry}`: {reason}")


_OPAQUE = re.compile(r"impl\b|(::\s*)?(std|core|alloc)\s*::|Box\s*<\s*(dyn|impl)\b|(Pin\s*<\s*)?Box\s*<\s*dyn\b")


def _results(code: str, owner: str, method: str) -> Iterator[str]:
    """Yield the result type of every method of that name in implementations for that type."""
    waiting: list[tuple[Node, bool]] = [(_parser().parse(code.encode(errors="replace")).root_node, False)]
    while waiting:
        node, inside = waiting.pop()
        if node.type == "impl_item":
            implemented = node.child_by_field_name("type")
            inside = implemented is not None and owner in re.findall(r"\w+", _node_text(implemented))
        name, result = node.child_by_field_name("name"), node.child_by_field_name("return_type")
        if inside and node.type == "function_item" and name is not None and _node_text(name) == method:
            yield _node_text(result) if result is not None else "()"
        if node.type not in ("token_tree", "block"):
            waiting.extend((child, inside) for child in node.children)


def _node_text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def _item_condition(key: str, item: ExpectedItem, kinds: list[str], items: frozenset[tuple[str, str]]) -> Condition:
    holds = any((kind, item.name) in items for kind in kinds)
    return Condition(name=key, holds=holds, detail="" if holds else f"`{item.entry}` is not defined")


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
