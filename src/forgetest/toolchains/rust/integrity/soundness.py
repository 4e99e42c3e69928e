"""Forms of code that known holes in the compiler need: they make code unsafe without `unsafe`.

A form proves nothing. Honest parsers have nested lifetimes and tables of function pointers, macros hide any form, and
there are holes that nobody has listed. So what is found here is only noted: it makes no sample incorrect, unsafe or
unverified. Whether a pass was earned is for the controls to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from forgetest.verdict import Finding

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
_FOR_ALL_LIFETIMES = re.compile(r"\bfor < '\w+ ")
_UNSIZED = re.compile(r"(?:^|[:+(,{<|]) \? (?:::|\w)")
_IMPLEMENTATION = re.compile(
    r"\bimpl < ((?:(?!\bimpl\b)[^{;]){0,2000}?) for ([$\w ]{1,200}?) (?:where ([^{;]{0,2000}))?\{"
)
_TRAIT_OBJECT = re.compile(r"\bdyn (?:for < [^>]{0,100} > )?(?:\w+ :: ){0,20}([$\w]+)((?: <[^;{}]{0,2000})?)")


def findings(words: str) -> Iterator[Finding]:
    """Find the forms of known holes in a sample's words."""
    yield from _implied_bounds(words)
    yield from _objects_of_blanket_traits(words)
    yield from _results_of_closures(words)


def _implied_bounds(words: str) -> Iterator[Finding]:
    """rust-lang/rust#25860 and related: function pointers and higher-ranked bounds lose implied outlives bounds."""
    issue = "which can defeat the borrow checker (rust-lang/rust#25860)"
    pointers = _FUNCTION_POINTER.search(words) is not None or _FOR_ALL_LIFETIMES.search(words) is not None
    if _NESTED.search(words) and pointers:
        yield _note(f"nested lifetimes behind a function pointer, {issue}")
    elif _NESTED.search(words) or (_TWO_LIFETIMES.search(words) and pointers):
        yield _note(f"nested lifetimes, {issue}")


def _objects_of_blanket_traits(words: str) -> Iterator[Finding]:
    """rust-lang/rust#57893: a trait object may name another associated type than the blanket implementation's."""
    if not _UNSIZED.search(words) or "dyn" not in words:
        return
    blanket: set[str] = set()
    for header, target, bounds in _IMPLEMENTATION.findall(words):
        generics = header.partition(" > ")[0]
        if re.search(rf"(^|, ){re.escape(target)}\b", generics) and _UNSIZED.search(f"{header} {bounds}"):
            blanket |= set(re.findall(r"[$\w]+", header.partition(" > ")[2]))
    issue = "which can turn any type into any other (rust-lang/rust#57893)"
    objects = [(name, rest) for name, rest in _TRAIT_OBJECT.findall(words) if name not in _STD_TRAITS]
    if any(name in blanket and " = " in rest for name, rest in objects):
        yield _note(f"an object of a trait that everything has, {issue}")
    elif blanket and objects:
        yield _note(f"a trait that everything has, and trait objects, {issue}")


def _results_of_closures(words: str) -> Iterator[Finding]:
    """rust-lang/rust#84366: a closure's result need not outlive `'static`, and is accepted as if it did."""
    lasting = set(re.findall(r"\b(\w+) : (?:[\w:<>=? ]{0,200}\+ )?'static\b", words))
    given = set(re.findall(r": (?:< )?(\w+) (?:as [\w:<>, ]{0,200} > )?:: \w+ [,)]", words))
    if lasting & given:
        yield _note("takes what belongs to a type that lasts, which may not last itself (rust-lang/rust#84366)")


def _note(detail: str) -> Finding:
    return Finding(kind="resembles_a_hole", detail=detail, forbids=False)
