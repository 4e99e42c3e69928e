"""Test functions by each language's convention; only tests that check something other than constants count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.values import COMMENTS, STRINGS, ParsedFile, TestFunction, ancestors, enclosing, inner_text

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset({"identifier", "property_identifier", "field_identifier", "type_identifier"})
_JS_TESTS = re.compile(r"(?:it|test)(?:\.(?:each|concurrent|only))*")
_JS_GROUPS = re.compile(r"(?:describe|suite|context)(?:\.\w+)*")
_LONGEST = 4_000  # characters of what a test mentions


def test_functions(parsed: ParsedFile) -> Iterator[TestFunction]:
    """Yield the tests that the run wrote, unless they are skipped or assert nothing."""
    find = _FINDERS[parsed.language.name]
    for node in parsed.nodes:
        found = find(node)
        if found is not None and _can_fail(found[1], parsed.language.name) and _written_in(node, parsed):
            name, body = found
            yield TestFunction(
                name=name,
                location=parsed.at(node),
                body=_normalised_body(body),
                mentions=_mentions(name, node, body)[:_LONGEST],
            )


def _written_in(node: Node, parsed: ParsedFile) -> bool:
    """Return whether the run wrote, or changed, the test."""
    return parsed.own(node) or any(parsed.own(inner) for inner in node.named_children)


def _python_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "function_definition" or not name_of(node).startswith("test"):
        return None
    around = node.parent
    if (
        around is not None
        and around.type == "decorated_definition"
        and re.search(r"@pytest\.mark\.skip\b", text_of(around))
    ):
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


def _javascript_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "call_expression":
        return None
    called = node.child_by_field_name("function")
    if called is not None and called.type == "call_expression":  # it.each(table)(name, body)
        called = called.child_by_field_name("function")
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not _JS_TESTS.fullmatch(text_of(called)):
        return None
    given = arguments.named_children
    if len(given) < 2 or given[0].type not in STRINGS:
        return None
    return inner_text(given[0]), given[1]


def _rust_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "function_item":
        return None
    attributes = []
    before = node.prev_sibling
    while before is not None and before.type in ("attribute_item", *COMMENTS):
        attributes.append(text_of(before))
        before = before.prev_sibling
    if any("ignore" in text for text in attributes) or not any(
        re.search(r"\btest\b(?!\()", text) for text in attributes
    ):
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


def _go_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "function_declaration" or not re.match(r"Test[A-Z_0-9]", name_of(node)):
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


def _java_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "method_declaration":
        return None
    modifiers = next((text_of(child) for child in node.children if child.type == "modifiers"), "")
    if not re.search(r"@(?:Test|ParameterizedTest|RepeatedTest)\b", modifiers) or "@Disabled" in modifiers:
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


_FINDERS = {
    "Python": _python_test,
    "JavaScript": _javascript_test,
    "TypeScript": _javascript_test,
    "Rust": _rust_test,
    "Go": _go_test,
    "Java": _java_test,
}

_ASSERTING_CALL = re.compile(
    r"(?:.*\.)?(?:assert\w*|expect\w*|verify\w*|raises|fail\w*|should\w*|toBe\w*|to[A-Z]\w*|Error|Errorf|Fatal|Fatalf|Fail|"
    r"FailNow|require|snapshot|check\w*)"
)


def _can_fail(body: Node, language: str) -> bool:
    """Return whether a test can fail: some assertion uses a name, not only constants."""
    return any(_is_about_a_name(node, language) for node in walk(body) if _is_assertion(node))


def _is_assertion(node: Node) -> bool:
    if node.type in ("assert_statement", "assert"):
        return True
    if node.type == "macro_invocation":
        return re.match(r"(?:debug_)?assert|panic", text_of(node.child_by_field_name("macro"))) is not None
    if node.type in ("call", "call_expression"):
        called = text_of(node.child_by_field_name("function"))
        return _ASSERTING_CALL.fullmatch(called.rpartition(")")[2].lstrip(".") or called) is not None
    return (
        node.type == "method_invocation"
        and _ASSERTING_CALL.fullmatch(text_of(node.child_by_field_name("name"))) is not None
    )


def _is_about_a_name(node: Node, language: str) -> bool:
    called = (
        node.child_by_field_name("function") or node.child_by_field_name("macro") or node.child_by_field_name("name")
    )
    if language == "Go" and re.match(r"t\.(?:Error|Fatal|Fail)", text_of(called)):
        return enclosing(node, frozenset({"if_statement", "for_statement"})) is not None
    mentioned = [child for child in walk(node) if child.type in _NAMES or (child.type == "self")]
    if called is not None:
        framework = (
            {text_of(child) for child in walk(called) if child.type in _NAMES}
            if called.type != "member_expression"
            else set()
        )
        inside_call = {text_of(child) for child in walk(called) if child.type == "property_identifier"}
        mentioned = [
            child for child in mentioned if text_of(child) not in framework | inside_call | {"expect", "assert"}
        ]
    return any(
        text_of(child) not in ("True", "False", "None", "true", "false", "nil", "null", "self") for child in mentioned
    )


def _normalised_body(body: Node) -> str:
    """Return the code of a test without layout and comments."""
    return " ".join(text_of(node) for node in walk(body) if not node.children and node.type not in COMMENTS)


def _mentions(name: str, node: Node, body: Node) -> str:
    words = [name]
    for around in ancestors(node):
        if around.type == "call_expression" and _JS_GROUPS.fullmatch(text_of(around.child_by_field_name("function"))):
            arguments = around.child_by_field_name("arguments")
            if arguments is not None and arguments.named_children and arguments.named_children[0].type in STRINGS:
                words.append(inner_text(arguments.named_children[0]))
        elif around.type in ("class_definition", "class_declaration"):
            words.append(name_of(around))
    for inner in walk(body):
        if inner.type in STRINGS:
            words.append(inner_text(inner))
        elif inner.type in _NAMES:
            words.append(text_of(inner))
    return " ".join(words)
