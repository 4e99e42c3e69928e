"""The languages that can be inspected: their grammars, and the node names of their syntax trees."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nerv.inspection.source import extension

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxLanguage:
    """A language, described by the node names of its grammar."""

    name: str
    module: str
    grammar: str = "language"
    functions: frozenset[str]
    types: frozenset[str]
    blocks: frozenset[str]
    ends: frozenset[str]
    """Statements after which nothing in the same block runs."""
    function_names: str
    """The convention, as a regular expression."""
    type_names: str = r"[A-Z][A-Za-z0-9]*"


_SNAKE = r"_*[a-z][a-z0-9_]*|__[a-z0-9_]+__|_"
_CAMEL = r"[_$]*[a-z][A-Za-z0-9]*[_$]*|[A-Z][A-Za-z0-9]*|[_$]"  # a component or a constructor begins with a capital
_JS_FUNCTIONS = frozenset(
    {
        "function_declaration",
        "generator_function_declaration",
        "method_definition",
        "arrow_function",
        "function_expression",
    }
)
_JS_TYPES = frozenset({"class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration"})
_JS_ENDS = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})

PYTHON = SyntaxLanguage(
    name="Python",
    module="tree_sitter_python",
    functions=frozenset({"function_definition"}),
    types=frozenset({"class_definition"}),
    blocks=frozenset({"block", "module"}),
    ends=frozenset({"return_statement", "raise_statement", "break_statement", "continue_statement"}),
    function_names=_SNAKE + "|(setUp|tearDown|setUpClass|tearDownClass|visit_[A-Za-z]+|do_[A-Z]+)",
    type_names=r"_*[A-Z][A-Za-z0-9]*",
)
JAVASCRIPT = SyntaxLanguage(
    name="JavaScript",
    module="tree_sitter_javascript",
    functions=_JS_FUNCTIONS,
    types=_JS_TYPES,
    blocks=frozenset({"statement_block", "program"}),
    ends=_JS_ENDS,
    function_names=_CAMEL,
)
TYPESCRIPT = SyntaxLanguage(
    name="TypeScript",
    module="tree_sitter_typescript",
    grammar="language_typescript",
    functions=_JS_FUNCTIONS,
    types=_JS_TYPES,
    blocks=frozenset({"statement_block", "program"}),
    ends=_JS_ENDS,
    function_names=_CAMEL,
)
TSX = SyntaxLanguage(
    name="TypeScript",
    module="tree_sitter_typescript",
    grammar="language_tsx",
    functions=_JS_FUNCTIONS,
    types=_JS_TYPES,
    blocks=frozenset({"statement_block", "program"}),
    ends=_JS_ENDS,
    function_names=_CAMEL,
)
RUST = SyntaxLanguage(
    name="Rust",
    module="tree_sitter_rust",
    functions=frozenset({"function_item"}),
    types=frozenset({"struct_item", "enum_item", "trait_item", "type_item", "union_item"}),
    blocks=frozenset({"block"}),
    ends=frozenset({"return_expression", "break_expression", "continue_expression"}),
    function_names=_SNAKE,
)
GO = SyntaxLanguage(
    name="Go",
    module="tree_sitter_go",
    functions=frozenset({"function_declaration", "method_declaration"}),
    types=frozenset({"type_spec"}),
    blocks=frozenset({"block", "statement_list"}),
    ends=frozenset({"return_statement", "break_statement", "continue_statement"}),
    function_names=r"[A-Za-z][A-Za-z0-9]*|_|(Test|Benchmark|Example|Fuzz)[A-Za-z0-9_]*",
    type_names=r"[A-Za-z][A-Za-z0-9]*",
)
JAVA = SyntaxLanguage(
    name="Java",
    module="tree_sitter_java",
    functions=frozenset({"method_declaration", "constructor_declaration"}),
    types=frozenset({"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}),
    blocks=frozenset({"block", "constructor_body"}),
    ends=frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"}),
    function_names=r"[a-z][A-Za-z0-9]*|[A-Z][A-Za-z0-9]*",  # a constructor has its class's name
)

_REGION = 4_000
"""Limit in bytes: the text of every nested region would take quadratic time."""
_ORDINARY_DEPTH, _MOST_STEPS = 60, 50_000
"""Finding the parent of a node takes a step for each level above it. Nodes at an ordinary depth are not counted, so
that long files are read."""

_BY_EXTENSION = {
    "py": PYTHON,
    "js": JAVASCRIPT,
    "jsx": JAVASCRIPT,
    "mjs": JAVASCRIPT,
    "cjs": JAVASCRIPT,
    "ts": TYPESCRIPT,
    "mts": TYPESCRIPT,
    "cts": TYPESCRIPT,
    "tsx": TSX,
    "rs": RUST,
    "go": GO,
    "java": JAVA,
}


_WITHOUT_PARSER = {
    "C": ("c", "h"),
    "C++": ("cc", "cpp", "cxx", "hh", "hpp", "hxx"),
    "C#": ("cs",),
    "Objective-C": ("m", "mm"),
    "Ruby": ("rb", "rake"),
    "PHP": ("php",),
    "Swift": ("swift",),
    "Kotlin": ("kt", "kts"),
    "Scala": ("scala", "sbt"),
    "Lua": ("lua",),
    "Perl": ("pl", "pm"),
    "shell": ("sh", "bash", "zsh"),
    "Elixir": ("ex", "exs"),
    "Erlang": ("erl", "hrl"),
    "Haskell": ("hs",),
    "OCaml": ("ml", "mli"),
    "Clojure": ("clj", "cljs", "cljc"),
    "Dart": ("dart",),
    "Zig": ("zig",),
    "Nim": ("nim",),
    "Julia": ("jl",),
    "R": ("r",),
    "Pony": ("pony",),
    "F#": ("fs",),
    "Groovy": ("groovy",),
    "Solidity": ("sol",),
    "Vue": ("vue",),
    "Svelte": ("svelte",),
    "SQL": ("sql",),
}
_NAMES_WITHOUT_PARSER = {ending: name for name, endings in _WITHOUT_PARSER.items() for ending in endings}


def unsupported_language(path: str) -> str | None:
    """Return the name of a file's programming language if it has no parser here; None for anything else."""
    return _NAMES_WITHOUT_PARSER.get(extension(path))


