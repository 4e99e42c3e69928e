"""Type safety: missing types, and places where the type checker is silenced."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.languages import name_of, text_of
from nerv.inspection.values import COMMENTS, Issue, ParsedFile, enclosing

if TYPE_CHECKING:
    from tree_sitter import Node

_SILENCED = re.compile(r"type:\s*ignore|@ts-(?:ignore|nocheck)|eslint-disable|#\s*noqa\b(?!:)|pyright:\s*ignore")
_RUST_ATTRIBUTES = frozenset({"attribute_item"})


def type_issues(parsed: ParsedFile) -> Iterator[Issue]:
    """Find places where a type error could hide; tests are exempt."""
    if parsed.is_test:
        return
    look = _BY_LANGUAGE.get(parsed.language.name)
    for node in parsed.nodes:
        if not parsed.own(node):
            continue
        if node.type in COMMENTS:
            if _SILENCED.search(text_of(node)):
                yield parsed.issue("types", node, f"a check is silenced: {text_of(node).strip()[:80]}", 0.5)
        elif look is not None and (found := look(node)) is not None:
            yield parsed.issue("types", node, *found)


def _python_issue(node: Node) -> tuple[str, float] | None:
    if node.type == "function_definition":
        return _unannotated(node)
    if node.type == "type" and re.search(r"\bAny\b", text_of(node)) and node.parent is not None:
        return (f"the type is Any: {text_of(node)[:60]}", 0.4) if node.parent.type != "type" else None
    if node.type == "call" and text_of(node.child_by_field_name("function")) in ("cast", "typing.cast"):
        return f"a cast: {text_of(node)[:60]}", 0.4
    return None


def _unannotated(function: Node) -> tuple[str, float] | None:
    parameters = function.child_by_field_name("parameters")
    bare = [
        text_of(parameter)
        for parameter in (parameters.children if parameters is not None else ())
        if parameter.type in ("identifier", "default_parameter") and text_of(parameter) not in ("self", "cls")
    ]
    returns = function.child_by_field_name("return_type") is not None
    if not bare and (returns or name_of(function) == "__init__"):
        return None
    missing = f"parameters {', '.join(bare)}" if bare else "its result"
    return f"{name_of(function)} has no type for {missing}", 0.3


def _typescript_issue(node: Node) -> tuple[str, float] | None:
    if node.type == "predefined_type" and text_of(node) == "any":
        return "the type is any", 0.5
    if node.type == "as_expression" and not text_of(node).endswith("const"):
        inner = text_of(node)
        # counted once, as `any`
        return None if re.search(r"\bas\s+any\b", inner) else (f"a cast: {inner[:60]}", 0.3)
    if node.type == "non_null_expression":
        return f"null is ruled out by assertion: {text_of(node)[:60]}", 0.2
    return None


def _rust_issue(node: Node) -> tuple[str, float] | None:
    if node.type == "call_expression":
        called = node.child_by_field_name("function")
        method = text_of(called.child_by_field_name("field")) if called is not None else ""
        if method in ("unwrap", "expect") and not _in_rust_test(node):
            return f"{method}: {text_of(node)[-60:]}", 0.4 if method == "unwrap" else 0.2
    if node.type == "unsafe_block":
        return "an unsafe block", 1.0
    if node.type == "type_cast_expression":
        return f"a cast: {text_of(node)[:60]}", 0.2
    return None


def _in_rust_test(node: Node) -> bool:
    """Return whether a node is in a test function or a module of tests."""
    around = enclosing(node, frozenset({"mod_item", "function_item"}))
    while around is not None:
        before = around.prev_sibling
        while before is not None and before.type in _RUST_ATTRIBUTES:
            if re.search(r"\btest\b", text_of(before)):
                return True
            before = before.prev_sibling
        around = enclosing(around, frozenset({"mod_item", "function_item"}))
    return False


def _go_issue(node: Node) -> tuple[str, float] | None:
    if node.type == "interface_type" and text_of(node).replace(" ", "") == "interface{}":
        return "the type is interface{}", 0.4
    if node.type == "type_identifier" and text_of(node) == "any":
        around = enclosing(node, frozenset({"type_parameter_list", "type_parameter_declaration"}))
        return ("the type is any", 0.4) if around is None else None
    if node.type == "type_assertion_expression":
        return f"a type assertion: {text_of(node)[:60]}", 0.2
    if node.type in ("assignment_statement", "short_var_declaration"):
        left = text_of(node.child_by_field_name("left"))
        if re.fullmatch(r"_|\w+,\s*_", left) and "(" in text_of(node.child_by_field_name("right")):
            return f"an error may be dropped: {text_of(node)[:60]}", 0.3
    return None


def _java_issue(node: Node) -> tuple[str, float] | None:
    if node.type == "cast_expression":
        return f"a cast: {text_of(node)[:60]}", 0.3
    if node.type in ("annotation", "marker_annotation") and "SuppressWarnings" in text_of(node):
        return f"a check is silenced: {text_of(node)[:60]}", 0.5
    if node.type == "formal_parameter" and text_of(node.child_by_field_name("type")) == "Object":
        method = enclosing(node, frozenset({"method_declaration"}))
        if method is not None and name_of(method) != "equals":
            return f"the type is Object: {text_of(node)[:60]}", 0.3
    return None


_BY_LANGUAGE: dict[str, Callable[[Node], tuple[str, float] | None]] = {
    "Python": _python_issue,
    "TypeScript": _typescript_issue,
    "Rust": _rust_issue,
    "Go": _go_issue,
    "Java": _java_issue,
}
