"""Examples in a spec that can be run: "`slugify("Crème")` is `creme`", "`parse` …: `1h30m` is 5400"."""

from __future__ import annotations

import ast
import itertools
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from nerv.spec import Spec, SpecItem
from nerv.spec.tabled_examples import tabled_calls

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A call of a function, and what the spec says of its result."""

    item: int
    """The number of the spec's item."""
    function: str
    arguments: tuple[Value, ...]
    expected: Value = None
    """The value that it returns, if it does not fail."""
    fails: bool = False
    """It raises an exception, or returns an error."""
    raises: bool = False
    """The spec says that it raises, throws or panics: to return nothing is not enough."""
    succeeds: bool = False
    """It returns some value, of which the spec says no more here."""
    written_out: bool = False
    """The spec has the call itself, and so may describe what it gives today."""
    owner: str = ""
    """The class of a method, which is called on a new object."""
    keywords: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        arguments = ", ".join((*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.keywords)))
        return f"{self.owner}().{self.function}({arguments})" if self.owner else f"{self.function}({arguments})"


_CODE = r"`(?P<{0}>[^`]+)`"
_SPAN = re.compile(r"`([^`]+)`")
_IS = r"\s*(?:,\s*)?(?:is|are|equals|returns|gives|yields|becomes|must be|should be|should return|==?=?|=>|->|→)\s+"
FAILS = r"(?:raises?|throws?|is refused|is rejected|fails|panics|returns an error|is an error)\b"
_NUMBER = r"-?\d+(?:\.\d+)?"
_CALL = re.compile(r"(?P<function>[A-Za-z_]\w*)\((?P<arguments>.*)\)", re.S)
_NUMBERS = rf"{_NUMBER}(?:, {_NUMBER})*(?![\w.]*\w)"
_CALL_EXAMPLE = re.compile(
    _CODE.format("call") + rf"(?:{_IS}(?:{_CODE.format('value')}|(?P<number>{_NUMBERS}))|\s+(?P<fails>{FAILS}))"
)
_WHOLE_EXAMPLE = re.compile(r"(?P<call>[A-Za-z_]\w*\(.*\))\s*(?:===?|=>|->|→|returns)\s*(?P<value>.+)", re.S)
_PAIR_EXAMPLE = re.compile(
    rf"(?:{_CODE.format('given')}|(?<![\w.`])(?P<input>{_NUMBER}))"
    rf"\s+(?:is|becomes|gives|→|->|=>)\s+(?:{_CODE.format('value')}|(?P<number>{_NUMBER})\b"
    r"(?!\s*(?:minutes?|hours?|days?|weeks?|months?|years?|[kKMGT]i?B|kg|km|percent|%)))"  # in which unit is it given?
)
_ERROR = r"(?:\w+(?:::|\.))*(?:Err\w*|\w*Error|Invalid\w*)"
"""The name of an error, as code."""
_REFUSED_LIST = re.compile(rf"{FAILS}[^`.;:]*\bfor\s+(?P<list>`[^`]+`(?:(?:,| and| or|, and|, or)\s+`[^`]+`)*)")
_LIST_REFUSED = re.compile(
    r"(?P<list>`[^`]+`(?:(?:,| and| or|, and|, or)\s+`[^`]+`)*)\s+(?:is|are)\s+"
    rf"(?:(?:refused|rejected|errors?|invalid)\b|(?:an? )?`{_ERROR}`)"
)
_QUOTED = re.compile(r"(`[^`]*`)|\"([^\"`\n]{1,80})\"")
_LISTED = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s|\s+\S")
_ONE_PARAMETER = re.compile(r"`([A-Za-z_]\w*)\((?!self\b)[A-Za-z_]\w*\)`")
_NAME = re.compile(r"[A-Za-z_]\w*")
_FAULT = r"currently|today|at the moment|right now|used to|so far|wrong(?:ly)?|bug|broken"
_ABOUT_A_FAULT = re.compile(rf"\b(?:{_FAULT})\b", re.I)
ABOUT_BEFORE = re.compile(
    rf"\b(?:{_FAULT}|was|were|no longer|instead of|rather than|not|never|unlike|except|unless|if|when|with)\b", re.I
)
"""Words by which a clause speaks of something else than what the call must give under all circumstances."""
_CLAUSE = re.compile(r"(?<=[;.:])\s+|,\s+(?=(?:and|but)\s)")
_MOST = 40
_BEGINNINGS = (30, 10)
"""Letters of an item by which it is found in the text; a line may end soon."""


