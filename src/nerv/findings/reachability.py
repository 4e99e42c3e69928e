"""Code of tests that never runs, or whose failure is dropped: behind a return or a skip, or in a handler."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nerv.inspection.languages import text_of, walk
from nerv.inspection.values import COMMENTS, ancestors

if TYPE_CHECKING:
    from tree_sitter import Node

_SWALLOWS = re.compile(r"except\s*(?::|(?:AssertionError|Exception|BaseException)\b[^:]*:)|catch\b")
_OFF_CALL = re.compile(
    r"(?:pytest|unittest|self|t|this|ctx|context)\.(?:skip|todo|Skip|Skipf|SkipNow|skipTest|fail_skip)|pytest\.xfail"
    r"|request\.(?:applymarker|node\.add_marker)"
)

_NEVER_ASSUMED = re.compile(
    r"(?:Assumptions\.|Assume\.)?assume(?:True\(\s*false|False\(\s*true)\b.*|Assumptions\.abort\(.*", re.S
)
_ALWAYS = re.compile(
    r"(?:True|true|1|not False|!false)|.*(?:\|\| true| or True| or 1)|(?:true \|\||True or|1 or) .*", re.S
)
_EQUALITY = re.compile(r"(?<![!=<>])={2,3}(?!=)")
_OF_TESTS = re.compile(
    r"expect|assert\w*|self|this|to(?:Be|Equal|StrictEqual)\w*|(?:deep|strict|deepStrict)?[eE]qual|is|ok|True|true"
)
"""Names in an assertion that say nothing about what is compared."""
_SUPPRESSES = re.compile(r"with (?:contextlib\.)?suppress\([^)]*\b(?:AssertionError|Exception|BaseException)\b")
_OF_NOTHING = re.compile(r"\[\s*\]|\(\s*\)|\{\s*\}|range\(0\)")
_LATER = re.compile(
    r"(?!await\b)(?:[^;]*\)\s*\.(?:then|finally)|setTimeout|setImmediate|queueMicrotask|process\.nextTick)\s*\("
)
"""Calls of JavaScript whose functions run after the test, unless it waits for them."""
_LARGE = 50_000
"""Bytes of a test that is too large to look through for each of its assertions."""
_FUNCTIONS = ("function_definition", "function_declaration", "arrow_function", "function_expression")


def is_unreached(node: Node, body: Node) -> bool:
    """Return whether an assertion never runs, or its failure is caught and dropped."""
    child = node
    for around in ancestors(node):
        if around.type in ("if_statement", "while_statement", "if_expression"):
            condition = text_of(around.child_by_field_name("condition")).strip("() ")
            is_guarded = child == around.child_by_field_name("consequence")
            if is_guarded and (condition in ("False", "false", "0") or _holds_already(around, node)):
                return True
        if around.type in ("try_statement", "try_expression") and child == around.child_by_field_name("body"):
            handlers = [each for each in around.children if each.type in ("except_clause", "catch_clause")]
            if any(_drops(handler) for handler in handlers):
                return True
        if around.type == "with_statement" and _SUPPRESSES.match(text_of(around)):
            return True
        if _is_of_nothing(around) or _is_never_called(around, body) or _is_too_late(around):
            return True
        if around.type in ("block", "statement_block", "statement_list") and any(
            each.end_byte <= child.start_byte and _stops(each) for each in around.named_children
        ):
            return True
        if around == body:
            return False
        child = around
    return False


def _holds_already(branch: Node, assertion: Node) -> bool:
    """Return whether a condition asks for the very equality that an assertion behind it expects."""
    condition = branch.child_by_field_name("condition")
    if condition is None or not _EQUALITY.search(text_of(condition)):
        return False
    asked = {text_of(leaf) for leaf in walk(condition) if not leaf.named_children and leaf.is_named}
    expected = {text_of(leaf) for leaf in walk(assertion) if not leaf.named_children and leaf.is_named}
    return asked <= expected and all(_OF_TESTS.fullmatch(name) for name in expected - asked)


def _is_of_nothing(node: Node) -> bool:
    """Return whether a loop has nothing to go through: `for each in []`, `[].forEach(…)`."""
    if node.type in ("for_statement", "for_in_statement"):
        return _OF_NOTHING.fullmatch(text_of(node.child_by_field_name("right"))) is not None
    return node.type == "call_expression" and re.match(r"\[\s*\]\.\w+\(", text_of(node)) is not None


def _is_never_called(node: Node, body: Node) -> bool:
    """Return whether a function inside a test is only written down: its name is nowhere else, or it has none."""
    if node.type not in _FUNCTIONS or node == body or node.parent is None or body.end_byte - body.start_byte > _LARGE:
        return False
    name = text_of(node.child_by_field_name("name"))
    if name and node.type in ("function_definition", "function_declaration"):
        decorated = node.parent.type == "decorated_definition"
        return not decorated and len(re.findall(rf"\b{re.escape(name)}\b", text_of(body))) == 1
    return node.parent.type == "expression_statement" and node.parent.parent == body


def _is_too_late(node: Node) -> bool:
    """Return whether a statement starts something that a test in JavaScript neither awaits nor returns."""
    return node.type == "expression_statement" and _LATER.match(text_of(node)) is not None


def _stops(statement: Node) -> bool:
    if statement.type in ("return_statement", "return_expression") or _is_skip_call(statement):
        return True
    if statement.type == "expression_statement" and statement.named_children:
        inner = statement.named_children[0]
        return inner.type == "return_expression" or _is_skip_call(inner)
    return False


def _drops(handler: Node) -> bool:
    """Return whether a handler catches every failure and does nothing about it."""
    text = text_of(handler)
    if not _SWALLOWS.match(text):
        return False
    block = next((each for each in handler.children if each.type in ("block", "statement_block")), None)
    statements = [each for each in block.named_children if each.type not in COMMENTS] if block is not None else []
    return all(
        each.type in ("pass_statement", "empty_statement")
        or re.match(r"print\(|console\.|System\.out|logg|pytest\.skip|self\.skipTest", text_of(each)) is not None
        for each in statements
    )


def _is_skip_call(node: Node) -> bool:
    if node.type == "raise_statement":
        return re.match(r"raise\s+(?:\w+\.)?(?:SkipTest|skip\.Exception)\b", text_of(node)) is not None
    if node.type == "method_invocation":
        return _NEVER_ASSUMED.fullmatch(text_of(node)) is not None
    return node.type in ("call", "call_expression") and (
        _OFF_CALL.fullmatch(text_of(node.child_by_field_name("function"))) is not None
    )


def is_unconditional_skip(node: Node, body: Node) -> bool:
    """Return whether a node is a skip call that stands in the test's own block, under no real condition."""
    if not _is_skip_call(node) or node.parent is None:
        return False
    statement = node if node.type == "raise_statement" else node.parent
    if statement.type not in ("expression_statement", "raise_statement"):
        return False
    block = statement.parent
    while block is not None and block.type in ("statement_list", "block", "statement_block") and block != body:
        above = block.parent
        if above is not None and above.type == "if_statement" and above.parent is not None and _always_holds(above):
            block = above.parent
            continue
        if above is None or above.type not in ("block", "statement_block", "arrow_function", "function_expression"):
            return False
        block = above
    return block == body or (block is not None and block.parent == body)


def _always_holds(branch: Node) -> bool:
    condition = text_of(branch.child_by_field_name("condition")).strip().removeprefix("(").removesuffix(")")
    return _ALWAYS.fullmatch(condition) is not None
