"""Mutations: small changes to a program that tests worth their name notice.

What every language shares: syntax trees, edits, functions, and a selection that is spread over operators and lines. A
language adds one table of operators.
"""

from __future__ import annotations

import functools
import importlib
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_LONGEST_PIECE = 120
"""Characters of a changed piece that a mutation shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """A program with one small change."""

    operator: str
    """The kind of change: a key of the language's table."""
    line: int
    """Where the change begins, counted from 1."""
    start: int
    end: int
    """The changed bytes of the original program."""
    before: str
    """The changed piece, on one line."""
    after: str
    code: str
    """The whole program with the change."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of some bytes of a program."""

    start: int
    end: int
    text: str


def replaced(node: Node, text: str) -> Edit:
    """Return the edit that puts a text in a node's place."""
    return Edit(node.start_byte, node.end_byte, text)


def inserted(at: int, text: str) -> Edit:
    """Return the edit that inserts a text."""
    return Edit(at, at, text)


Alternatives = Mapping[str, tuple[str, ...]]
"""The texts that may stand in the place of another."""
Operator = Callable[["Node"], Iterable[Edit]]
"""Returns the edits that begin at a node; none for most nodes."""
Operators = Mapping[str, Operator]
"""The operators of a language by name."""


@functools.cache
def parser(grammar: str) -> Parser:
    """Return a parser; `grammar` is the module of a tree-sitter grammar."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser as GrammarParser

    return GrammarParser(Grammar(importlib.import_module(grammar).language()))


def parse(grammar: str, code: str) -> Node:
    """Return the root of a program's syntax tree; invalid parts become ERROR nodes."""
    return parser(grammar).parse(code.encode("utf-8", "replace")).root_node


def walk(node: Node, skip: Callable[[Node], bool] = lambda _: False) -> Iterator[Node]:
    """Yield the node and its descendants in the order of the text, without what `skip` is true for."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if not skip(current):
            yield current
            waiting.extend(reversed(current.children))


def text_of(node: Node | None) -> str:
    """Return the source text of a node; empty for None."""
    return node.text.decode("utf-8", "replace") if node is not None and node.text is not None else ""


def exchanged(node: Node, alternatives: Alternatives, parents: Collection[str]) -> Iterator[Edit]:
    """Yield the edits that exchange an operator for others, where it belongs to a node of one of these types."""
    if node.type in alternatives and node.parent is not None and node.parent.type in parents:
        yield from (replaced(node, text) for text in alternatives[node.type])


def functions(root: Node, function: str, containers: Collection[str]) -> Iterator[tuple[Node, Node]]:
    """Yield the functions and methods with their bodies, without those inside of functions.

    `function` is the type of their nodes; `containers` are types of nodes that may hold some, such as classes.
    """
    waiting = list(reversed(root.named_children))
    while waiting:
        node = waiting.pop()
        if node.type == function:
            body = node.child_by_field_name("body")
            if body is not None:
                yield node, body
        elif node.type in containers:
            waiting.extend(reversed(node.named_children))


def enclosing(node: Node, function: str, barriers: Collection[str]) -> Node | None:
    """Return the function that a node belongs to; None outside of functions, and inside of a barrier: a lambda, say."""
    above = node.parent
    while above is not None and above.type != function:
        if above.type in barriers:
            return None
        above = above.parent
    return above


def apply(code: str, edits: Iterable[Edit]) -> str:
    """Return a program with edits, which must not overlap."""
    content = code.encode("utf-8", "replace")
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        content = content[: edit.start] + edit.text.encode() + content[edit.end :]
    return content.decode("utf-8", "replace")


def mutations(code: str, root: Node, operators: Operators, skip: Callable[[Node], bool]) -> list[Mutation]:
    """Return every mutation of a program, in the order of the text; each text once."""
    content = code.encode("utf-8", "replace")
    found: dict[str, Mutation] = {}
    for node in walk(root, skip):
        for name, operator in operators.items():
            for edit in operator(node):
                mutant = apply(code, [edit])
                if mutant == code or mutant in found:
                    continue
                found[mutant] = Mutation(
                    operator=name,
                    line=content.count(b"\n", 0, edit.start) + 1,
                    start=edit.start,
                    end=edit.end,
                    before=_piece(content[edit.start : edit.end].decode("utf-8", "replace")),
                    after=_piece(edit.text),
                    code=mutant,
                )
    return list(found.values())


def select(found: Sequence[Mutation], most: int, seed: int) -> list[Mutation]:
    """Return at most that many mutations, spread over operators and lines, in the order of the text.

    The same for the same seed. Each round takes one mutation of each operator, of the line with the fewest so far.
    """
    if len(found) <= most:
        return list(found)
    order = list(range(len(found)))
    random.Random(seed).shuffle(order)  # noqa: S311  (a selection that can be repeated)
    by_operator: dict[str, list[int]] = {}
    for index in order:
        by_operator.setdefault(found[index].operator, []).append(index)
    lines: dict[int, int] = {}
    chosen: list[int] = []
    while len(chosen) < most:
        for indices in by_operator.values():
            if not indices or len(chosen) == most:
                continue
            index = min(indices, key=lambda index: lines.get(found[index].line, 0))
            indices.remove(index)
            lines[found[index].line] = lines.get(found[index].line, 0) + 1
            chosen.append(index)
    return [found[index] for index in sorted(chosen)]


def _piece(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_PIECE else f"{line[:_LONGEST_PIECE]} …"
