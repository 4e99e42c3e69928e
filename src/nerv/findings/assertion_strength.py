"""How much an assertion compares, from an equality down to nothing that could fail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nerv.inspection.languages import text_of, walk
from nerv.inspection.values import COMMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

NAMES = frozenset({"identifier", "property_identifier", "field_identifier", "type_identifier"})
_EQUAL = re.compile(
    r"==|!=|^assert\b.* is (?!not\b)"
    r"|\b(?:assert_eq|assert_ne|assertEquals?|assertNotEquals?|assert(?:Dict|List|Set|Tuple|Sequence)Equal"
    r"|deepEqual|strictEqual|deepStrictEqual|toBe|toEqual|toStrictEqual|assertArrayEquals|assertSame|assertThrows"
    r"|assertRaises\w*|raises|toThrow\w*|toMatchObject|toMatchSnapshot|toMatchInlineSnapshot|isEqualTo|should_panic"
    r"|throws|rejects|equal|equals|eql|Equal|DeepEqual|NotEqual)\b"
)
_PARTIAL = re.compile(
    r"[<>]|\bin\b|\b(?:assertIn|assertRegex|assertAlmostEqual|assertGreater\w*|assertLess\w*|toContain\w*|toMatch|"
    r"toHave\w*|toBeGreater\w*|toBeLess\w*|toBeCloseTo|contains|starts_with|startswith|endswith|includes|isclose|approx"
    r"|Contains|matches)\b|\bassert_\w+ ! \(.*,"
)
"""Also a macro of the project's own with a value beside another."""
_SOME_OF_MANY = re.compile(r"(?<!\. )\bany \(|\. (?:any|some|anyMatch) \(")
"""One of several values is enough: an equality inside of it is that of a part."""
EQUALITY = 3
"""The strength of an assertion that only one value, or one kind of failure, fulfils."""
_FILLED = ("tuple", "list", "dictionary", "set")
_LONGEST = 2_000
"""Letters of an assertion that are looked through for a tolerance: the pattern takes long for a large table."""
_NEARLY = re.compile(
    r"\b(?:approx|closeTo|almost_equal|isclose|allclose|anything)\b|\b(?:mock \. )?ANY\b|== .* (?:or|\|\|) .* =="
    r"|^assert\b[^=]* != |\b(?:assertNotEquals?|notEqual|notDeepEqual|notStrictEqual|assert_ne)\b"
    r"|\. not \. to(?:Be|Equal)\b"
)
"""A tolerance, a choice, a value that equals everything, or an inequality: `== pytest.approx(…)`, `== 3 or … == 4`."""
_NEVER = re.compile(
    r"(?:\w+ \. )*(?:assert|assertTrue|isTrue|ok|True)(?: !)?(?: \()* ?(?:(?:t|self) , )?(?:False|false|0)(?= ?[,);]|$)"
    r"|(?:\w+ \. )*(?:assertFalse|isFalse|False) \( (?:t , )?(?:True|true)(?= ?[,);])"
)
"""An assertion that never holds: `assert False`, `assert!(false)`."""
_ALWAYS = re.compile(
    r"\bor True\b|\|\| true\b|\b(\w+(?: \. \w+)*) \. is_(?:ok|some) \( \) \|\| \1 \. is_(?:err|none) \( \)"
    r"|\b(\w+(?: \. \w+)*) or not \2\b|! (\w+) \|\| \3\b|\b(\w+) \|\| ! \4\b"
    r"|\b(?P<or>\w+(?: \. \w+)*) \|\| ! (?P=or)(?! \.)\b|(?:<=|< usize ::|< u64 ::) (?:\w+ :: )?MAX\b|>= \w+ :: MIN\b"
    r"|\bmatches ! \( .* Ok \( _ \) \| Err\b"
    r"|(?:len \( \w+ \)|\. length|\. len \( \)) >= 0\b|\b(?P<it>\w+) && ! (?P=it)\b|! (?P<not>\w+) && (?P=not)\b"
)
"""Conditions that hold whatever the code does, and for Go those that never do."""
_FRAMEWORK = re.compile(
    r"expect|assert(?:!|_eq|_ne|_that|ions?|That|[A-Z]\w*)?|self|this|t|to|be|not|is|to[A-Z]\w*|[A-Z]?[eE]quals?|ok|Assert(?:ions)?"
    r"|strictEqual|deepEqual|deepStrictEqual|True|False|isTrue|isFalse|pytest|raises|require|unittest"
)


def strength(node: Node, text: str) -> int:
    """Return the strength of an assertion: what it is and its code in one line.

    3: equality or a certain exception; 2: a part or a bound; 1: truth, type or presence; 0: constants.
    """
    if _NEVER.match(text):
        return 1  # it says that this line is not to be reached
    names = [each for each in walk(node) if each.type in NAMES and not _is_of_framework(each)]
    sides = _compared(node)
    if sides is not None and sides[0] == sides[1]:
        return 1 if "(" in sides[0] else 0  # two calls may differ: a test of determinism
    if (
        node.type == "assert_statement"
        and node.named_children[0].type in _FILLED
        and node.named_children[0].named_children
    ):
        return 0  # what is not empty is true, whatever is in it
    plain = re.sub(r"'[^']*'|\"[^\"]*\"", "''", text)
    if not names and _is_given_nothing(node):
        return 1  # a helper of the project's own, which looks at what the test has set up
    if not names or _ALWAYS.search(plain):
        return 0
    if _EQUAL.search(plain) and not re.search(r"(?:!=|is not) (?:None|null|nil|undefined)\s*\)?;?$", plain):
        return 2 if _SOME_OF_MANY.search(plain) or _NEARLY.search(plain[:_LONGEST]) else EQUALITY
    return 2 if _PARTIAL.search(plain) else 1


def _is_given_nothing(node: Node) -> bool:
    """Return whether an assertion is a call without any argument: `self.assertWrapped()`."""
    given = [each.named_children for each in walk(node) if each.type in ("argument_list", "arguments")]
    return bool(given) and not any(given)


def _is_of_framework(node: Node) -> bool:
    """Return whether a name is one of a test library; in Go, `ok` is a variable as well."""
    text, around = text_of(node), node.parent
    if text == "ok" and node.type == "identifier":
        return (
            around is not None and around.type == "call_expression" and around.child_by_field_name("function") == node
        )
    return _FRAMEWORK.fullmatch(text) is not None


def _compared(node: Node) -> tuple[str, str] | None:
    """Return both sides of an equality that is written as an operator or as a call with two arguments."""
    if node.type == "assert_statement" and node.named_children:
        inner = node.named_children[0]
        if inner.type == "comparison_operator" and len(inner.named_children) == 2:
            return text_of(inner.named_children[0]), text_of(inner.named_children[1])
    arguments = node.child_by_field_name("arguments")
    called = text_of(node.child_by_field_name("function")) or text_of(node.child_by_field_name("name"))
    if arguments is not None and _EQUAL.search(called):
        given = [each for each in arguments.named_children if each.type not in COMMENTS]
        expected = re.match(r"expect\((.*)\)\.to\w+$", called, re.S)
        if expected and len(given) == 1:
            return expected[1].strip(), text_of(given[0])
        if len(given) >= 2:
            return text_of(given[0]), text_of(given[1])
    if node.type == "macro_invocation":
        inside = re.match(r"(?:debug_)?assert_eq!\s*\((\w[\w.]*)\s*,\s*(\w[\w.]*)\s*[,)]", text_of(node))
        return (inside[1], inside[2]) if inside else None
    return None
