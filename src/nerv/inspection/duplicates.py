"""Duplicated blocks, found by tokens: layout, comments and, in longer blocks, changed names do not hide a copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nerv.inspection.languages import row, text_of
from nerv.inspection.source import is_written
from nerv.inspection.values import COMMENTS, STRINGS, Issue, ParsedFile

if TYPE_CHECKING:
    from tree_sitter import Node

SAME_TOKENS = 50
"""Least number of equal tokens of a copied block (PMD's CPD is used with 50 to 100)."""
SAME_SHAPE = 100
"""The same if names and literals differ: shorter blocks are often similar by nature (tables, boilerplate)."""
_FEWEST_LINES = 5
_LITERALS_IN_A_ROW = 4

_NUMBERS = frozenset(
    {"number", "integer", "float", "integer_literal", "float_literal", "decimal_integer_literal", "int_literal"}
)
_IMPORTS = frozenset(
    {
        "import_statement",
        "import_from_statement",
        "use_declaration",
        "import_declaration",
        "package_declaration",
        "package_clause",
    }
)
_NAMES = frozenset(
    {"identifier", "property_identifier", "field_identifier", "type_identifier", "shorthand_property_identifier"}
)


@dataclass(frozen=True, slots=True)
class _Token:
    exact: int
    shape: int
    file: int
    row: int


def find_duplicates(files: Sequence[ParsedFile]) -> Iterator[Issue]:
    """Find copied blocks; each issue is located at the copy and names the original."""
    tokens = [
        token for index, parsed in enumerate(files) if not parsed.is_test for token in _file_tokens(parsed, index)
    ]
    copied = _copies(tokens, [token.shape for token in tokens], SAME_SHAPE)
    copied.update(_copies(tokens, [token.exact for token in tokens], SAME_TOKENS))
    yield from _duplicate_blocks(files, tokens, copied)


def _file_tokens(parsed: ParsedFile, index: int) -> Iterator[_Token]:
    literals = 0  # in a row, separated by commas only: a table is data, not a copied block
    for node in _leaves(parsed):
        text = text_of(node).strip()
        if not text:
            continue
        if node.type in STRINGS or node.type in _NUMBERS:
            literals += 1
            if literals <= _LITERALS_IN_A_ROW:
                yield _Token(token_hash(text), token_hash("literal"), index, row(node))
            continue
        if text == ",":
            if literals < _LITERALS_IN_A_ROW:
                yield _Token(token_hash(text), token_hash(text), index, row(node))
            continue
        literals = 0
        yield _Token(
            token_hash(text), token_hash("name") if node.type in _NAMES else token_hash(text), index, row(node)
        )


def _leaves(parsed: ParsedFile) -> Iterator[Node]:
    waiting = [parsed.root]
    while waiting:
        node = waiting.pop()
        if node.type in COMMENTS or node.type in _IMPORTS:
            continue
        if node.type in STRINGS or not node.children:
            yield node
        else:
            waiting.extend(reversed(node.children))


def token_hash(text: str) -> int:
    """Return a hash that is the same in every process, unlike Python's own."""
    import zlib

    return zlib.crc32(text.encode("utf-8", "replace")) + 1


_OPENING = token_hash("(")
_BASE, _MODULUS = 1_000_003, (1 << 61) - 1


def _copies(tokens: list[_Token], keys: list[int], window: int) -> dict[int, int]:
    """Yield each token of a second occurrence, with the index of the first."""
    copied: dict[int, int] = {}
    top = pow(_BASE, window - 1, _MODULUS)
    first_at: dict[int, int] = {}
    value = 0
    for end, key in enumerate(keys):
        value = (value * _BASE + key) % _MODULUS
        start = end - window + 1
        if start < 0:
            continue
        if tokens[start].file == tokens[end].file:
            first = first_at.setdefault(value, start)
            apart = tokens[first].file != tokens[start].file or start - first >= window
            if first != start and apart:
                for offset in range(window - 1, -1, -1):
                    if start + offset in copied:
                        break
                    copied[start + offset] = first + offset
        value = (value - keys[start] * top) % _MODULUS
    return copied


def _duplicate_blocks(files: Sequence[ParsedFile], tokens: list[_Token], copied: dict[int, int]) -> Iterator[Issue]:
    stretch: list[int] = []
    for index in [*sorted(copied), -1]:
        if stretch and (index != stretch[-1] + 1 or tokens[index].file != tokens[stretch[0]].file):
            yield from _issue_at(files, tokens, stretch, copied[stretch[0]])
            stretch = []
        stretch.append(index)


def _issue_at(files: Sequence[ParsedFile], tokens: list[_Token], stretch: list[int], original: int) -> Iterator[Issue]:
    parsed = files[tokens[stretch[0]].file]
    rows = sorted({tokens[index].row for index in stretch})
    own = [index for index in rows if is_written(parsed.source, index)]
    calls = sum(tokens[index].exact == _OPENING for index in stretch)
    if len(own) < _FEWEST_LINES or calls * 40 < len(stretch):  # without calls and conditions it is a table
        return
    first = files[tokens[original].file].source.at(tokens[original].row)
    location = parsed.source.at(rows[0])
    yield Issue(kind="duplicate", text=f"{len(own)} lines as in {first}", location=location, weight=len(own) / 10)
