"""Unused code: private functions that nothing mentions, imports that the file does not use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nerv.inspection.languages import name_of, text_of
from nerv.inspection.values import STRINGS, Issue, ParsedFile, inner_text

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset(
    {
        "identifier",
        "property_identifier",
        "shorthand_property_identifier",
        "field_identifier",
        "type_identifier",
        "jsx_identifier",
    }
)


def find_unused(files: Sequence[ParsedFile]) -> Iterator[Issue]:
    """Find code that is defined but never used, in complete files only."""
    everywhere: Counter[str] = Counter()
    for parsed in files:
        everywhere.update(_mention_counts(parsed))
    for parsed in files:
        if parsed.source.whole and not parsed.is_test:
            yield from _unused_functions(parsed, everywhere)
            yield from _unused_imports(parsed)


def _mention_counts(parsed: ParsedFile) -> Counter[str]:
    return Counter(text_of(node) for node in parsed.nodes if node.type in _NAMES)


def _unused_functions(parsed: ParsedFile, everywhere: Counter[str]) -> Iterator[Issue]:
    for node in parsed.nodes:
        if node.type not in parsed.language.functions or not parsed.own(node):
            continue
        name = name_of(node)
        if everywhere[name] == 1 and _is_private(node, name, parsed.language.name):
            yield parsed.issue("dead code", node, f"nothing uses {name}", 1)


def _is_private(node: Node, name: str, language: str) -> bool:
    """Return whether a function is not meant for use outside the inspected code."""
    parent = node.parent
    if parent is None or parent.type == "decorated_definition":
        return False
    if language == "Python":
        return name.startswith("_") and not name.endswith("__")
    if language in ("JavaScript", "TypeScript"):
        return node.type == "function_declaration" and parent.type != "export_statement"
    if language == "Rust":
        attributed = node.prev_sibling is not None and node.prev_sibling.type == "attribute_item"
        public = any(child.type == "visibility_modifier" for child in node.children)
        in_trait = parent.parent is not None and parent.parent.type in ("impl_item", "trait_item")
        return not (attributed or public or in_trait or name == "main")
    if language == "Go":
        return node.type == "function_declaration" and name[:1].islower() and name not in ("main", "init")
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    return modifiers is not None and "private" in text_of(modifiers) and "@" not in text_of(modifiers)


def _unused_imports(parsed: ParsedFile) -> Iterator[Issue]:
    if parsed.source.path.endswith("__init__.py"):
        return  # an import there makes the name public
    counted = _mention_counts(parsed)
    counted.update(inner_text(node) for node in parsed.nodes if node.type in STRINGS)  # __all__, quoted annotations
    for node in parsed.nodes:
        if node.type not in ("import_statement", "import_from_statement") or not parsed.own(node):
            continue
        for name in _imported_names(node):
            if counted[name] == 1:
                yield parsed.issue("dead code", node, f"{name} is imported but not used", 0.3)


def _imported_names(node: Node) -> Iterator[str]:
    if "__future__" in text_of(node):
        return
    if node.type == "import_from_statement" or (
        node.children[:1] and node.children[-1].type in ("dotted_name", "aliased_import")
    ):
        for name in node.children_by_field_name("name"):
            alias = name.child_by_field_name("alias")
            if alias is None:
                yield text_of(name).split(".")[0]
            elif text_of(alias) != text_of(name.child_by_field_name("name")):  # `a as a` exports it again
                yield text_of(alias)
        return
    for child in _specifiers(node):
        alias = child.child_by_field_name("alias")
        yield text_of(alias if alias is not None else child.child_by_field_name("name"))


def _specifiers(node: Node) -> Iterator[Node]:
    waiting = list(node.children)
    while waiting:
        child = waiting.pop()
        if child.type == "import_specifier":
            yield child
        waiting.extend(child.children)
