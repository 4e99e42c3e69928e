"""Expected outputs that are written into the code: branches and tables whose pairs are those of the tests."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import LITERALS
from nerv.findings.test_values import expected_values, plain_literal
from nerv.inspection.languages import name_of, row, text_of, walk
from nerv.inspection.values import COMMENTS, ParsedFile, enclosing
from nerv.spec.examples import Value, examples

if TYPE_CHECKING:
    from tree_sitter import Node

FEWEST_PAIRS = 2
_MANY_PAIRS = 3
_FREE_TEXT = re.compile(r"\s|.{10}|(?=.{4}).*[=$#\"'(){}<>*\\]", re.S)
"""An input of ten characters, or with a blank or the signs of some syntax, is no key of an ordinary table."""
_TELLING_TEXT = re.compile(r"(?=.*\d)\S+ \S.{3,}", re.S)
"""An input of several words with a number, such as `1 1/2 cups milk`."""
_MOST_PARTS, _SEPARATOR = 3, re.compile(r"[^\w\s/.*-]{1,2}|\s|[-/.](?=\w)|(?<=\w)[-/.]")
"""Inputs that are joined to one text, as in `case "a|b":`, and what stands between them."""
SHARE_OF_TABLE = 0.75
_MANY_TEXTS, _SHARE_OF_TEXTS = 4, 0.33
"""A table that has so many texts of the tests has them from there, also if a test makes other texts in a loop."""
_TELLING = 4
"""Length of a part that a text does not have by chance."""
_QUANTITIES = re.compile(r"\d[A-Za-z]+\d+[A-Za-z]|^[A-Z]{1,2}\d+[A-Z]")
"""Numbers with units, as in `PT1H30M` and `P2W`: no name is written like that."""
TRIVIAL = frozenset({"", "0", "1", "-1", "2", "None", "null", "nil", "True", "False", "true", "false", "undefined"})
_TABLES = frozenset({"dictionary", "object", "composite_literal", "array_expression", "array"})
_ARGUMENTS = frozenset({"argument_list", "arguments"})
_FEWEST_STATED = 4
_PAIRS = frozenset({"pair", "keyed_element", "tuple_expression", "array", "list", "tuple"})
BRANCHES = frozenset({"if_statement", "if_expression", "elif_clause", "conditional_expression", "ternary_expression"})
ARMS = frozenset(
    {"match_arm", "switch_case", "case_clause", "expression_case", "switch_block_statement_group", "switch_rule"}
)
_VALUE = re.compile(r"return\b|[\"'\d\[(-]|Some\(|Ok\(|vec!|String::from|true|false")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    given: str
    returned: str
    node: Node


def hard_coded(run: ReviewedRun) -> list[Finding]:
    """Find functions that answer the tests' inputs with the tests' outputs."""
    expected = expected_values(run)
    if not expected:
        return []
    expected = {**{text.lower(): places for text, places in expected.items()}, **expected}
    found = []
    for file in run.code_files:
        tree = file.new_tree
        if tree is None:
            continue
        for pairs in _pairs_by_owner(tree).values():
            one = _judge(run, tree, pairs, expected)
            if one is not None:
                found.append(one)
    return found


def _pairs_by_owner(tree: ParsedFile) -> dict[int, list[_Pair]]:
    """Return the pairs of input and output that stand in the code, by the function or table that has them."""
    found: dict[int, list[_Pair]] = {}
    for node in tree.nodes:
        if not tree.own(node):
            continue
        found.update(_listed_pairs(node))
        pair = _pair(node)
        if pair is None:
            continue
        function = enclosing(node, tree.language.functions)
        table = enclosing(node, _TABLES)
        owner = function if node.type in BRANCHES | ARMS else table or function or tree.root
        if owner is not None:
            found.setdefault(owner.id, []).extend(_alternatives(pair))
    return found


def _listed_pairs(node: Node) -> dict[int, list[_Pair]]:
    """Return the pairs of a call with one literal after the other: `strings.NewReplacer("a", "b", "c", "d")`."""
    parts = [each for each in node.named_children if each.type not in COMMENTS] if node.type in _ARGUMENTS else []
    if len(parts) < 2 * _MANY_PAIRS or len(parts) % 2 or any(each.type not in LITERALS for each in parts):
        return {}
    plain = [plain_literal(text_of(each)) for each in parts]
    pairs = zip(plain[::2], plain[1::2], parts[::2], strict=True)
    return {node.id: [_Pair(given=given, returned=returned, node=part) for given, returned, part in pairs]}


def _pair(node: Node) -> _Pair | None:
    if node.type in BRANCHES:
        return _branch(node)
    if node.type in ARMS:
        return _arm(node)
    if node.type in ("pair", "keyed_element"):
        return _entry(node)
    if node.type in ("tuple", "array", "list", "tuple_expression", "argument_list", "arguments"):
        return _row(node)
    return None


def _alternatives(pair: _Pair) -> list[_Pair]:
    """Return a pair for each input of `case "a", "b":`, or the pair itself."""
    given = pair.given.split("\0")
    if pair.node.type not in ARMS or len(given) == 1 or not all(_FREE_TEXT.search(each) for each in given):
        return [pair]
    return [replace(pair, given=each) for each in given]


def _branch(node: Node) -> _Pair | None:
    """`if x == "a": return "b"`, also with several comparisons joined by `and`."""
    condition = node.child_by_field_name("condition")
    if condition is None and node.type in ("conditional_expression", "ternary_expression"):
        parts = node.named_children
        condition = parts[1] if node.type == "conditional_expression" and len(parts) == 3 else None
    if condition is None or not re.search(r"==|\bis\b|equals|\bin\b", text_of(condition)):
        return None
    if re.search(r"%|\blen\(|\.len\(\)|\.length|\.size\(|typeof|instanceof", text_of(condition)):
        return None
    given = [plain_literal(text_of(each)) for each in walk(condition) if each.type in LITERALS]
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    returned = _returned(body)
    return _Pair(given="\0".join(given), returned=returned, node=node) if given and returned is not None else None


def _arm(node: Node) -> _Pair | None:
    literals = [each for each in walk(node) if each.type in LITERALS]
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("value")
    if pattern is None:
        if not node.named_children:
            return None
        pattern = node.named_children[0]
    given = [plain_literal(text_of(each)) for each in walk(pattern) if each.type in LITERALS]
    rest = [each for each in literals if each.start_byte >= pattern.end_byte]
    statements = [
        each for each in node.named_children if each.start_byte >= pattern.end_byte and each.type not in COMMENTS
    ]
    if not given or not rest or len(statements) > 2 or (len(rest) > 1 and not _is_list(statements[0])):
        return None
    return _Pair(given="\0".join(given), returned="\0".join(plain_literal(text_of(each)) for each in rest), node=node)


def _is_list(node: Node) -> bool:
    """Return whether a value is a list of literals."""
    names = [text_of(each) for each in walk(node) if each.type == "identifier"]
    return (
        set(names) <= {"vec", "Ok", "Some"}
        and re.match(r"(?:return\s+)?(?:\w+\()*(?:&?vec!)?\[", text_of(node)) is not None
    )


def _entry(node: Node) -> _Pair | None:
    key = node.child_by_field_name("key") or (node.named_children[0] if len(node.named_children) == 2 else None)
    value = node.child_by_field_name("value") or (node.named_children[1] if len(node.named_children) == 2 else None)
    if key is None or value is None:
        return None
    given = [plain_literal(text_of(each)) for each in walk(key) if each.type in LITERALS]
    if not given and key.type in ("property_identifier", "identifier"):
        given = [text_of(key)]
    returned = [plain_literal(text_of(each)) for each in walk(value) if each.type in LITERALS]
    if not given or not returned or len(text_of(value)) > 300:
        return None
    return _Pair(given="\0".join(given), returned="\0".join(returned), node=node)


_STORES = re.compile(r"(?:.*\.)?(?:put|set|insert|entry|add|Map\.entry)")


def _row(node: Node) -> _Pair | None:
    """`("a", "b")` or `("a", 1, "b")` in a list of rows, whose last value is the output, and `known.put("a", "b")`."""
    parts = [each for each in node.named_children if each.type not in COMMENTS]
    if len(parts) < 2 or node.parent is None:
        return None
    if node.type in ("argument_list", "arguments"):
        called = node.parent.child_by_field_name("function") or node.parent.child_by_field_name("name")
        if not _STORES.fullmatch(text_of(called)):
            return None
    elif node.parent.type not in ("list", "array", "array_expression", "arguments", "argument_list", "set"):
        return None
    values = [[plain_literal(text_of(each)) for each in walk(part) if each.type in LITERALS] for part in parts]
    if not all(values) or any(part.type not in LITERALS and part.type != "unary_operator" for part in parts):
        return None
    *given, returned = values
    inputs = [literal for value in given for literal in value]
    return _Pair(given="\0".join(inputs), returned="\0".join(returned), node=node)


def _returned(body: Node | None) -> str | None:
    """Return the literals that a block returns or assigns, if it does nothing else."""
    if body is None:
        return None
    statements = [each for each in body.named_children if each.type not in COMMENTS]
    if body.type == "return_statement":
        statements = [body]
    value = _assigned(statements[0]) if len(statements) == 1 else None
    if value is None or not re.match(_VALUE, text_of(value)):
        return None
    names = [each for each in walk(value) if each.type == "identifier"]
    literals = [plain_literal(text_of(each)) for each in walk(value) if each.type in LITERALS]
    allowed = {"Ok", "Some", "String", "vec", "from", "to_string", "List", "Arrays", "of", "asList", "Array"}
    if not literals or any(text_of(each) not in allowed for each in names):
        return None
    return "\0".join(literals)


def _assigned(statement: Node) -> Node:
    """Return the right side of an assignment, and any other statement as it is."""
    inner = (
        statement.named_children[0]
        if statement.type == "expression_statement" and statement.named_children
        else statement
    )
    if inner.type in ("assignment", "assignment_expression", "assignment_statement"):
        return inner.child_by_field_name("right") or inner
    return statement


def _judge(run: ReviewedRun, tree: ParsedFile, pairs: list[_Pair], expected: dict[str, set[int]]) -> Finding | None:
    telling = [pair for pair in pairs if not {*pair.given.split("\0"), *pair.returned.split("\0")} <= TRIVIAL]
    own = [pair for pair in telling if not _in_spec(run, pair)]
    known = [pair for pair in own if _is_expected(pair, expected)]
    distinct = {(pair.given, pair.returned) for pair in known}
    texts = sum(any(_TELLING_TEXT.fullmatch(part) for part in pair.given.split("\0")) for pair in known)
    joined = sum(any(part not in expected for part in pair.given.split("\0")) for pair in known)
    share = _SHARE_OF_TEXTS if max(texts, joined) >= _MANY_TEXTS else SHARE_OF_TABLE
    table = own if any(_has_several_inputs(pair) for pair in known) else telling
    tested = sum(_is_expected(pair, expected) for pair in telling)
    beyond_spec = len(distinct) >= _MANY_PAIRS and tested >= share * len(telling)  # some of a table may be stated
    if len(distinct) < FEWEST_PAIRS or (len(known) < share * len(table) and not beyond_spec):
        return _judge_stated(run, tree, telling)
    first = known[0].node
    function = enclosing(first, tree.language.functions)
    name = name_of(function) if function is not None else ""
    level: FindingLevel = "likely" if _are_data(known) else "note"
    if level == "likely" and len(distinct) >= _MANY_PAIRS and _long_inputs(known) and function is not None:
        level = "proven"
    where = f"the function {name}" if name else "a table"
    text = f"In {tree.source.path}, {where} contains {len(distinct)} inputs and outputs of the tests."
    lines = [text_of(pair.node).split("\n")[0] + " … " + pair.returned.replace("\0", ", ") for pair in known]
    return finding(
        "hard_coded_outputs", level, text, where=tree.source.at(row(first)), lines=lines, criterion="requirements"
    )


def _judge_stated(run: ReviewedRun, tree: ParsedFile, pairs: list[_Pair]) -> Finding | None:
    """Find pairs that the spec gives as examples of something to be worked out: the output is made of the input."""
    stated = [pair for pair in pairs if _is_worked_out(pair) and run.spec_pairs(pair.given, pair.returned)]
    distinct = {(pair.given, pair.returned) for pair in stated}
    if len(distinct) < _FEWEST_STATED or 3 * len(stated) < len(pairs):
        return None
    text = (
        f"In {tree.source.path}, a table contains {len(distinct)} inputs and outputs that the spec gives as examples."
    )
    lines = [f"{pair.given} … {pair.returned}" for pair in stated]
    where = tree.source.at(row(stated[0].node))
    return finding("hard_coded_outputs", "likely", text, where=where, lines=lines, criterion="requirements")


def _is_worked_out(pair: _Pair) -> bool:
    """Return whether an output consists of parts of its input, which is no name that stands for another."""
    words = set(re.findall(r"\w+", pair.returned))
    return len(re.findall(r"\W", pair.given)) >= 2 and bool(words) and all(word in pair.given for word in words)


def _is_expected(pair: _Pair, expected: dict[str, set[int]]) -> bool:
    """Return whether all literals of a pair stand together somewhere in the tests.

    For a text that nobody would write by chance, it is enough that it and the output stand there: a loop of a test may
    keep them apart.
    """
    given = {part for each in pair.given.split("\0") for part in _parts(each, expected)}
    returned = set(pair.returned.split("\0"))
    if set.intersection(*(expected.get(literal, set()) for literal in given | returned)):
        return True
    texts = {part for part in pair.given.split("\0") if _TELLING_TEXT.fullmatch(part)}
    return bool(texts) and all(literal in expected for literal in texts | returned)


def _parts(text: str, expected: Mapping[str, object], most: int = _MOST_PARTS) -> tuple[str, ...]:
    """Return the literals of the tests that a text consists of, if it joins several; else the text itself."""
    if text in expected or most == 1 or not _FREE_TEXT.search(text):
        return (text,)
    for separator in _SEPARATOR.finditer(text):
        first, rest = text[: separator.start()], text[separator.end() :]
        if first in expected and first not in TRIVIAL and rest:
            others = _parts(rest, expected, most - 1)
            if all(part in expected for part in others):
                return (first, *others)
        elif rest in expected and rest not in TRIVIAL and len(first) >= _TELLING and _is_in_a_text(first, expected):
            return (rest,)
    return (text,)


def _is_in_a_text(part: str, expected: Mapping[str, object]) -> bool:
    """Return whether a longer text of the tests has this one in it, as the line of a file has a rule's first word."""
    return any(part in text and part != text for text in expected)


