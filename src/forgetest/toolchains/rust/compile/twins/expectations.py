"""Expectations in the text of a test: literals on the expected side of assertions, and the truth of assertions.

Token by token, and with care: a literal that is an argument of anything that may be the sample's own is left alone, and
so is everything whose meaning tokens do not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from forgetest.toolchains.rust.compile.trusted_paths import text_at
from forgetest.toolchains.rust.compile.twins.bound_values import bound_values
from forgetest.toolchains.rust.compile.twins.literals import (
    STD_ROOTS,
    UNREADABLE,
    Range,
    at_top,
    is_built_of_literals,
    is_pure,
    literal_spans,
    split_arguments,
)
from forgetest.toolchains.rust.source.lexer import Token, closing_bracket

ASSERTIONS = frozenset({"assert", "assert_eq", "assert_ne"})

ExpectationKind = Literal["literal", "variant", "truth", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A place in a test where it says what it expects."""

    kind: ExpectationKind
    start: int
    end: int
    """The literal's characters; an empty range where an assertion's arguments begin, or where the test ends."""
    assertion: int
    """Position of the assertion that it belongs to; expectations of different assertions are worth more than several
    of one."""
    certain: bool
    """No sample passes the test with and without this expectation altered, however it solves the task. Others are
    kept only if the reference solution fails with them."""
    reached: bool = False
    """Every run of the test that passes gets there, except that a loop may be over nothing."""
    exact: bool = False
    """What is compared is built of this and other literals, without arithmetic: a value next to it is another one."""
    allowed_difference: float = 0.0
    """The assertion itself accepts a number that is closer than this."""
    others: tuple[str, ...] = ()
    """Of a variant: other ones of its type."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """A part of an assertion that says what is expected."""

    region: Range
    tells: bool
    """A sample that meets it with one literal does not meet it with another."""
    allowed_difference: float | None = 0.0
    """None if it is not known."""


_SMALL = re.compile(r"(\d+(?:\.\d+)?(?:e-?\d+)?)(?:f32|f64)?|EPSILON", re.IGNORECASE)
_EPSILON = 1e-6
"""More than the `EPSILON` of any type of float."""
_VARIANT = re.compile(r"[A-Z]\w*[a-z]\w*")


def in_test(found: Sequence[Token], body: Range) -> Iterator[Expectation]:
    """Yield the expectations of the test whose braces are at these indices, without its end."""
    for index in range(body[0] + 1, body[1]):
        is_call = text_at(found, index + 1) == "!" and text_at(found, index + 2) in ("(", "[", "{")
        if found[index].text in ASSERTIONS and is_call and not _is_in_macro(found, body[0], index):
            yield from _in_assertion(found, body, index)
    for bound in bound_values(found, body):
        exact = is_built_of_literals(found, bound.value)
        reached = exact and _is_reached(found, body, bound.assertion, loops=True)
        for start, end in literal_spans(found, bound.value):
            yield Expectation(
                kind="literal", start=start, end=end, assertion=bound.at, certain=False, reached=reached, exact=exact
            )


def _in_assertion(found: Sequence[Token], body: Range, index: int) -> Iterator[Expectation]:
    name, opening = found[index].text, index + 2
    arguments = split_arguments(found, opening)
    if len(arguments) < (1 if name == "assert" else 2):
        return
    at, straight = found[index].start, _is_reached(found, body, index, loops=False)
    reached = straight or _is_reached(found, body, index, loops=True)
    if name != "assert_eq":
        start = found[opening].end
        yield Expectation(kind="truth", start=start, end=start, assertion=at, certain=straight, reached=reached)
    if name == "assert_eq":
        parts = [_Expected(argument, is_pure(found, argument)) for argument in arguments[:2]]
        left, right = (_constructor_arguments(found, side) for side in arguments[:2])
        if not left:  # a constructor on the left may be what is tested
            parts += [_Expected(argument, tells=False, allowed_difference=None) for argument in right]
        yield from _variants(found, arguments[1], at, reached=reached)
    else:
        parts = _compared(found, arguments[0]) if name == "assert" else []
    for part in parts:
        is_known = part.allowed_difference is not None
        for start, end in literal_spans(found, part.region):
            yield Expectation(
                kind="literal",
                start=start,
                end=end,
                assertion=at,
                certain=straight and part.tells,
                reached=reached and (is_known or name == "assert_eq"),
                exact=is_known and is_built_of_literals(found, part.region),
                allowed_difference=part.allowed_difference or 0.0,
            )


def _variants(found: Sequence[Token], side: Range, at: int, *, reached: bool) -> Iterator[Expectation]:
    """Yield the variant without fields that a side is, or holds as `Err(Type::Variant)`, with others of its type.

    Only those that the test file names in the same way: every sample that compiles with it has them.
    """
    start, end = side
    while text_at(found, start) in ("Err", "Ok", "Some") and closing_bracket(found, start + 1) == end - 1:
        start, end = start + 2, end - 1
    texts = [token.text for token in found[start:end]]
    if len(texts) != 3 or texts[1] != "::" or texts[0] in STD_ROOTS or not _is_variant(found, start):
        return
    others = {
        f"{texts[0]}::{found[index + 2].text}"
        for index in range(len(found) - 3)
        if found[index].text == texts[0] and _is_variant(found, index)
    } - {"".join(texts)}
    if others:
        first, last = found[start].start, found[end - 1].end
        others_in_order = tuple(sorted(others))
        yield Expectation(
            kind="variant", start=first, end=last, assertion=at, certain=False, reached=reached, others=others_in_order
        )


def _is_variant(found: Sequence[Token], index: int) -> bool:
    """Return whether `Type::Variant`, without fields, stands at an index."""
    is_path = text_at(found, index + 1) == "::" and text_at(found, index - 1) != "::"
    names = (found[index].text, text_at(found, index + 2))
    return is_path and all(map(_VARIANT.fullmatch, names)) and text_at(found, index + 3) not in ("(", "{", "::", "!")


def _constructor_arguments(found: Sequence[Token], side: Range) -> list[Range]:
    """Return the arguments of `Type::function(…)` if a side is nothing but that: a value made by the sample."""
    start, end = side
    at = start
    while text_at(found, at + 1) == "::" and found[at].is_name:
        at += 2
    is_call = at > start and text_at(found, at + 1) == "(" and closing_bracket(found, at + 1) == end - 1
    is_own = found[start].text[:1].isupper() and found[start].text not in STD_ROOTS and found[at].text[:1].islower()
    if not is_call or not is_own:
        return []
    return split_arguments(found, at + 1)


def _compared(found: Sequence[Token], condition: Range) -> list[_Expected]:
    """Return the parts of a condition that say what is expected.

    Bounds are left alone: where the task leaves freedom, a correct sample may meet the altered one as well.
    """
    texts = [token.text for token in found[slice(*condition)]]
    if texts[:2] == ["matches", "!"] and closing_bracket(found, condition[0] + 2) == condition[1] - 1:
        inside = range(condition[0] + 3, condition[1] - 1)
        guard = next((index for index in inside if found[index].text == "if"), None)
        return _compared(found, (guard + 1, condition[1] - 1)) if guard is not None else []
    if not UNREADABLE.isdisjoint(texts) or "!=" in texts or texts.count("!") > texts.count("vec"):
        return []
    top = {found[index].text: index for index in at_top(found, condition)}
    if "abs" in texts and texts.count("<") == 1 and "<" in top and "==" not in texts and ">" not in texts:
        region, bound = (condition[0], top["<"]), "".join(token.text for token in found[top["<"] + 1 : condition[1]])
        number = _SMALL.fullmatch(bound.rpartition("::")[2])
        if number is None:
            return [_Expected(region, tells=False, allowed_difference=None)]
        return _difference(found, region, float(number[1] or _EPSILON))
    if "==" not in texts or "<" in texts or ">" in texts:
        return []
    if texts.count("==") != 1 or "==" not in top or "&" in top:
        return [_Expected(condition, tells=False)]
    sides = ((condition[0], top["=="]), (top["=="] + 1, condition[1]))
    return [_Expected(side, is_pure(found, side)) for side in sides]


def _difference(found: Sequence[Token], region: Range, allowed: float) -> list[_Expected]:
    """Return the literal whose distance from something is bounded, or else all of the region as uncertain."""
    inside = _absolute(found, region)
    if inside is not None:
        start, end = inside
        signs = [index for index in at_top(found, inside) if found[index].text in ("-", "+")]
        if len(signs) == 1 and signs[0] == end - 2:
            return [_Expected((end - 1, end), tells=True, allowed_difference=allowed)]
        if len(signs) == 1 and signs[0] == start + 1:
            return [_Expected((start, start + 1), tells=True, allowed_difference=allowed)]
    return [_Expected(region, tells=False, allowed_difference=None)]


def _absolute(found: Sequence[Token], region: Range) -> Range | None:
    """Return the inside of `(…).abs()` or `f64::abs(…)`, if a region is nothing but that."""
    start, end = region
    texts = [token.text for token in found[start:end]]
    if texts[:1] == ["("] and texts[-4:] == [".", "abs", "(", ")"] and closing_bracket(found, start) == end - 5:
        return start + 1, end - 5
    is_call = texts[:1] in (["f32"], ["f64"]) and texts[1:4] == ["::", "abs", "("]
    return (start + 4, end - 1) if is_call and closing_bracket(found, start + 3) == end - 1 else None


def _is_reached(found: Sequence[Token], body: Range, index: int, *, loops: bool) -> bool:
    """Return whether every run of the test that passes gets there: a statement of the body, with no way around it.

    With `loops`, also statements in `for` loops of the body, which may be over nothing.
    """
    at = statement = body[0] + 1
    while at < index:
        if found[at].text in ("return", "loop", "break", "continue"):
            return False
        if found[at].text in ("(", "[", "{"):
            closing = closing_bracket(found, at)
            if closing < index:
                if any(token.text in ("return", "continue") for token in found[at:closing]):
                    return False
                at = closing
            elif not loops or found[at].text != "{" or found[statement].text != "for":
                return False
        if found[at].text in (";", "{", "}"):
            statement = at + 1
        at += 1
    return text_at(found, index - 1) in ("{", "}", ";")


def _is_in_macro(found: Sequence[Token], start: int, index: int) -> bool:
    """Return whether a token is inside a macro call or definition of the test's body."""
    at = start + 1
    while at < index:
        if found[at].text in ("(", "[", "{"):
            closing = closing_bracket(found, at)
            if closing < index:
                at = closing
            elif text_at(found, at - 1) == "!" or text_at(found, at - 3) == "macro_rules":
                return True
        elif found[at].text == "macro_rules":
            at += 2
        at += 1
    return False
