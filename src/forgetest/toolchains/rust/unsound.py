"""Holes in the compiler through which code without `unsafe` is unsafe all the same.

They are few, known for years, and need a form that honest code hardly ever has; where it has, the sample is judged
as one with `unsafe` is. Holes that nobody has found yet are not found here either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from forgetest.verdict import UNSAFE, Finding

# fmt: off
_STD_TRAITS = frozenset(
    {
        "Any", "Debug", "Display", "DoubleEndedIterator", "Error", "ExactSizeIterator", "Fn", "FnMut", "FnOnce",
        "Future", "Hash", "Iterator", "Read", "Send", "Sync", "ToString", "Write",
    }
)
# fmt: on
_NESTED = re.compile(r"& '\w+ (mut )?& '\w+")
_TWO_LIFETIMES = re.compile(r"< '\w+ (: '\w+ (\+ '\w+ ){0,20})?, '\w+")
_FUNCTION_POINTER = re.compile(r"\bfn \(")
_IMPLEMENTATION = re.compile(r"\bimpl < ((?:(?!\bimpl\b)[^{;]){0,2000}?) for ([$\w ]+?) (?:where ([^{;]{0,2000}))?\{")
_TRAIT_OBJECT = re.compile(r"\bdyn (?:for < [^>]{0,100} > )?(?:\w+ :: ){0,20}([$\w]+)((?: <[^;{}]{0,2000})?)")


def findings(words: str) -> Iterator[Finding]:
    """What in a sample's words has the form of a known hole."""
    yield from _implied_bounds(words)
    yield from _objects_of_blanket_traits(words)


def _implied_bounds(words: str) -> Iterator[Finding]:
    """rust-lang/rust#25860: a function pointer forgets that one lifetime must outlive the other."""
    issue = "which can defeat the borrow checker (rust-lang/rust#25860)"
    pointers = _FUNCTION_POINTER.search(words) is not None
    if _NESTED.search(words) and pointers:
        yield Finding(kind="unsound", detail=f"nested lifetimes behind a function pointer, {issue}")
    elif _NESTED.search(words) or (_TWO_LIFETIMES.search(words) and pointers):
        yield Finding(kind=UNSAFE, detail=f"nested lifetimes, {issue}", forbids=False)


def _objects_of_blanket_traits(words: str) -> Iterator[Finding]:
    """rust-lang/rust#57893: a trait object may name another associated type than the implementation for everything."""
    if "? Sized" not in words or "dyn" not in words:
        return
    blanket: set[str] = set()
    for header, target, bounds in _IMPLEMENTATION.findall(words):
        generics = header.partition(" > ")[0]
        if re.search(rf"(^|, ){re.escape(target)}\b", generics) and "? Sized" in header + bounds:
            blanket |= set(re.findall(r"[$\w]+", header.partition(" > ")[2]))
    issue = "which can turn any type into any other (rust-lang/rust#57893)"
    objects = [(name, rest) for name, rest in _TRAIT_OBJECT.findall(words) if name not in _STD_TRAITS]
    if any(name in blanket and " = " in rest for name, rest in objects):
        yield Finding(kind="unsound", detail=f"an object of a trait that everything has, {issue}")
    elif blanket and objects:
        yield Finding(kind=UNSAFE, detail=f"a trait that everything has, and trait objects, {issue}", forbids=False)