def examples(spec: Spec) -> tuple[Example, ...]:
    """Return the examples of a spec's items, in order, each once."""
    found: dict[str, Example] = {}
    lines = spec.text.split("\n")
    places = _first_lines(spec)
    of_items = (
        each
        for item, place in zip(spec.items, places, strict=True)
        for each in _of_item(item, _introduction(lines, place))
    )
    for example in (*of_items, *_tabled(spec, places)):
        found.setdefault(repr(replace(example, written_out=False)), example)
    return tuple(found.values())[:_MOST]


def _first_lines(spec: Spec) -> list[int]:
    """Return the index of the line that each item begins on, in the spec's own text; -1 if it is not found there.

    The location of an item may be that of a prompt in a log.
    """
    found: list[int] = []
    ends = [match.start() for match in re.finditer("\n", spec.text)]
    position = 0
    for item in spec.items:
        start = next((at for size in _BEGINNINGS if (at := spec.text.find(item.text[:size], position)) >= 0), -1)
        found.append(bisect_left(ends, start) if start >= 0 else -1)
        position = start + 1 if start >= 0 else position
    return found


def _tabled(spec: Spec, places: Sequence[int]) -> Iterator[Example]:
    """Yield the examples in tables and code blocks, each with the last item above it."""
    for stated in itertools.islice(tabled_calls(spec.text), _MOST) if spec.items else ():
        above = [item for item, place in zip(spec.items, places, strict=True) if 0 <= place < stated.line]
        item = above[-1] if above else spec.items[0]
        yield from _call(item, stated.call, stated.value or None, fails=stated.fails or None)


