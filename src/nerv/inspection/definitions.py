"""The names that code defines: functions, types, commands, and the endpoints of a web service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.changes import SourceText
from nerv.documents import read_json, table
from nerv.inspection.languages import name_of, text_of
from nerv.inspection.values import STRINGS, Definition, DefinitionKind, ParsedFile, inner_text
from nerv.location import Location

if TYPE_CHECKING:
    from tree_sitter import Node

_METHODS = r"get|post|put|patch|delete|head|options"
_ROUTE_CALL = re.compile(
    rf"(?:.*[.:])?({_METHODS}|route|use|all|any|handle|handlefunc|mount|prefix|register|nest|apirouter|blueprint|path)",
    re.I,
)
_ANNOTATION = re.compile(rf"({_METHODS})mapping|requestmapping|path|({_METHODS})", re.I)
_PATH = re.compile(r"(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?(/[\w\-./:{}<>\[\]*$]*)")


def find_definitions(parsed: ParsedFile) -> Iterator[Definition]:
    """Find the definitions in a file; definitions in test code do not count."""
    if parsed.is_test:
        return
    for node in parsed.nodes:
        if node.type in parsed.language.functions or node.type in parsed.language.types:
            if name := name_of(node):
                kind: DefinitionKind = "function" if node.type in parsed.language.functions else "type"
                yield Definition(kind=kind, name=name, location=parsed.at(node))
        elif (endpoint := _endpoint(node) or _compared_path(node)) is not None:
            yield Definition(kind="endpoint", name=endpoint, location=parsed.at(node))
    if served := _endpoint_of_file(parsed.source.path):
        yield Definition(kind="endpoint", name=served, location=Location(file=parsed.source.path, line=1))


def find_commands(source: SourceText) -> Iterator[Definition]:
    """Yield the commands that a package file defines: npm scripts, console scripts, make targets."""
    name = source.path.rpartition("/")[2]
    if name == "package.json" and source.whole:
        for script in table(read_json(source.text), "scripts"):
            yield Definition(kind="command", name=f"npm run {script}", location=Location(file=source.path))
    elif name == "pyproject.toml":
        if section := re.search(r"^\[project\.scripts\]\n((?:[\w-]+\s*=.*\n?)+)", source.text, re.M):
            for script in re.findall(r"^([\w-]+)\s*=", section[1], re.M):
                yield Definition(kind="command", name=script, location=Location(file=source.path))
    elif name == "Makefile":
        for target in re.findall(r"^([\w-]+):", source.text, re.M):
            yield Definition(kind="command", name=f"make {target}", location=Location(file=source.path))


def _endpoint(node: Node) -> str | None:
    """`router.post("/x", …)`, `@app.get("/x")`, `@GetMapping("/x")`, `.route("/x", get(f))`, `HandleFunc("GET /x")`."""
    if node.type in ("call", "call_expression"):
        called = text_of(node.child_by_field_name("function"))
        arguments = node.child_by_field_name("arguments")
        match = _ROUTE_CALL.fullmatch(called.rpartition("\n")[2].strip() if len(called) < 4_000 else "")
        first = arguments.named_children[0] if match and arguments is not None and arguments.named_children else None
        if match is None or first is None or first.type not in STRINGS:
            return _keyword_prefix(arguments) if match else None
        return _endpoint_name(match[1], inner_text(first), text_of(arguments))
    if node.type == "annotation":
        match = _ANNOTATION.fullmatch(text_of(node.child_by_field_name("name")))
        given = re.search(r'"([^"]*)"', text_of(node.child_by_field_name("arguments")))
        return _endpoint_name(match[1] or match[2] or "any", given[1], "") if match and given else None
    return None


_COMPARED = frozenset(
    {"comparison_operator", "binary_expression", "switch_case", "pair", "match_pattern", "case_pattern"}
)


def _compared_path(node: Node) -> str | None:
    """Return a path that code compares requests with, in a service without a router."""
    if node.type not in STRINGS or node.parent is None or node.parent.type not in _COMPARED:
        return None
    path = inner_text(node)
    return f"ANY {path}" if re.fullmatch(r"/\w[\w\-./:{}]*", path) else None


def _keyword_prefix(arguments: Node | None) -> str | None:
    """`APIRouter(prefix="/api")`."""
    given = re.search(r"\b(?:prefix|url_prefix)\s*=\s*[\"']([^\"']+)[\"']", text_of(arguments))
    return f"ANY {given[1]}" if given else None


def _endpoint_name(method: str, path: str, arguments: str) -> str | None:
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    if match[1]:
        return f"{match[1]} {match[2]}"
    if re.fullmatch(_METHODS, method, re.I):
        return f"{method.upper()} {match[2]}"
    methods = re.findall(rf"\b({_METHODS})\b", arguments, re.I)
    return f"{methods[0].upper() if methods else 'ANY'} {match[2]}"


def _endpoint_of_file(path: str) -> str | None:
    """Return the route of a file: Next.js `app/api/x/route.ts` and `pages/api/x.ts`."""
    match = re.search(r"(?:^|/)app(/api/.*)/route\.[jt]s$|(?:^|/)pages(/api/.*?)(?:/index)?\.[jt]sx?$", path)
    return f"ANY {match[1] or match[2]}" if match else None
