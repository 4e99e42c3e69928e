"""`use super::geometry::*` in a test file → the names that the tests take from there.

A glob import of a module of the sample's brings in whatever the sample puts there: a function `Some`, or a trait with
methods for everybody's types. With a reference solution it is known what the tests mean. The glob stays where that is
not certain: where the reference fills the module by macros or further globs, or where the tests may use a trait of it
without naming it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from forgetest.toolchains.rust.compile.expected_items import node_text, syntax_tree
from forgetest.toolchains.rust.compile.trusted_paths import Edit, apply_edits, text_at
from forgetest.toolchains.rust.source.lexer import Token, tokens

if TYPE_CHECKING:
    from tree_sitter import Node

_OUT = ("super", "crate", "self", "::")
_DEFINING = frozenset({"fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules", "as"})
_NAMED_ITEMS = frozenset(
    {"function_item", "struct_item", "enum_item", "union_item", "type_item", "const_item", "static_item", "mod_item"}
)
_WITHOUT_NAMES = frozenset(
    {"{", "}", "impl_item", "line_comment", "block_comment", "attribute_item", "inner_attribute_item", ",", ";"}
)


@functools.lru_cache(maxsize=128)
def expand_globs(test_file: str, reference: str) -> str:
    """Return the test file with explicit names for every glob whose names the reference solution tells."""
    found = tokens(test_file)
    globs = list(_globs(found))
    if not globs:
        return test_file
    root = syntax_tree(reference)
    used = _used_names(found)
    edits = []
    for star, path in globs:
        names = _names_in(root, path, used, {token.text for token in found})
        if names:
            edits.append(Edit(found[star].start, found[star].end, f"{{{', '.join(names)}}}"))
    return apply_edits(test_file, edits)


def _globs(found: Sequence[Token]) -> Iterator[tuple[int, list[str]]]:
    """Yield the index of the star of each `use super::a::b::*;`, and the path without what leads out of the tests."""
    for index, token in enumerate(found):
        if token.text != "use":
            continue
        end = index + 1
        while end < len(found) and (found[end].is_name or found[end].text == "::"):
            end += 1
        texts = [each.text for each in found[index + 1 : end]]
        path = [text for text in texts if text not in _OUT]
        if text_at(found, end) == "*" and text_at(found, end + 1) == ";" and path and texts[0] in _OUT:
            yield end, path


def _used_names(found: Sequence[Token]) -> set[str]:
    """Return the names that tests use for something of another module: no fields, no methods, nothing of their own."""
    own = {found[index + 1].text for index, token in enumerate(found[:-1]) if token.text in _DEFINING}
    own |= {found[index + 2].text for index, token in enumerate(found[:-2]) if token.text == "macro_rules"}
    return {
        token.text
        for index, token in enumerate(found)
        if token.is_name and text_at(found, index - 1) not in (".", "::") and text_at(found, index + 1) != ":"
    } - own


def _names_in(root: Node, path: Sequence[str], used: set[str], words: set[str]) -> list[str]:
    """Return the names of a module or an enum of the reference that the tests use; none if they are not certain."""
    node = root
    for segment in path:
        inside = [child for child in node.children if child.type in ("mod_item", "enum_item")]
        found = next((child for child in inside if _name(child) == segment), None)
        body = found.child_by_field_name("body") if found is not None else None
        if body is None:
            return []
        node = body
    names = set[str]()
    for child in node.children:
        is_public = any(part.type == "visibility_modifier" for part in child.children)
        if child.type == "enum_variant" or (child.type in _NAMED_ITEMS and is_public):
            names.add(_name(child))
        elif child.type == "trait_item":
            if is_public and not _methods(child).isdisjoint(words) and _name(child) not in used:
                return []
            names |= {_name(child)} if is_public else set()
        elif child.type not in _NAMED_ITEMS | _WITHOUT_NAMES and not (
            child.type == "use_declaration" and not is_public
        ):
            return []
    return sorted(names & used)


def _methods(trait: Node) -> set[str]:
    body = trait.child_by_field_name("body")
    return {_name(child) for child in body.children} if body is not None else set()


def _name(node: Node) -> str:
    name = node.child_by_field_name("name")
    return node_text(name) if name is not None else ""