def _of_item(item: SpecItem, introduction: str) -> Iterator[Example]:
    subject = _subject(item.text)
    introduced = "" if subject else _introduced_function(introduction)
    before, fault = "", False
    for clause in _clauses(_with_code_for_quotes(item.text)):
        words = _SPAN.sub("``", clause)
        # "scaling is wrong: `scale(1)` gives `2`"
        fault = bool(_ABOUT_A_FAULT.search(words)) or (fault and before.endswith((":", ";")))
        before = words
        if fault or ABOUT_BEFORE.search(words):
            continue
        yield from _calls(item, clause)
        if subject:
            yield from _pairs(item, subject, clause)
            yield from _refusals(item, subject, clause)
        if introduced:
            yield from _quoted_pairs(item, introduced, clause)


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text; what is in backticks is not taken apart."""
    spans = iter(_SPAN.findall(text))
    for clause in _CLAUSE.split(_SPAN.sub("\0", text.replace("\0", " "))):
        yield re.sub("\0", lambda _: f"`{next(spans)}`", clause)


def _with_code_for_quotes(text: str) -> str:
    """Return a text with its quotations as code: some specs write "1h30m" where others write `1h30m`."""
    return _QUOTED.sub(lambda match: match[1] or f"`{match[2]}`", text)


def _subject(text: str) -> str:
    """Return the function that an item is about: the one it begins with, if it names no other as code."""
    match = re.match(r"`([A-Za-z_]\w*)(?:\(\))?`\s", text)
    return match[1] if match else ""


def _calls(item: SpecItem, clause: str) -> Iterator[Example]:
    for match in _CALL_EXAMPLE.finditer(clause):
        value = match["value"] if match["value"] is not None else match["number"]
        yield from _call(item, match["call"], value, fails=match["fails"])
    for span in _SPAN.findall(clause):
        if whole := _WHOLE_EXAMPLE.fullmatch(span.strip()):
            yield from _call(item, whole["call"], whole["value"], fails=None)


def _call(item: SpecItem, call: str, value: str | None, *, fails: str | None) -> Iterator[Example]:
    match = _CALL.fullmatch(call.strip())
    arguments = _literals(match["arguments"]) if match else None
    if match is None or arguments is None:
        return
    example = Example(item=item.number, function=match["function"], arguments=arguments, written_out=True)
    if fails:
        yield replace(example, fails=True, raises=is_raised(fails))
    elif value is not None and (expected := _value(value)) is not None:
        yield replace(example, expected=expected)


def _pairs(item: SpecItem, subject: str, clause: str) -> Iterator[Example]:
    """`1h30m` is 5400; 5400 is `1h30m`: an input in backticks is a text, a bare number is a number."""
    for match in _PAIR_EXAMPLE.finditer(clause):
        if match["given"] is not None and _CALL.fullmatch(match["given"]):
            continue
        given: Value = match["given"] if match["given"] is not None else _number(match["input"])
        if match["value"] is not None and re.fullmatch(_ERROR, match["value"]):
            continue
        expected: Value = match["value"] if match["value"] is not None else _number(match["number"])
        if not (isinstance(given, str) and _NAME.fullmatch(given) and given == subject):
            yield Example(item=item.number, function=subject, arguments=(given,), expected=expected)


def _quoted_pairs(item: SpecItem, subject: str, clause: str) -> Iterator[Example]:
    """`"1:30"` is 90: both sides must be literals, as only the line above the list says what is called."""
    for match in _PAIR_EXAMPLE.finditer(clause):
        given = _literals(match["given"]) if match["given"] is not None and match["given"][0] in "\"'" else None
        expected = _literals(match["value"] if match["value"] is not None else match["number"])
        if given is not None and expected is not None and len(given) == len(expected) == 1:
            yield Example(item=item.number, function=subject, arguments=given, expected=expected[0], written_out=True)


def _introduction(lines: Sequence[str], place: int) -> str:
    """Return the line above the list that a line belongs to; empty if it belongs to none."""
    if place < 0 or not _LISTED.match(lines[place]):
        return ""
    above = (lines[index] for index in range(place - 1, -1, -1))
    return next((line for line in above if line.strip() and not _LISTED.match(line)), "")


def _introduced_function(introduction: str) -> str:
    """Return the function of one parameter that the line above a list is about, if it names a single one."""
    if not introduction.rstrip().endswith(":"):
        return ""
    named = {match[1] for match in _ONE_PARAMETER.finditer(introduction)}
    return named.pop() if len(named) == 1 else ""


def _refusals(item: SpecItem, subject: str, clause: str) -> Iterator[Example]:
    for match in (*_REFUSED_LIST.finditer(clause), *_LIST_REFUSED.finditer(clause)):
        for given in _SPAN.findall(match["list"]):
            raises = is_raised(match[0])
            yield Example(item=item.number, function=subject, arguments=(given,), fails=True, raises=raises)


def is_raised(text: str) -> bool:
    """Return whether a text says that an error is raised, rather than that something is refused."""
    return re.search(r"\b(?:raise|throw|panic)", text) is not None


def _literals(text: str) -> tuple[Value, ...] | None:
    """Return the arguments of a call if all of them are literals, as Python or JSON writes them."""
    plain = re.sub(r"\bnull\b|\bundefined\b|\bnil\b", "None", text)
    plain = re.sub(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)", r'\1"\2"\3', plain)  # the keys of JavaScript's objects
    plain = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b", "False", plain))
    try:
        value = ast.literal_eval(f"({plain},)" if plain.strip() else "()")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return tuple(value) if all(map(_is_plain, value)) else None


def _is_plain(value: object) -> bool:
    return (
        value is None
        or isinstance(value, str | int | float)
        or (isinstance(value, list) and all(map(_is_plain, value)))
        or (isinstance(value, dict) and all(isinstance(key, str) and _is_plain(each) for key, each in value.items()))
    )


def _value(text: str) -> Value:
    """Return an expected value: a literal where it is one, otherwise the text itself; None for a name."""
    literals = _literals(text)
    if literals is not None and len(literals) == 1:
        return literals[0]
    if literals is not None and re.fullmatch(_NUMBERS, text):
        return list(literals)
    is_name = (_NAME.fullmatch(text) and not text.islower()) or re.fullmatch(_ERROR, text)
    return None if is_name else text


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)
