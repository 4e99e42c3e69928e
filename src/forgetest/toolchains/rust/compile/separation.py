"""Whether the tests of a case see types of std alone, so that nothing of a sample's own has a say in a comparison."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.signatures import STD_NAMES, ExpectedItem
from forgetest.toolchains.rust.integrity.hijacked_methods import STD_METHODS, called_methods
from forgetest.toolchains.rust.source.lexer import tokens

# fmt: off
_PRELUDE = frozenset(
    {
        "Option", "Result", "Vec", "String", "Box", "Fn", "FnMut", "FnOnce", "Iterator", "IntoIterator", "Clone",
        "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Default", "Send", "Sync", "AsRef", "Into", "From", "ToString",
        "Sized", "DoubleEndedIterator", "ExactSizeIterator", "Item", "Output", "Error",
    }
)
_MACROS = frozenset(
    {
        "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "matches", "vec",
        "format", "print", "println", "eprint", "eprintln", "panic", "unreachable", "write", "writeln", "concat",
    }
)
# fmt: on
_OPAQUE = re.compile(r"\b(?:impl|dyn) (?:\w+::)*(\w+)")
_HARMLESS = frozenset(
    {"Fn", "FnMut", "FnOnce", "Iterator", "DoubleEndedIterator", "ExactSizeIterator", "Error", "Future"}
)
"""Traits of values that are not compared themselves."""


def tests_see_only_std(case_build: CaseBuild, unmet: Collection[ExpectedItem]) -> bool:
    """Return whether all that the tests take from a sample are functions of checked signatures, in types of std."""
    checked = (*case_build.checked_signatures, *case_build.derived)
    separated = {item.name for item in checked if item.has_shim and item not in unmet and _is_of_std(item)}
    is_covered = bool(case_build.names) and separated.issuperset(case_build.names)
    return is_covered and _uses_std_alone(case_build.test_file.body)


def _is_of_std(item: ExpectedItem) -> bool:
    names = set(re.findall(r"\b[A-Z]\w+", item.entry))
    return names <= STD_NAMES | _PRELUDE and set(_OPAQUE.findall(item.entry)) <= _HARMLESS


@lru_cache(maxsize=256)
def _uses_std_alone(test_text: str) -> bool:
    """Return whether the tests call no macro of the sample's, and no method that a trait of its could bring."""
    found = tokens(test_text)
    macros = {name.text for name, mark, opening in zip(found, found[1:], found[2:], strict=False)
              if mark.text == "!" and name.is_name and opening.text in ("(", "[", "{")}  # fmt: skip
    return macros <= _MACROS and called_methods(found) <= STD_METHODS