def language_of(path: str) -> SyntaxLanguage | None:
    """Return the language of a file, or None if it is not supported."""
    return _BY_EXTENSION.get(extension(path))


@functools.cache
def parser(module: str, grammar: str) -> Parser:
    """Return a parser for one grammar; imported lazily, as most runs need one or none."""
    from tree_sitter import Language as Grammar
    from tree_sitter import Parser as MadeParser

    return MadeParser(Grammar(getattr(importlib.import_module(module), grammar)()))


def parse(language: SyntaxLanguage, text: str) -> Node:
    """Parse a text; invalid parts become ERROR nodes, and one that is nested too deeply is empty."""
    root = parse_unless_too_deep(language, text)
    return root if root is not None else parser(language.module, language.grammar).parse(b"").root_node


def parse_unless_too_deep(language: SyntaxLanguage, text: str) -> Node | None:
    """Parse a text; return None if it is nested so deeply that looking around its nodes would take minutes."""
    root = parser(language.module, language.grammar).parse(text.encode("utf-8", "replace")).root_node
    steps, waiting = 0, [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        steps += depth if depth > _ORDINARY_DEPTH else 0  # so many does it take to the parent of a node
        if steps > _MOST_STEPS:
            return None
        waiting += [(child, depth + 1) for child in node.children]
    return root


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all its descendants, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.children))


def text_of(node: Node | None) -> str:
    """Return the source text of a node; empty if there is none, or if it is a whole region."""
    if node is None or (node.child_count and node.end_byte - node.start_byte > _REGION):
        return ""
    return node.text.decode("utf-8", "replace") if node.text is not None else ""


def row(node: Node) -> int:
    """Return the line, from 0, on which a node begins."""
    return int(node.start_point[0])


def name_of(node: Node) -> str:
    """Return the name of a function or type, or of the variable that a function is assigned to."""
    named = node.child_by_field_name("name")
    if named is None and node.parent is not None:
        parent = node.parent
        if parent.type in ("variable_declarator", "public_field_definition", "field_definition"):
            named = parent.child_by_field_name("name") or parent.child_by_field_name("property")
        elif parent.type == "pair":
            named = parent.child_by_field_name("key")
    return text_of(named)
