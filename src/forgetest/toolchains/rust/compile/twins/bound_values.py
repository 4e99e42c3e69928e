"""Literals behind a name that a test only compares: `let expected = …`, and columns of a table that a loop is over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from forgetest.toolchains.rust.compile.trusted_paths import text_at
from forgetest.toolchains.rust.compile.twins.literals import Range, at_top, split_arguments
from forgetest.toolchains.rust.source.lexer import Token, closing_bracket

_ASSERTIONS = ("assert", "assert_eq", "assert_ne")


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundValue:
    """An expected value that an assertion has by a name."""

    value: Range
    at: int
    """Position of its assertion, or of its row."""
    assertion: int
    """Index of the assertion."""


def bound_values(found: Sequence[Token], body: Range) -> Iterator[BoundValue]:
    """Yield such values in a test's body."""
    names = _compared_names(found, body)
    tables: dict[str, Range] = {}
    for index in range(body[0] + 1, body[1]):
        if found[index].text == "let":
            name, value = _let_binding(found, index, body[1])
            if value is not None and name in names:
                yield BoundValue(value=value, at=found[names[name]].start, assertion=names[name])
            elif value is not None:
                tables[name] = value
        elif found[index].text == "for":
            for row, column, cell in _compared_cells(found, index, names, tables):
                yield BoundValue(value=cell, at=found[row].start, assertion=names[column])


def _compared_cells(
    found: Sequence[Token], index: int, names: Mapping[str, int], tables: Mapping[str, Range]
) -> Iterator[tuple[int, str, Range]]:
    """Yield the cells of columns that are only compared, with row and column, of the table that a loop is over."""
    pattern = index + 2 if text_at(found, index + 1) == "&" else index + 1
    if text_at(found, pattern) != "(":
        return
    closing = closing_bracket(found, pattern)
    columns = [text_at(found, end - 1) for _, end in split_arguments(found, pattern)]
    for row in _rows(found, closing + 2, tables) if text_at(found, closing + 1) == "in" else ():
        cells = split_arguments(found, row)
        if len(cells) == len(columns):
            yield from ((row, column, cell) for column, cell in zip(columns, cells, strict=True) if column in names)


def _rows(found: Sequence[Token], index: int, tables: Mapping[str, Range]) -> list[int]:
    """Return the opening brackets of a table's rows; the table is a literal at an index, or a name for one."""
    if text_at(found, index) == "&":
        index += 1
    if text_at(found, index) in tables:
        index = tables[text_at(found, index)][0]
    while text_at(found, index) in ("&", "vec", "!"):
        index += 1
    if text_at(found, index) != "[":
        return []
    return [start for start, _ in split_arguments(found, index) if text_at(found, start) == "("]


def _let_binding(found: Sequence[Token], index: int, last: int) -> tuple[str, Range | None]:
    """Return the name and the value of `let name: Type = value;`."""
    at = index + 2 if text_at(found, index + 1) == "mut" else index + 1
    name, at = text_at(found, at), at + 1
    if text_at(found, at) not in ("=", ":"):
        return name, None
    ends = [place for place in at_top(found, (at, last)) if found[place].text in ("=", ";")]
    equals = next((place for place in ends if found[place].text == "="), None)
    if equals is None:
        return name, None
    end = next((place for place in ends if found[place].text == ";" and place > equals), None)
    return name, (equals + 1, end) if end is not None else None


def _compared_names(found: Sequence[Token], body: Range) -> dict[str, int]:
    """Return the names that are only ever compared: each stands alone on a side of an `assert_eq!`, and nowhere else.

    With each, the index of the first assertion that has it.
    """
    names: dict[str, int] = {}
    compared: set[int] = set()
    for index in range(body[0] + 1, body[1]):
        if found[index].text in _ASSERTIONS and text_at(found, index + 1) == "!":
            arguments = split_arguments(found, index + 2)
            for start, end in arguments[:2] if found[index].text == "assert_eq" else ():
                while start < end and found[start].text in ("*", "&"):
                    start += 1
                rest = [token.text for token in found[start + 1 : end]]
                is_alone = not rest or rest in ([".", "to_string", "(", ")"], [".", "clone", "(", ")"])
                if start < end and is_alone and found[start].is_name:
                    names.setdefault(found[start].text, index)
                    compared.add(start)
            compared.update(place for argument in arguments[2:] for place in range(*argument))  # the message
    for index in range(*body):
        text = found[index].text
        if text in names and index not in compared and not _is_binding(found, index):
            del names[text]
    return names


def _is_binding(found: Sequence[Token], index: int) -> bool:
    """Return whether the name there is bound by `let name`, or in the pattern of `for (…, name, …) in`."""
    if "let" in (text_at(found, index - 1), text_at(found, index - 2)):
        return True
    opening = index
    while opening > 0 and found[opening].text not in ("(", "{", "}", ";"):
        opening -= 1
    before = text_at(found, opening - 1)
    return found[opening].text == "(" and (before == "for" or (before == "&" and text_at(found, opening - 2) == "for"))
