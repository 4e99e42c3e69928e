"""Values of an inspection, each with its location."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from nerv.changes import SourceText
from nerv.inspection.languages import SyntaxLanguage, row, text_of
from nerv.inspection.source import is_written
from nerv.location import Location

if TYPE_CHECKING:
    from tree_sitter import Node

_DEEPEST = 60

IssueKind = Literal[
    "long function",
    "complex function",
    "long file",
    "name",
    "types",
    "duplicate",
    "commented-out code",
    "dead code",
    "leftover",
    "swallowed error",
    "accessibility",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """Something that a reviewer would ask to change."""

    kind: IssueKind
    text: str
    location: Location
    weight: float
    """1 is worth a comment of its own in a review."""


DefinitionKind = Literal["endpoint", "function", "type", "command"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A name that the code defines."""

    kind: DefinitionKind
    name: str
    """An endpoint as `POST /api/todos/:id`, with `ANY` where the method is not known."""
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFunction:
    """A test that checks something."""

    name: str
    location: Location
    body: str
    """Its code without name and layout, to recognize copies."""
    mentions: str
    """Its name, its groups, and the names and strings in it, to find what it covers."""

    __test__ = False  # for pytest, which collects by name


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A file with its syntax tree."""

    source: SourceText
    language: SyntaxLanguage
    root: Node
    nodes: tuple[Node, ...]
    """All nodes, in the order of the text."""
    is_test: bool

    def at(self, node: Node) -> Location:
        """Return the location of a node."""
        return self.source.at(row(node))

    def own(self, node: Node) -> bool:
        """Return whether the run wrote the line that a node begins on."""
        return is_written(self.source, row(node))

    def touches(self, node: Node) -> bool:
        """Return whether the run wrote any line of a node."""
        return any(is_written(self.source, line) for line in range(row(node), int(node.end_point[0]) + 1))

    def issue(self, kind: IssueKind, node: Node, text: str, weight: float) -> Issue:
        """Return an issue located at a node."""
        return Issue(kind=kind, text=text, location=self.at(node), weight=weight)


def ancestors(node: Node) -> Iterator[Node]:
    """Yield the nodes around this one, innermost first; limited, as each step takes time proportional to the depth."""
    around = node.parent
    for _ in range(_DEEPEST):
        if around is None:
            return
        yield around
        around = around.parent


def enclosing(node: Node, types: frozenset[str]) -> Node | None:
    """Return the nearest enclosing node of one of these types."""
    return next((around for around in ancestors(node) if around.type in types), None)


def inner_text(node: Node) -> str:
    """Return the text of a string node without its quotes."""
    for child in node.children:
        if child.type in ("string_fragment", "string_content", "interpreted_string_literal_content"):
            return text_of(child)
    return text_of(node).strip("rbfu").strip("\"'`")


STRINGS = frozenset(
    {
        "string",
        "string_literal",
        "template_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "text_block",
    }
)
COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
