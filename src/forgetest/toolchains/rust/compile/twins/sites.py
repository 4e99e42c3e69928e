"""Sites: expectations of a test that hold two values, one of which counts in a run.

The choices of a run are bits, one for each site of the test file. With the right bits a test is the author's own; with
one of its bits flipped it is a twin, which a correct sample fails. Which bit is right, and what the other value is, the
judge's secret says.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from forgetest.toolchains.controls import JudgeSecret, Twin
from forgetest.toolchains.rust.compile.trusted_paths import SECRET, Edit
from forgetest.toolchains.rust.compile.twins.altered import altered
from forgetest.toolchains.rust.compile.twins.expectations import Expectation, ExpectationKind

MOST_CANDIDATES = 10
"""Sites of one test that the reference solution is run with."""
MOST_KEPT = 4
"""Sites of one test, besides its end."""
_MOST_OF_AN_ASSERTION = 2
"""Whoever lies about one item of a list lies about the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place in the test file that holds two values. Its bit is its position in the file's list of sites."""

    test: int
    kind: ExpectationKind
    position: int
    """Where it begins in the author's text; with the kind, this identifies it."""
    line: int
    certain: bool
    """No sample passes the test and this twin of it, however it solves the task."""
    right: bool
    """The bit with which the test is the author's own."""


def chosen(expectations: Sequence[Expectation], draw: random.Random, most: int) -> list[Expectation]:
    """Choose among the expectations of one test: literals first, of different assertions as far as possible."""
    allowed = list(expectations)
    draw.shuffle(allowed)
    seen: dict[int, int] = {}
    ranked = []
    for each in sorted(allowed, key=lambda each: each.kind != "literal"):
        ranked.append((seen.setdefault(each.assertion, 0) + (10 if each.kind == "truth" else 0), each))
        seen[each.assertion] += 1
    ranked = sorted((entry for entry in ranked if entry[0] % 10 < _MOST_OF_AN_ASSERTION), key=lambda entry: entry[0])
    return [each for _, each in ranked[:most]]


def place(
    text: str, expectations: Iterable[tuple[int, Expectation]], secret: JudgeSecret
) -> tuple[tuple[Site, ...], list[Edit]]:
    """Return the sites of the given expectations, each with the index of its test, and the edits that make them."""
    sites: list[Site] = []
    edits: list[Edit] = []
    for test, each in sorted(expectations, key=lambda entry: (entry[1].start, entry[1].kind)):
        draw = secret.draw("site", text, str(each.start), each.kind)
        right = draw.random() < 0.5
        edit = _edit(text, each, len(sites), right=right, draw=draw)
        if edit is not None:
            edits.append(edit)
            line = text.count("\n", 0, each.start) + 1
            certain, start = each.certain, each.start
            sites.append(Site(test=test, kind=each.kind, position=start, line=line, certain=certain, right=right))
    return tuple(sites), edits


def _edit(text: str, each: Expectation, number: int, *, right: bool, draw: random.Random) -> Edit | None:
    if each.kind == "end":
        end = f"::{SECRET}::end({number}, {str(right).lower()})"
        return Edit(each.start, each.end, f"; {end} " if text[each.start] == "}" else f"{end}; ")
    if each.kind == "truth":
        return Edit(each.start, each.end, f"@{number}, {str(not right).lower()}; ")
    literal = text[each.start : each.end]
    other = altered(literal, draw)
    if other is None or other == literal:
        return None
    first, second = (other, literal) if right else (literal, other)
    return Edit(each.start, each.end, f"::{SECRET}::pick({number}, {first}, {second})")


def twins(sites: Sequence[Site]) -> Iterator[Twin]:
    """Yield the twin of each site."""
    for number, site in enumerate(sites):
        yield Twin(test=site.test, number=number, certain=site.certain, is_end=site.kind != "literal")


def choices(sites: Sequence[Site], test: int, twin: Twin | None, draw: random.Random) -> bytes:
    """Return the choices of a run of a test, or of a twin of it; the bits of other tests' sites are random."""
    bits = 0
    for number, site in enumerate(sites):
        bit = site.right if site.test == test else draw.random() < 0.5
        if twin is not None and twin.number == number:
            bit = not bit
        bits |= bit << number
    return bits.to_bytes((len(sites) + 7) // 8, "little")
