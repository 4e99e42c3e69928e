"""What Rust tests need from an answer, and the prompt does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import text_of
from forgetest.toolchains.rust.audit.operators import GRAMMAR

if TYPE_CHECKING:
    from tree_sitter import Node

_ITEMS = frozenset(
    {"function_item", "struct_item", "enum_item", "trait_item", "type_item", "const_item", "enum_variant"}
)
_EXPECTED_PANIC = re.compile(r'#\[\s*should_panic\s*\(\s*expected\s*=\s*"([^"]*)"')


def untold(case: Case) -> list[str]:
    """Return the names that the reference solution defines, tests use, and neither prompt nor context has."""
    told = "\n".join((case.prompt, *(file.content for file in case.context)))
    tests = case.expectations.test_file or ""
    if case.io is not None or not tests:
        return []
    own = {name for name, _ in _defined(tests)}
    found = [
        f"the name {name}"
        for name in sorted({name for name, _ in _defined(case.reference_solution or "")} - own)
        if _mentions(tests, name) and not _mentions(told, name)
    ]
    found += [f"the message {text!r}" for text in _EXPECTED_PANIC.findall(tests) if text.lower() not in told.lower()]
    return found


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _defined(code: str) -> Iterator[tuple[str, Node]]:
    for node in mutation.walk(mutation.parse(GRAMMAR, code)):
        if node.type in _ITEMS and not _is_trait_method(node):
            name = text_of(node.child_by_field_name("name"))
            if name:
                yield name, node


def _is_trait_method(node: Node) -> bool:
    """Return whether a function's name is that of a trait it implements, as `fmt` is."""
    above = node.parent.parent if node.parent is not None else None
    return above is not None and above.type == "impl_item" and above.child_by_field_name("trait") is not None