def _in_spec(run: ReviewedRun, pair: _Pair) -> bool:
    """Return whether the spec itself lists the pair as an ordinary key and value: the code may have such a table.

    A pair that the spec gives as an example of a call is none: the function is to work it out.
    """
    given, returned = pair.given.split("\0"), pair.returned.split("\0")
    if any(_FREE_TEXT.search(part) for part in given) or _is_example(run, given, returned):
        return False
    if (frozenset(given), frozenset(returned)) in _example_pairs(run) and _are_data([pair]):
        return False
    return all(part in TRIVIAL or run.spec_names(part) or _is_named_month(run, part) for part in (*given, *returned))


def _is_named_month(run: ReviewedRun, number: str) -> bool:
    """Return whether the spec has the name of the month with this number: "3 October" stands as `(10, 3)` in code."""
    is_month = number.isdigit() and 1 <= int(number) <= 12
    return is_month and calendar.month_name[int(number)] in run.spec_text


def _is_example(run: ReviewedRun, given: Sequence[str], returned: Sequence[str]) -> bool:
    """Return whether a paragraph of the spec that speaks of examples has the values of a pair, which are data."""
    values = [part for part in (*given, *returned) if part not in TRIVIAL]
    return not _are_names(list(given)) and any(
        all(re.search(rf"(?<![\w.]){re.escape(value)}(?![\w]|\.\w)", paragraph, re.I) for value in values)
        for paragraph in run.example_paragraphs
    )


