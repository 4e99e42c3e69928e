"""Inputs that may tell two programs apart: the calls of existing tests, with their literals changed a little."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.mutation import Edit, replaced, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

DIFFERS = "forgetest-differs"
"""Begins the message of a probing test: then come the number of the first call that differs, and what is expected."""
INSTEAD = "forgetest-instead"
"""Follows in the message, before the program's own result."""

_MESSAGE = re.compile(rf"{DIFFERS} (\d+) (.*?)(?:\s{INSTEAD} (.*))?\Z", re.DOTALL)
_LONGEST_RESULT = 200
_LONGEST_CALL = 2_000
_NUMBERS = ("integer", "integer_literal", "float", "float_literal")
_TEXTS = ("string", "string_literal")
_EDGES = "azAZ09@[`{/:_,-. "
"""The ends of letters and digits, what stands just beyond them, and separators."""
_MOST_AT_ONCE = 20
"""Changes of one call that is a change already."""
_LISTS = ("list", "tuple", "array_expression", "token_tree", "set", "dictionary")


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A call for which a mutant's result is not the reference solution's."""

    call: int
    """Its index among the calls of the probe."""
    expected: str
    """The reference solution's result, as the language writes it."""
    actual: str = ""
    """The program's own result, shortened; empty where the message does not tell it."""


def difference(message: str) -> Difference | None:
    """Return what a probing test has found, from the message of its failure."""
    found = _MESSAGE.search(message)
    if found is None:
        return None
    actual = (found[3] or "").strip()
    shortened = actual if len(actual) <= _LONGEST_RESULT else f"{actual[:_LONGEST_RESULT]} …"
    return Difference(call=int(found[1]), expected=found[2].strip(), actual=shortened)


def calls_in(text: str, names: Sequence[str]) -> list[str]:
    """Return the calls of these functions in a text, each once."""
    found: dict[str, None] = {}
    for name in names:
        for call in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", text):
            end = closing(text, call.end())
            if end is not None:
                found[text[call.start() : end]] = None
    return list(found)


def closing(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the one before `start`; None if there is none nearby."""
    depth, quote = 1, ""
    for index in range(start, min(len(text), start + _LONGEST_CALL)):
        letter = text[index]
        if quote:
            quote = "" if letter == quote and text[index - 1] != "\\" else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return index + 1
    return None


def variations(calls: Sequence[str], grammar: str, most: int, seed: int) -> list[str]:
    """Return the calls and variations of them, at most that many, the shortest first.

    First single changes, of each call as many as of the others, then changes of changes, all at random. Negative
    numbers occur only where a call has one: an input that the task excludes proves nothing.
    """
    signed = any(re.search(r"(?<![\w)\]\"'])\s*-\s*\d", call) for call in calls)
    chooser = random.Random(seed)  # noqa: S311  (a search that can be repeated)
    changes = [list(dict.fromkeys(_changes(call, grammar, signed=signed))) for call in calls]
    for of_call in changes:
        chooser.shuffle(of_call)
    found = dict.fromkeys(calls)
    found |= dict.fromkeys(each for turn in zip_longest(*changes) for each in turn if each is not None)
    for _ in range(most):
        if len(found) >= most or not found:
            break
        further = list(_changes(chooser.choice(list(found)), grammar, signed=signed))
        found |= dict.fromkeys(chooser.sample(further, min(len(further), _MOST_AT_ONCE)))
    return sorted(list(found)[:most], key=lambda call: (len(call), call))


def _changes(call: str, grammar: str, *, signed: bool) -> Iterator[str]:
    # an expression alone is no program in every language
    frame = "fn f() {{ {} }}" if "rust" in grammar else "{}"
    before, after = frame.format("\0").split("\0")
    code = f"{before}{call}{after}"
    for node in mutation.walk(mutation.parse(grammar, code)):
        for edit in (*_edits(node, signed=signed), *_copies(node)):
            changed = mutation.apply(code, [edit])
            yield changed.removeprefix(before).removesuffix(after)


def _edits(node: Node, *, signed: bool) -> Iterator[Edit]:
    text = text_of(node)
    if node.type in _NUMBERS and re.fullmatch(r"[\d_]+|[\d_]*\.\d*", text):
        is_whole = text.replace("_", "").isdigit()
        number = int(text.replace("_", "")) if is_whole else float(text.replace("_", ""))
        values = [
            number + 1,
            number - 1,
            number * 2,
            number * 0,
            number * 0 + 1,
            number * 0 + 2,
            number // 2,
            number * 10,
        ]
        if not is_whole:
            values += [number + 0.5, number / 3]
        yield from (replaced(node, str(value)) for value in values if value >= 0)
        if signed:
            yield replaced(node, f"-{text}")
    elif node.type in _TEXTS and text[:1] in "\"'" and text[:1] == text[-1:]:
        quote, content = text[0], text[1:-1]
        if "\\" in content or quote in content:
            return
        for value in (
            "", content[:-1], content[1:], content + content[-1:], content[::-1], content.upper(), content.lower(),
            content + " ", " " + content, content + "é", content[: len(content) // 2], content[:1], content[1:2],
            content.replace(" ", "  "), content.swapcase(), content + content, content + content[::-1],
            *(content + edge for edge in _EDGES), *(edge + content for edge in _EDGES[::3]), *_EDGES[::2],
        ):  # fmt: skip
            yield replaced(node, f"{quote}{value}{quote}")
    elif node.type == "char_literal" and "\\" not in text:
        yield from (replaced(node, f"'{edge}'") for edge in _EDGES)
    elif node.type in ("true", "false", "boolean_literal"):
        yield replaced(node, {"True": "False", "False": "True", "true": "false", "false": "true"}[text])
    elif node.type in _LISTS and node.parent is not None:
        yield from _list_edits(node)


def _copies(node: Node) -> Iterator[Edit]:
    """Make a number or a text equal to the one before it: many conditions compare two arguments or elements."""
    kinds = next((kinds for kinds in (_NUMBERS, _TEXTS) if node.type in kinds), None)
    before = node.prev_named_sibling
    while kinds and before is not None and before.type not in kinds:
        before = before.prev_named_sibling
    if kinds and before is not None and text_of(before) != text_of(node):
        yield replaced(node, text_of(before))


def _list_edits(node: Node) -> Iterator[Edit]:
    """Leave out, repeat and exchange elements."""
    elements = [child for child in node.named_children if not child.type.endswith("comment")]
    if node.type == "token_tree" and any(child.type not in (*_NUMBERS, *_TEXTS) for child in elements):
        return
    for index, element in enumerate(elements):
        if index + 1 < len(elements):
            yield Edit(element.start_byte, elements[index + 1].start_byte, "")
            other = elements[index + 1]
            if text_of(other) != text_of(element):
                yield Edit(element.start_byte, other.end_byte, f"{text_of(other)}, {text_of(element)}")
        elif index:
            yield Edit(elements[index - 1].end_byte, element.end_byte, "")
        yield Edit(element.end_byte, element.end_byte, f", {text_of(element)}")
    if elements and node.type != "tuple":
        yield Edit(elements[0].start_byte, elements[-1].end_byte, "")
