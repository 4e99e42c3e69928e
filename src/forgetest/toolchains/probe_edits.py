"""Changes of a call's literals, one at a time: their neighbours, the ends of their types, and constants of the code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.mutation import Edit, replaced, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBERS = ("integer", "integer_literal", "float", "float_literal")
_TEXTS = ("string", "string_literal")
_EDGES = "azAZ09@[`{/:_,-. "
"""The ends of letters and digits, what stands just beyond them, and separators."""
_LISTS = ("list", "tuple", "array_expression", "token_tree", "set", "dictionary")
_MOST_CONSTANTS = 40
_LONGEST_CONSTANT = 20
_MOST_WORDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The literals of a program that may be values of its arguments."""

    numbers: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Without quotes; those that would need escapes are left out."""

    @classmethod
    def of(cls, code: str, grammar: str) -> Constants:
        """Return the constants of a program, each once."""
        nodes = list(mutation.walk(mutation.parse(grammar, code))) if code else []
        numbers = [text_of(node).replace("_", "") for node in nodes if node.type in _NUMBERS]
        quoted = (*_TEXTS, "char_literal")
        texts = [text_of(node)[1:-1] for node in nodes if node.type in quoted and text_of(node)[:1] in "\"'"]
        plain = [text for text in texts if len(text) <= _LONGEST_CONSTANT and not re.search(r"[\\\"'\n{}]", text)]
        return cls(
            numbers=tuple(dict.fromkeys(each for each in numbers if re.fullmatch(r"\d{1,9}|\d{1,9}\.\d*", each)))[
                :_MOST_CONSTANTS
            ],
            texts=tuple(dict.fromkeys(plain))[:_MOST_CONSTANTS],
        )

    def near(self, *, is_whole: bool) -> list[str]:
        """Return the numbers and their neighbours, as whole numbers or with a point."""
        if not is_whole:
            return [each if "." in each else f"{each}.0" for each in self.numbers]
        whole = [int(each) for each in self.numbers if each.isdigit()]
        return list(dict.fromkeys(str(near) for each in whole for near in (each, each - 1, each + 1) if near >= 0))


def changes(call: str, grammar: str, constants: Constants, *, signed: bool) -> Iterator[str]:
    """Yield the call with one literal changed, in all ways."""
    # an expression alone is no program in every language
    frame = "fn f() {{ {} }}" if "rust" in grammar else "{}"
    before, after = frame.format("\0").split("\0")
    code = f"{before}{call}{after}"
    for node in mutation.walk(mutation.parse(grammar, code)):
        for edit in (*_edits(node, constants, signed=signed), *_copies(node)):
            changed = mutation.apply(code, [edit])
            yield changed.removeprefix(before).removesuffix(after)


def _edits(node: Node, constants: Constants, *, signed: bool) -> Iterator[Edit]:
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
        yield from (replaced(node, value) for value in constants.near(is_whole=is_whole))
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
        yield from (replaced(node, f"{quote}{value}{quote}") for value in _words_changed(content, constants))
    elif node.type == "char_literal" and "\\" not in text:
        letters = [each for each in constants.texts if len(each) == 1]
        yield from (replaced(node, f"'{edge}'") for edge in (*_EDGES, *letters))
    elif node.type in ("true", "false", "boolean_literal"):
        yield replaced(node, {"True": "False", "False": "True", "true": "false", "false": "true"}[text])
    elif node.type in _LISTS and node.parent is not None:
        yield from _list_edits(node)


def _words_changed(content: str, constants: Constants) -> Iterator[str]:
    """Replace the words of a text by texts of the code, and the numbers in it by others, as wide as they are."""
    yield from constants.texts
    for word in list(re.finditer(r"\d+|[^\W\d_]+", content))[:_MOST_WORDS]:
        values: list[str] = list(constants.texts)
        if word[0].isdigit():
            number = int(word[0])
            near = [str(value) for value in (0, number - 1, number + 1) if value >= 0]
            values = [value.zfill(len(word[0])) for value in (*near, *constants.near(is_whole=True))]
        yield from (f"{content[: word.start()]}{value}{content[word.end() :]}" for value in values)


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
