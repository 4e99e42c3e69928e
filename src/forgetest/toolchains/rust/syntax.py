"""What a sample defines, read off its syntax tree."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from forgetest.toolchains.rust.signatures import Expected
from forgetest.verdict import Condition

if TYPE_CHECKING:
    from tree_sitter import Parser

_TYPES = {
    "struct_item": "struct",
    "enum_item": "enum",
    "trait_item": "trait",
    "type_item": "type",
    "union_item": "union",
}


def defined(code: str) -> frozenset[tuple[str, str]]:
    """Every (keyword, name) that the code defines, in modules and implementations too."""
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
    code: str, functions: tuple[Expected, ...], types: tuple[Expected, ...]
) -> list[tuple[Expected, Condition]]:
    """Whether each item that the case expects is defined at all; the compiler judges signatures."""
    if not functions and not types:
        return []
    items = defined(code)
    checks = [("expected_functions", item, ["fn"]) for item in functions]
    checks += [("expected_types", item, list(_TYPES.values())) for item in types]
    return [
        (item, _condition(key, item, [item.keyword] if item.keyword else kinds, items)) for key, item, kinds in checks
    ]


def _condition(key: str, item: Expected, kinds: list[str], items: frozenset[tuple[str, str]]) -> Condition:
    holds = any((kind, item.name) in items for kind in kinds)
    return Condition(name=key, holds=holds, detail="" if holds else f"`{item.entry}` is not defined")


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