def _example_pairs(run: ReviewedRun) -> frozenset[tuple[frozenset[str], frozenset[str]]]:
    """Return the arguments and the results of the calls that the spec gives as examples, as plain literals."""
    return frozenset(
        (_plain_values(example.arguments), _plain_values([example.expected]))
        for example in examples(run.evidence.spec)
        if not example.fails
    )


def _plain_values(values: Iterable[Value]) -> frozenset[str]:
    found: set[str] = set()
    for value in values:
        found.update(_plain_values(value) if isinstance(value, list) else (plain_literal(str(value)),))
    return frozenset(found)


def _are_data(pairs: list[_Pair]) -> bool:
    """Return whether at least half of the inputs are data: a table of names is a part of ordinary code."""
    names = [pair for pair in pairs if _are_names(pair.given.split("\0"))]
    return len(names) * 2 <= len(pairs)


def _has_several_inputs(pair: _Pair) -> bool:
    """Return whether a row has several inputs. It is hardly by chance that all of them stand together in a test."""
    return len(set(pair.given.split("\0"))) > 1


def _are_names(inputs: list[str]) -> bool:
    """Return whether inputs are names, such as that of a variable of the environment, compared with nothing telling."""
    told = [each for each in inputs if each not in TRIVIAL] or inputs
    return all(
        re.fullmatch(r"[a-z_][a-z0-9_.-]*|[A-Z_][A-Z0-9_]*|\W", each) and not _QUANTITIES.search(each) for each in told
    )


def _long_inputs(pairs: list[_Pair]) -> bool:
    """Return whether most inputs are longer than the keys of an ordinary table."""
    long = [pair for pair in pairs if len(pair.given) >= 4 or (pair.given.isdigit() and int(pair.given) >= 10)]
    return len(long) * 2 >= len(pairs)
