"""Tests as code, on either side of a change: their assertions, and the marks that switch them off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nerv.findings.assertion_strength import NAMES, strength
from nerv.findings.reachability import is_unconditional_skip, is_unreached
from nerv.inspection.languages import name_of, row, text_of, walk
from nerv.inspection.test_functions import can_fail, find_test, is_assertion, must_throw, skip_mark
from nerv.inspection.values import COMMENTS, ParsedFile, ancestors, enclosing
from nerv.location import Location

if TYPE_CHECKING:
    from tree_sitter import Node

LITERALS = frozenset(
    {
        "integer",
        "float",
        "number",
        "string",
        "template_string",
        "string_literal",
        "raw_string_literal",
        "interpreted_string_literal",
        "integer_literal",
        "float_literal",
        "int_literal",
        "decimal_integer_literal",
        "decimal_floating_point_literal",
        "char_literal",
        "character_literal",
        "boolean_literal",
        "true",
        "false",
        "none",
        "null",
        "nil",
    }
)
_OF_TWO_SIDES = 2
"""Arguments of a comparison; Go hands over the test as another one."""
_SKIPS = re.compile(
    r"\.(?:Skip(?:f|Now)?|skip|skipTest)\(|\bSkipTest\b|\bskip(?:If|Unless|if)\b|[{,]\s*(?:skip|todo)\s*[:,}]"
)
_CALLED = re.compile(r"([A-Za-z_]\w{2,})\s*!?\s*[({]")
_TEXTS = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_OF_LANGUAGES = re.compile(
    r"tests?|describe|assert\w*|expect|raises|approx|(?:deep|strict|deepStrict)?[eE]qual|throws|ok|match|rejects|to[A-Z]\w*"
    r"|Run|Fatalf?|Errorf?|DeepEqual|func|function|def|parametrize|mark|fixture|len|str|int|float|list|dict|set|tuple|sorted"
    r"|range|vec|format|unwrap|into|String|for|while|if|print|println"
)
"""Names that tests call whatever they are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One assertion of a test."""

    text: str
    """Its code in one line, without layout: what is compared."""
    shown: str
    """Its code as it is written, in one line: what a reader sees."""
    skeleton: str
    """Its code with every literal blanked: two assertions with one skeleton differ in values only."""
    literals: tuple[str, ...]
    names: frozenset[str]
    strength: int
    """3: equality or a certain exception; 2: a part or a bound; 1: truth, type or presence; 0: constants."""
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCode:
    """One test as it stands on one side of the change."""

    name: str
    """Empty for assertions of a fragment whose test is not part of it."""
    path: str
    location: Location
    assertions: tuple[Assertion, ...]
    """Those that can be reached and whose failure would count."""
    dead: tuple[Assertion, ...]
    """Those behind a return, a skip or `if False`, or whose failure is caught and dropped."""
    skip: str
    """The mark or call that switches it off whatever the circumstances."""
    lines: tuple[str, ...]
    """Its code, stripped, without blank lines."""
    names: frozenset[str]
    defined_here: bool
    """The line that begins it belongs to this side alone: it was added, or removed."""
    touched: bool
    """Some line of it belongs to this side alone."""
    can_fail: bool
    collected: bool = True
    """False: by its file's name or its class's, no runner finds it."""

    __test__ = False  # for pytest, which collects by name


def skips_added(before: TestCode, after: TestCode) -> list[str]:
    """Return the lines by which a test is skipped now, perhaps under a condition, and was not before."""
    return [line for line in after.lines if _SKIPS.search(line) and line not in before.lines]


def called_in(test: TestCode) -> frozenset[str]:
    """Return the names of what a test calls, but for those of its language and its test library."""
    body = "\n".join(test.lines[1:] or test.lines)
    called = _CALLED.findall(_TEXTS.sub(" ", body))
    return frozenset(name for name in called if not _OF_LANGUAGES.fullmatch(name))


def sides_of(assertion: str) -> tuple[str, str]:
    """Split the code of an equality into what is compared and what it is compared with; empty if it is none."""
    subject, equal, expected = assertion.removeprefix("assert ").partition(" == ")
    if equal:
        return subject, expected
    call = re.match(r"(?:\w+ ?\. ?)*\w+ ?(?:! ?)?\( ?", assertion)
    arguments, depth = assertion[call.end() :] if call is not None else "", 0
    ends = []
    for index, letter in enumerate(arguments):
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0 or (letter == "," and not depth):
            ends.append(index)
        if depth < 0:
            break
    if not ends:
        return "", ""
    start, place = 0, ends[0]
    if re.match(r"t ?,", arguments) and len(ends) > _OF_TWO_SIDES:  # Go's `equal(t, "minutes", plan.Minutes(), 46)`
        start, place = ends[0] + 1, ends[-2]
    return arguments[start:place].strip(), arguments[place:]


def tests_in(parsed: ParsedFile | None) -> tuple[TestCode, ...]:
    """Return the tests of a side; assertions of a fragment outside any test are one test without a name."""
    if parsed is None:
        return ()
    found: list[TestCode] = []
    inside: set[int] = set()
    language = parsed.language.name
    text = parsed.source.text.split("\n")
    for node in parsed.nodes:
        if node.id in inside:
            continue
        test = find_test(node, language)
        if test is None:
            continue
        name, body = test
        inner = list(walk(node))
        inside.update(each.id for each in inner if each is not node)
        found.append(_test_code(name, node, body, inner, parsed, text))
    if parsed.is_test and not parsed.source.whole:
        loose = [node for node in parsed.nodes if node.id not in inside and is_assertion(node) and not _nested(node)]
        if loose:
            found.append(_loose(loose, parsed))
    return tuple(found)


def _test_code(name: str, node: Node, body: Node, inner: list[Node], parsed: ParsedFile, text: list[str]) -> TestCode:
    language = parsed.language.name
    begin, last = row(_with_marks(node)), int(node.end_point[0])
    live: list[Assertion] = []
    dead: list[Assertion] = []
    for each in inner:
        if is_assertion(each) and not _nested(each):
            (dead if is_unreached(each, body) else live).append(_assertion(each, parsed))
    off = next((text_of(each) for each in inner if is_unconditional_skip(each, body)), "")
    return TestCode(
        name=name,
        path=parsed.source.path,
        location=parsed.at(node),
        assertions=tuple(live),
        dead=tuple(dead),
        skip=skip_mark(node, language) or off,
        lines=tuple(line.strip() for line in text[begin : last + 1] if line.strip()),
        names=frozenset(text_of(each) for each in inner if each.type in NAMES),
        defined_here=parsed.own(node) or parsed.own(_with_marks(node)),
        touched=any(_own_row(parsed, index) for index in range(begin, last + 1)),
        can_fail=can_fail(body, language) or must_throw(node, body),
        collected=_is_collected(node, parsed),
    )


_COLLECTED = {
    "Python": re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py$"),
    "JavaScript": re.compile(r"\.(?:test|spec)\.\w+$|(?:^|/)(?:__tests__|tests?|specs?)/|(?:^|/)test[^/]*$"),
    "TypeScript": re.compile(r"\.(?:test|spec)\.\w+$|(?:^|/)(?:__tests__|tests?|specs?)/|(?:^|/)test[^/]*$"),
    "Go": re.compile(r"_test\.go$"),
    "Rust": re.compile(r"\.rs$"),
    "Java": re.compile(r"\.java$"),
}
"""Files in which the runners of a language look for tests."""


def _is_collected(node: Node, parsed: ParsedFile) -> bool:
    if not _COLLECTED[parsed.language.name].search(parsed.source.path):
        return False
    around = enclosing(node, parsed.language.types) if parsed.language.name == "Python" else None
    if around is None:
        return True
    name = name_of(around)
    if name.startswith("Test") or around.child_by_field_name("superclasses") is not None:
        return True
    is_base = re.compile(rf"^[ \t]*class\s+\w+\([^)]*\b{re.escape(name)}\b", re.M)  # its subclasses inherit the tests
    return bool(name) and is_base.search(parsed.source.text) is not None


def _with_marks(node: Node) -> Node:
    """Return the node that a test begins with: its first decorator or attribute, or itself."""
    around = node.parent
    if around is not None and around.type == "decorated_definition":
        return around
    first, before = node, node.prev_sibling
    while before is not None and before.type == "attribute_item":
        first, before = before, before.prev_sibling
    return first


def _loose(nodes: list[Node], parsed: ParsedFile) -> TestCode:
    return TestCode(
        name="",
        path=parsed.source.path,
        location=parsed.at(nodes[0]),
        assertions=tuple(_assertion(node, parsed) for node in nodes),
        dead=(),
        skip="",
        lines=(),
        names=frozenset(),
        defined_here=False,
        touched=any(parsed.own(node) for node in nodes),
        can_fail=True,
    )


def _own_row(parsed: ParsedFile, index: int) -> bool:
    source = parsed.source
    return index < len(source.lines) and (source.written is None or source.lines[index] in source.written)


def _nested(node: Node) -> bool:
    """Return whether an assertion is part of another one: `expect(x)` of `expect(x).toBe(1)`."""
    for around in ancestors(node):
        if is_assertion(around):
            return True
        if around.type.endswith(("_statement", "block", "function", "_item")):
            return False
    return False


def _assertion(node: Node, parsed: ParsedFile) -> Assertion:
    shown = _condition(node)
    leaves = list(_leaves(shown))
    text = " ".join(part for part, _ in leaves)
    return Assertion(
        text=text,
        shown=" ".join(text_of(shown).split()),
        skeleton=" ".join("§" if literal else part for part, literal in leaves),
        literals=tuple(part for part, literal in leaves if literal),
        names=frozenset(text_of(each) for each in walk(shown) if each.type in NAMES),
        strength=strength(shown, text),
        location=parsed.at(node),
    )


def _condition(node: Node) -> Node:
    """Return what an assertion checks: in Go, `if got != want { t.Errorf(…) }`, the whole `if` without its body."""
    called = text_of(node.child_by_field_name("function"))
    if re.match(r"t\.(?:Error|Fatal|Fail)", called):
        for around in ancestors(node):
            if around.type == "if_statement":
                return around.child_by_field_name("condition") or around
    return node


def _leaves(node: Node) -> Iterator[tuple[str, bool]]:
    """Yield the tokens of a node, each with whether it is a literal; a negative number is one literal."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type in COMMENTS:
            continue
        negative = current.type in ("unary_operator", "unary_expression") and re.fullmatch(
            r"-\s*[\d._]+\w*", text_of(current)
        )
        if current.type in LITERALS or negative:
            yield _in_one_form(text_of(current)), True
        elif not current.children:
            yield text_of(current), False
        else:
            waiting.extend(reversed(current.children))


def _in_one_form(literal: str) -> str:
    """Return a string literal with double quotes and without the prefix of Python 2: tools change both."""
    literal = re.sub(r"^[uU](?=['\"])", "", literal)
    single = re.fullmatch(r"([rbfuRBFU]*)'([^'\"\\]*)'", literal, re.S)
    return f'{single[1]}"{single[2]}"' if single else literal
