"""Sites: expectations of a test that hold several values, one of which counts in a run.

The choices of a run are bytes, one for each site of the test file. With the right bytes a test is the author's own;
with one of them changed it is a twin, which a correct sample fails. Which value is right, and what the others are, the
judge's secret says.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from forgetest.toolchains.controls import JudgeSecret, Twin
from forgetest.toolchains.rust.compile.trusted_paths import SECRET, Edit
from forgetest.toolchains.rust.compile.twins import altered
from forgetest.toolchains.rust.compile.twins.expectations import Expectation, ExpectationKind

MOST_CANDIDATES = 10
"""Sites of one test that the reference solution is run with."""
MOST_KEPT = 4
"""Sites of one test, besides its end."""
_MOST_OF_AN_ASSERTION = 2
"""Whoever lies about one item of a list lies about the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place in the test file that holds several values. Its byte is its position in the file's list of sites."""

    test: int
    kind: ExpectationKind
    position: int
    """Where it begins in the author's text; with the kind, this identifies it."""
    line: int
    certain: bool
    """No sample passes the test and this twin of it, however it solves the task."""
    right: int
    """Index of the value with which the test is the author's own."""
    values: int = 2
    asked: tuple[int, ...] = (1,)
    """The other values that make a twin, each as its distance from the right one, counted round."""


def chosen(expectations: Sequence[Expectation], draw: random.Random, most: int) -> list[Expectation]:
    """Choose among the expectations of one test: values first, of different assertions as far as possible."""
    allowed = list(expectations)
    draw.shuffle(allowed)
    seen: dict[int, int] = {}
    ranked = []
    for each in sorted(allowed, key=lambda each: each.kind == "truth"):
        ranked.append((seen.setdefault(each.assertion, 0) + (10 if each.kind == "truth" else 0), each))
        seen[each.assertion] += 1
    ranked = sorted((entry for entry in ranked if entry[0] % 10 < _MOST_OF_AN_ASSERTION), key=lambda entry: entry[0])
    return [each for _, each in ranked[:most]]


Wanted = tuple[str, int, int]
"""A twin: its site's kind and position, and the distance of its value."""


def place(
    text: str,
    expectations: Iterable[tuple[int, Expectation]],
    secret: JudgeSecret,
    *,
    only: Collection[Wanted] | None = None,
    pairs: bool = False,
) -> tuple[tuple[Site, ...], list[Edit]]:
    """Return the sites of the given expectations, each with the index of its test, and the edits that make them.

    Their twins are only those that are wanted, if any are given. With `pairs`, the sites are the same, but each has
    two values only.
    """
    sites: list[Site] = []
    edits: list[Edit] = []
    for test, each in sorted(expectations, key=lambda entry: (entry[1].start, entry[1].kind)):
        drawn = _draw_values(secret, text, each)
        distances = range(1, len(drawn.values))
        asked = tuple(far for far in distances if only is None or (each.kind, each.start, far) in only)
        if asked:
            own, *others = drawn.values
            values = drawn.shuffled
            right = values.index(own)
            if pairs:
                allowed = {values[(right + far) % len(values)] for far in asked}
                # of a literal, the first is its partner, so that of the two nobody can tell which is the author's
                partner = next(other for other in others if other in allowed)
                values = (partner, own) if drawn.swaps_pair else (own, partner)
                right, asked = values.index(own), (1,)
            edits.append(_edit(text, each, len(sites), values, right))
            sites.append(
                Site(
                    test=test,
                    kind=each.kind,
                    position=each.start,
                    line=text.count("\n", 0, each.start) + 1,
                    certain=each.certain,
                    right=right,
                    values=len(values),
                    asked=asked,
                )
            )
    return tuple(sites), edits


class _DrawnValues(NamedTuple):
    values: tuple[str, ...]
    """The right one first."""
    shuffled: tuple[str, ...]
    swaps_pair: bool
    """If only two values are used, the right one comes second."""


@functools.lru_cache(maxsize=4096)
def _draw_values(secret: JudgeSecret, text: str, each: Expectation) -> _DrawnValues:
    """Return the values of a site and their order; the test files of a case have most of their sites in common."""
    draw = secret.draw("site", text, str(each.start), each.kind)
    values = _values(text, each, draw)
    shuffled, pair = list(values), [False, True]
    draw.shuffle(shuffled)
    draw.shuffle(pair)
    return _DrawnValues(tuple(values), tuple(shuffled), pair[0])


def _values(text: str, each: Expectation, draw: random.Random) -> list[str]:
    """Return the values of a site, the right one first."""
    own = text[each.start : each.end]
    if each.kind == "literal" and each.exact:
        return altered.values(own, draw, allowed_difference=each.allowed_difference)
    if each.kind == "literal":
        other = altered.altered(own, draw)
        return [own, other] if other is not None and other != own else []
    if each.kind == "variant":
        return [own, *draw.sample(each.others, min(len(each.others), altered.MOST_VALUES - 1))]
    return ["true", "false"]


def _edit(text: str, each: Expectation, number: int, values: Sequence[str], right: int) -> Edit:
    if each.kind == "end":
        end = f"::{SECRET}::end({number}, {str(right == 1).lower()})"
        return Edit(each.start, each.end, f"; {end} " if text[each.start] == "}" else f"{end}; ")
    if each.kind == "truth":
        return Edit(each.start, each.end, f"@{number}, {str(right == 0).lower()}; ")
    shown = f"[{', '.join(values)}]"
    call = f"pick({number}, &{shown})" if each.kind == "literal" else f"pick_owned({number}, {shown})"
    return Edit(each.start, each.end, f"::{SECRET}::{call}")


def twins(sites: Sequence[Site]) -> Iterator[Twin]:
    """Yield the twins of each site."""
    for number, site in enumerate(sites):
        is_end = site.kind in ("truth", "end")
        for distance in site.asked:
            yield Twin(test=site.test, number=number, value=distance, certain=site.certain, is_end=is_end)


def choices(sites: Sequence[Site], test: int, twin: Twin | None, draw: random.Random) -> bytes:
    """Return the choices of a run of a test, or of a twin of it; those at other tests' sites are random."""
    chosen_bytes = bytearray()
    for number, site in enumerate(sites):
        index = site.right if site.test == test else draw.randrange(site.values)
        if twin is not None and twin.number == number:
            index = (index + twin.value) % site.values
        # only the rest of a division counts, so that one value has many spellings
        chosen_bytes.append(index + site.values * draw.randrange(256 // site.values))
    return bytes(chosen_bytes)


def right_choices(sites: Sequence[Site]) -> bytes:
    """Return the choices with which every test expects what its author wrote."""
    return bytes(site.right for site in sites)
