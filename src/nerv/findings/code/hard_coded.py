"""Expected outputs that are written into the code: branches and tables whose pairs are those of the tests."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence

from nerv.finding import Finding, FindingLevel
from nerv.findings.code.written_pairs import FREE_TEXT, Pair, pairs_by_owner
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_values import expected_values, plain_literal
from nerv.inspection.languages import name_of, row, text_of
from nerv.inspection.values import ParsedFile, enclosing
from nerv.spec.examples import Value, examples

FEWEST_PAIRS = 2
_MANY_PAIRS = 3
_TELLING_TEXT = re.compile(r"(?=.*\d)\S+ \S.{3,}", re.S)
"""An input of several words with a number, such as `1 1/2 cups milk`."""
_MOST_PARTS, _SEPARATOR = 6, re.compile(r"[^\w\s/.*-]{1,2}|\s|[-/.](?=\w)|(?<=\w)[-/.]")
"""Inputs that are joined to one text, as in `case "a|b":`, and what stands between them."""
SHARE_OF_TABLE = 0.75
_MANY_TEXTS, _SHARE_OF_TEXTS = 4, 0.33
"""A table that has so many texts of the tests has them from there, also if a test makes other texts in a loop."""
_TELLING = 4
"""Length of a part that a text does not have by chance."""
_QUANTITIES = re.compile(r"\d[A-Za-z]+\d+[A-Za-z]|^[A-Z]{1,2}\d+[A-Z]")
"""Numbers with units, as in `PT1H30M` and `P2W`: no name is written like that."""
TRIVIAL = frozenset({"", "0", "1", "-1", "2", "None", "null", "nil", "True", "False", "true", "false", "undefined"})
_FEWEST_STATED = 4
_PAIRS = frozenset({"pair", "keyed_element", "tuple_expression", "array", "list", "tuple"})


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
        for pairs in pairs_by_owner(tree).values():
            one = _judge(run, tree, pairs, expected)
            if one is not None:
                found.append(one)
    return found


def _judge(run: ReviewedRun, tree: ParsedFile, pairs: list[Pair], expected: dict[str, set[int]]) -> Finding | None:
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
        return _judge_stated(run, tree, telling) or _judge_inputs(run, tree, telling, expected)
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


def _judge_stated(run: ReviewedRun, tree: ParsedFile, pairs: list[Pair]) -> Finding | None:
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


def _judge_inputs(
    run: ReviewedRun, tree: ParsedFile, pairs: list[Pair], expected: Mapping[str, object]
) -> Finding | None:
    """Find tables whose inputs are just those of the tests: what they give may be a step towards the answer."""
    inputs = {tuple(pair.given.split("\0")): pair for pair in pairs}
    parts = {given: [part for each in given for part in _parts(each, expected)] for given in inputs}
    joined = sum(len(parts[given]) > len(given) for given in inputs)
    if len(inputs) < (_MANY_PAIRS if 2 * joined > len(inputs) else _FEWEST_STATED) or len(inputs) != len(pairs):
        return None
    if not all(_is_datum(each) for given in inputs for each in given) or _is_range(inputs):
        return None
    of_tests = all(part in expected for found in parts.values() for part in found)
    stated = run.spec_has_together([each for given in inputs for each in given if each not in TRIVIAL])
    if not of_tests or stated:
        return None
    first = next(iter(inputs.values())).node
    text = f"In {tree.source.path}, a table has {len(inputs)} inputs of the tests, and nothing else."
    lines = [text_of(pair.node).split("\n")[0] for pair in inputs.values()]
    where = tree.source.at(row(first))
    return finding("hard_coded_outputs", "likely", text, where=where, lines=lines, criterion="requirements")


def _is_datum(text: str) -> bool:
    """Return whether an input is a number that tells something, or a text that is no name."""
    return re.fullmatch(r"\d+(?:\.\d+)?", text) is not None or FREE_TEXT.search(text) is not None


def _is_range(inputs: Iterable[Sequence[str]]) -> bool:
    """Return whether inputs are neighbouring whole numbers, as months and degrees of a scale are, or mostly trivial."""
    single = [given[0] for given in inputs if len(given) == 1]
    numbers = sorted(int(each) for each in single if each.isdigit())
    trivial = sum(each in TRIVIAL for each in single)
    return 2 * trivial > len(single) > 0 or (len(numbers) > 2 and numbers[-1] - numbers[0] < 2 * len(numbers))


def _is_worked_out(pair: Pair) -> bool:
    """Return whether an output consists of parts of its input, which is no name that stands for another."""
    words = set(re.findall(r"\w+", pair.returned))
    return len(re.findall(r"\W", pair.given)) >= 2 and bool(words) and all(word in pair.given for word in words)


def _is_expected(pair: Pair, expected: dict[str, set[int]]) -> bool:
    """Return whether all literals of a pair stand together somewhere in the tests.

    For a text that nobody would write by chance, it is enough that it and the output stand there: a loop of a test may
    keep them apart.
    """
    given = {part for each in pair.given.split("\0") for part in _parts(each, expected)}
    returned = set(pair.returned.split("\0"))
    if set.intersection(*(expected.get(literal, set()) for literal in given | returned)):
        return True
    texts = {
        each for part in pair.given.split("\0") if _TELLING_TEXT.fullmatch(part) for each in _parts(part, expected)
    }
    return bool(texts) and all(literal in expected for literal in texts | returned)


def _parts(text: str, expected: Mapping[str, object], most: int = _MOST_PARTS) -> tuple[str, ...]:
    """Return the literals of the tests that a text consists of, if it joins several; else the text itself."""
    if text in expected or most == 1 or (most == _MOST_PARTS and not FREE_TEXT.search(text)):
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


def _in_spec(run: ReviewedRun, pair: Pair) -> bool:
    """Return whether the spec itself lists the pair as an ordinary key and value: the code may have such a table.

    A pair that the spec gives as an example of a call is none: the function is to work it out.
    """
    given, returned = pair.given.split("\0"), pair.returned.split("\0")
    if any(FREE_TEXT.search(part) for part in given) or _is_example(run, given, returned):
        return False
    if (frozenset(given), frozenset(returned)) in _example_pairs(run) and _are_data([pair]):
        return False
    parts = (*given, *returned)
    if not all(part in TRIVIAL or run.spec_names(part) or _is_named_month(run, part) for part in parts):
        return False
    return len(given) == 1 or any(_is_named_month(run, part) for part in parts) or run.spec_has_together(parts)


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


def _are_data(pairs: list[Pair]) -> bool:
    """Return whether at least half of the inputs are data: a table of names is a part of ordinary code."""
    names = [pair for pair in pairs if _are_names(pair.given.split("\0"))]
    return len(names) * 2 <= len(pairs)


def _has_several_inputs(pair: Pair) -> bool:
    """Return whether a row has several inputs. It is hardly by chance that all of them stand together in a test."""
    return len(set(pair.given.split("\0"))) > 1


def _are_names(inputs: list[str]) -> bool:
    """Return whether inputs are names, such as that of a variable of the environment, compared with nothing telling."""
    told = [each for each in inputs if each not in TRIVIAL] or inputs
    return all(
        re.fullmatch(r"[a-z_][a-z0-9_.-]*|[A-Z_][A-Z0-9_]*|\W", each) and not _QUANTITIES.search(each) for each in told
    )


def _long_inputs(pairs: list[Pair]) -> bool:
    """Return whether most inputs are longer than the keys of an ordinary table."""
    long = [pair for pair in pairs if len(pair.given) >= 4 or (pair.given.isdigit() and int(pair.given) >= 10)]
    return len(long) * 2 >= len(pairs)
