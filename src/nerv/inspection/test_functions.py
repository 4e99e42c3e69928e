"""Test functions by each language's convention; only tests that check something other than constants count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.inspection.build_conditions import rust_holds
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.values import COMMENTS, STRINGS, ParsedFile, TestFunction, ancestors, enclosing, inner_text

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = frozenset({"identifier", "property_identifier", "field_identifier", "type_identifier"})
_JS_TESTS = re.compile(r"x?(?:it|test)(?:\.(?:each|concurrent|only|skip|failing|fails|todo))*")
_JS_FUNCTIONS = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_JS_OFF = re.compile(r"\b(?:todo|skip|fails)\s*:\s*(?:true\b|[\"'`](?=[^\"'`]))")
"""Options that switch a test off: `{ todo: "later" }`, `{ skip: true }`."""
_JS_GROUPS = re.compile(r"(?:describe|suite|context)(?:\.\w+)*")
_NUMBERS = frozenset({"integer", "integer_literal", "int_literal", "number", "decimal_integer_literal"})
_LONGEST = 4_000  # characters of what a test mentions


def test_functions(parsed: ParsedFile) -> Iterator[TestFunction]:
    """Yield the tests that the run wrote, unless they are skipped or assert nothing."""
    language = parsed.language.name
    for node in parsed.nodes:
        found = find_test(node, language)
        if found is None or skip_mark(node, language):
            continue
        name, body = found
        if (can_fail(body, language) or must_throw(node, body)) and _written_in(node, parsed):
            yield TestFunction(
                name=name,
                location=parsed.at(node),
                body=_normalised_body(body),
                mentions=_mentions(name, node, body)[:_LONGEST],
            )


def find_test(node: Node, language: str) -> tuple[str, Node] | None:
    """Return the name and the body of the test that a node is, or None; skipped tests are tests too."""
    return _FINDERS[language](node)


def skip_mark(node: Node, language: str) -> str:
    """Return the mark that switches a test off whatever the circumstances, or an empty text."""
    marked = _SKIPS[language]
    if language in ("JavaScript", "TypeScript"):
        mark = marked.search(_called_text(node)) or _JS_OFF.search(_javascript_options(node))
        return mark[0] if mark else ""
    marks = (text for text in _marks(node) if not _is_ignored_elsewhere(text))
    return next((mark[0] for text in marks if (mark := marked.search(text))), "")


def _is_ignored_elsewhere(mark: str) -> bool:
    """Return whether a mark of Rust switches a test off only under another system, or a tool such as Miri."""
    match = _CFG_ATTR.match(mark)
    return match is not None and not rust_holds(match[1], lambda _: False)


def must_throw(node: Node, body: Node) -> bool:
    """Return whether a test fails unless the code that it calls does: `#[should_panic]`, `@Test(expected = …)`."""
    calls = any(inner.type in ("call_expression", "method_invocation") for inner in walk(body))
    return calls and any(re.search(r"\bshould_panic\b|\bexpected\s*=", mark) for mark in _marks(node))


def _marks(node: Node) -> Iterator[str]:
    """Yield the decorators, attributes and modifiers of a function."""
    around = node.parent
    if around is not None and around.type == "decorated_definition":
        yield from (text_of(child) for child in around.children if child.type == "decorator")
    yield from (text_of(child) for child in node.children if child.type == "modifiers")
    before = node.prev_sibling
    while before is not None and before.type in ("attribute_item", *COMMENTS):
        if before.type == "attribute_item":
            yield text_of(before)
        before = before.prev_sibling


def in_test_module(node: Node) -> bool:
    """Return whether a node is part of a Rust test module or a test attribute of its own."""
    for around in ancestors(node):
        if around.type in ("mod_item", "function_item", "attribute_item"):
            before = around.prev_sibling if around.type != "attribute_item" else around
            while before is not None and before.type in ("attribute_item", *COMMENTS):
                if re.search(r"cfg\((?:all\(.*)?test\b|\btest\b(?!\()", text_of(before)):
                    return True
                before = before.prev_sibling
    return False


def _written_in(node: Node, parsed: ParsedFile) -> bool:
    """Return whether the run wrote, or changed, the test."""
    return parsed.own(node) or any(parsed.own(inner) for inner in node.named_children)


def _python_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "function_definition" or not name_of(node).startswith("test"):
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


def _javascript_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "call_expression":
        return None
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not _JS_TESTS.fullmatch(_called_text(node)):
        return None
    given = arguments.named_children
    if len(given) < 2 or given[0].type not in STRINGS:
        return None
    return inner_text(given[0]), next((each for each in given[1:] if each.type in _JS_FUNCTIONS), given[1])


def _javascript_options(node: Node) -> str:
    """Return the options of a test that stand between its name and its function, or behind that."""
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children[1:] if arguments is not None else []
    return " ".join(text_of(each) for each in given if each.type == "object")


def _called_text(node: Node) -> str:
    """Return the text of what a call calls; of `it.each(table)(name, body)`, `it.each`."""
    called = node.child_by_field_name("function")
    if called is not None and called.type == "call_expression":
        called = called.child_by_field_name("function")
    return text_of(called)


def _rust_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "function_item" or not any(re.search(r"^#\[[^(]*\btest\b", mark) for mark in _marks(node)):
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


def _go_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "function_declaration" or not re.match(r"Test(?!Main$)[A-Z_0-9]", name_of(node)):
        return None
    body = node.child_by_field_name("body")
    return (name_of(node), body) if body is not None else None


def _java_test(node: Node) -> tuple[str, Node] | None:
    if node.type != "method_declaration":
        return None
    modifiers = next((text_of(child) for child in node.children if child.type == "modifiers"), "")
    if not re.search(r"@(?:Test|ParameterizedTest|RepeatedTest)\b", modifiers):
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

PYTHON_SKIP = (
    r"(?:skip\b|xfail\b(?!\(\s*(?!reason|strict|raises|run|True|1\b|[\"')])\S)|expectedFailure"
    r"|skip[iI]f\(\s*(?:True|1)\b|skipUnless\(\s*(?:False|0)\b|parametrize\([^,\n]+,\s*(?:\[\s*\]|\(\s*\))\s*\))"
)
"""Pattern of the marks of pytest and unittest that switch off whatever they stand at, under every condition."""
_CFG_ATTR = re.compile(r"#\[cfg_attr\((.*),\s*ignore\b[^,]*\)\]", re.S)
_SKIPS = {
    "Python": re.compile(rf"@(?:\w+\.)*{PYTHON_SKIP}"),
    "JavaScript": re.compile(r"^x(?:it|test)\b|\.(?:skip|todo|failing|fails)\b"),
    "TypeScript": re.compile(r"^x(?:it|test)\b|\.(?:skip|todo|failing|fails)\b"),
    "Rust": re.compile(r"\bignore\b|cfg\((?:any\(\)|FALSE)\)"),
    "Go": re.compile(r"(?!)"),
    "Java": re.compile(r"@(?:Disabled|Ignore)\b|@Test\([^)]*\benabled\s*=\s*false\b"),
}

_ASSERTING_CALL = re.compile(
    r"(?:.*\.)?(?:assert\w*|expect\w*|verify\w*|raises|fail\w*|should\w*|toBe\w*|to[A-Z]\w*|Error|Errorf|Fatal|Fatalf|Fail|"
    r"FailNow|require|snapshot|check\w*)|(?:.*\.)?(?:assert|chai)(?:\.\w+)+"
)
_HELPERS = re.compile(
    r"(?:not|deep|strict|deepStrict|notDeep|notStrict|almost|nearly)?_?[eE]qual\w*|eq|ne|ok|throws|rejects|match(?:es)?"
    r"|does(?:Not|nt)\w+|(?:want|must|same|compare|require)(?:[A-Z_]\w*|s)?"
)
"""Names of functions by which tests compare: their own, or those of a test library that are imported by name."""
_OF_TEST = re.compile(r"t\.(?:ok|notOk|true|false|truthy|falsy|is|not|pass)")
"""Comparisons that tape, tap and AVA hand to a test; some of them have one argument."""
_SUBSCRIPT = re.compile(r"\[[\"'](\w+)[\"']\]")
"""A method by its name in quotes, which old JavaScript needs for names such as `throws`."""
_STATEMENTS = frozenset({"expression_statement", "await", "await_expression"})


def can_fail(body: Node, language: str) -> bool:
    """Return whether a test can fail: some assertion uses a name, not only constants."""
    return any(_is_about_a_name(node, language) for node in walk(body) if is_assertion(node))


def is_assertion(node: Node) -> bool:
    """Return whether a node is an assertion of its language or of a known test library."""
    if node.type in ("assert_statement", "assert"):
        return True
    if node.type == "macro_invocation":
        return re.match(r"(?:debug_)?assert|panic", text_of(node.child_by_field_name("macro"))) is not None
    if node.type in ("call", "call_expression"):
        called = _SUBSCRIPT.sub(r".\1", text_of(node.child_by_field_name("function")))
        if _ASSERTING_CALL.fullmatch(called.rpartition(")")[2].lstrip(".") or called):
            return True
        if _OF_TEST.fullmatch(called):
            return node.parent is not None and node.parent.type in _STATEMENTS
        return _HELPERS.fullmatch(called.removeprefix("t.")) is not None and _is_statement(node)
    return (
        node.type == "method_invocation"
        and _ASSERTING_CALL.fullmatch(text_of(node.child_by_field_name("name"))) is not None
    )


def _is_statement(node: Node) -> bool:
    """Return whether nothing is done with what a call of at least two arguments gives."""
    arguments = node.child_by_field_name("arguments")
    around = node.parent
    return (
        around is not None
        and around.type in _STATEMENTS
        and arguments is not None
        and len(arguments.named_children) > 1
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


_CONSTANTS = frozenset({"assignment", "variable_declarator", "const_item", "static_item", "var_spec", "const_spec"})
_LARGEST_FILE = 400
"""Statements of a file in which tables of cases are looked for."""


def _tables(test: Node, used: set[str]) -> list[Node]:
    """Return the values of the file's constants that a test uses: tables of cases."""
    root = [test, *ancestors(test)][-1]
    named = {
        name for name in used if re.fullmatch(r"_?[A-Z][A-Z0-9_]+|\w*(?:[cC]ases|[tT]ests|[eE]xamples|[tT]able)", name)
    }
    if not named:
        return []
    found = []
    for statement in root.named_children[:_LARGEST_FILE]:
        for each in (statement, *statement.named_children):
            name = text_of(each.child_by_field_name("left") or each.child_by_field_name("name"))
            value = each.child_by_field_name("right") or each.child_by_field_name("value")
            if each.type in _CONSTANTS and name in named and value is not None:
                found.append(value)
    return found


def _mentions(name: str, node: Node, body: Node) -> str:
    words = [name]
    for around in ancestors(node):
        if around.type == "call_expression" and _JS_GROUPS.fullmatch(text_of(around.child_by_field_name("function"))):
            arguments = around.child_by_field_name("arguments")
            if arguments is not None and arguments.named_children and arguments.named_children[0].type in STRINGS:
                words.append(inner_text(arguments.named_children[0]))
        elif around.type in ("class_definition", "class_declaration"):
            words.append(name_of(around))
    parameters = [child for child in (node.parent.children if node.parent else ()) if child.type == "decorator"]
    parts = [body, *parameters]
    parts += _tables(node, {text_of(inner) for part in parts for inner in walk(part) if inner.type == "identifier"})
    for inner in (inner for part in parts for inner in walk(part)):
        if inner.type in STRINGS:
            words.append(inner_text(inner))
        elif inner.type in _NAMES or inner.type in _NUMBERS:
            words.append(text_of(inner).replace("_", "") if inner.type in _NUMBERS else text_of(inner))
    return " ".join(words)
