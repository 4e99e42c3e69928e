"""Changed tests of the base that are as strict as before: in another form, with more cases, or as the spec says."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nerv.findings.assertion_strength import EQUALITY
from nerv.findings.test_code import Assertion, TestCode, sides_of
from nerv.matching.test_orders import TELLING, sentences

_CODE = re.compile(r"`([^`\n]+)`")
_CREATES = re.compile(r"(?:(?:const|let|var|let mut)\s+)?\w+\s*:?=\s*(?:new\s+|&)?(?:\w+(?:\.|::))*\w+\(\s*\);?$")
"""A line that creates something without any argument."""
_EMPTY_VALUES = re.compile(r",\s*(?:\"\"|nil|0|false|None|\{\})(?=\s*[\])}])")
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|(?<![\w.])-?\d[\d._]*")
_TOKEN = re.compile(rf"{_LITERAL.pattern}|[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:[ _,\u00a0\u202f]\d{3})+(?!\d)|(?<![\w.])\d+(?![\w.]*\d)")
_LOSSY = re.compile(
    r"\b(?:trim\w*|l?r?strip|Trim\w*|lower|upper|casefold|to_?[lL]ower\w*|to_?[uU]pper\w*|ToLower|ToUpper|EqualFold|sort\w*|Sort\w*"
    r"|set|Set|frozenset|HashSet|BTreeSet|round|floor|ceil|int|abs|approx|isclose|replace\w*|Replace\w*|sub|Fields"
    r"|split\w*|normali[sz]e\w*)\s*[(!]|new Set\("
)
"""Functions after which a part of a value no longer matters."""
_DIFFERENCE = re.compile(r"(?<![\w.])\d[\d._]*(?= - [\w:.]+\()|(?<=\) - )\d[\d._]*|(?<= < )\d[\d._e-]*")
"""The numbers in `(0.5 - f(x)).abs() < 0.01`: what a value is compared with, and the tolerance."""
_TOLERANCE = re.compile(r"\b(?:abs|rel|abs_tol|rel_tol|delta|places|tolerance)\s*=")


def is_adapted(test: TestCode, after: Sequence[TestCode], code: frozenset[str]) -> bool:
    """Return whether a test still expects all of its values, but of another form of what the spec names as code."""
    if not test.touched or not code & test.names or not any(each.literals for each in test.assertions):
        return False
    for each in after:
        texts = {one.text for one in each.assertions}
        changed = any(one.text not in texts for one in test.assertions)
        keeps_values = _literals(test.lines) <= _literals(each.lines) and not _loses_more(test.lines, each.lines)
        if (
            each.touched
            and changed
            and keeps_values
            and all(_has_values_of(one, each.assertions) for one in test.assertions)
        ):
            return True
    return False


def has_another_start(test: TestCode, new: TestCode | None, code: frozenset[str]) -> bool:
    """Return whether a test of what the spec names asserts all that it did, of all its values, after more is set up."""
    if new is None or not test.touched or not test.assertions or not code & test.names:
        return False
    lost = [line for line in test.lines if line not in new.lines]
    keeps = not Counter(each.text for each in test.assertions) - Counter(each.text for each in new.assertions)
    return (
        keeps
        and len(lost) == 1
        and _CREATES.match(lost[0]) is not None
        and _literals(test.lines) <= _literals(new.lines)
    )


def only_gains(test: TestCode, new: TestCode | None) -> bool:
    """Return whether a test has all of its assertions and values as before, and perhaps more."""
    if new is None or not test.assertions or _loses_more(test.lines, new.lines):
        return False
    keeps = not Counter(each.text for each in test.assertions) - Counter(each.text for each in new.assertions)
    return keeps and _literals(test.lines) <= _literals(new.lines)


def gains_empty_values(test: TestCode, new: TestCode | None) -> bool:
    """Return whether all changes to a test are empty values behind others: a type has another field now."""
    lost = [line for line in test.lines if new is not None and line not in new.lines]
    gained = {_EMPTY_VALUES.sub("", line) for line in new.lines} if new is not None else set()
    return bool(lost) and all(line in gained for line in lost)


def moved_cases(before: Iterable[TestCode], after: Sequence[TestCode], text: str) -> frozenset[tuple[str, str]]:
    """Return values that a test no longer has, that the spec states as code, and that a test of another name has."""
    stated = {span.strip("\"'") for span in _CODE.findall(text)}
    values: dict[str, Counter[str]] = {}
    for test in after:
        values.setdefault(test.name, Counter()).update(_literals(test.lines))
    everywhere = Counter(itertools.chain.from_iterable(each.elements() for each in values.values()))
    found: set[tuple[str, str]] = set()
    for test in before:
        now = values.get(test.name, Counter())
        gone = _literals(test.lines) - now if test.touched else ()
        found.update((test.name, value) for value in gone if value in stated and everywhere[value] > now[value])
    return frozenset(found)


def follows_spec(test: TestCode, new: TestCode | None, text: str) -> bool:
    """Return whether the lines of a test changed only to values and names that the spec states, or to its examples."""
    lost = [line for line in test.lines if new is not None and line not in new.lines]
    gained = [line for line in new.lines if line not in test.lines] if new is not None else []
    examples = [frozenset(_CODE.findall(each)) for each in re.split(r"\n\s*\n", text)]
    for was in lost:
        now = next((each for each in gained if _is_stated(was, each, text, examples)), None)
        if now is None:
            return False
        gained.remove(now)
    return bool(lost)


def _is_stated(was: str, now: str, text: str, examples: Sequence[frozenset[str]]) -> bool:
    """Return whether a line has other values or names now, which the spec states, or as code beside all others."""
    before, after = _TOKEN.findall(was), _TOKEN.findall(now)
    changed = [two for one, two in zip(before, after, strict=False) if one != two]
    if _TOKEN.sub("", was) != _TOKEN.sub("", now) or not changed:
        return False
    others = [token for token in changed if _LITERAL.fullmatch(token)]
    if len(others) > 1 and 2 * len(others) > len(_LITERAL.findall(now)):
        return False  # another case, rather than the same one with another result
    if all(_states(token, text) or _states_of(token, now, text) for token in changed):
        return True
    values = [literal.strip("\"'") for literal in _LITERAL.findall(now)]
    return len(changed) == 1 and len(values) > 1 and any(set(values) <= known for known in examples)


def _states(token: str, text: str) -> bool:
    """Return whether a spec states a value or a name; a number also if it is the first beyond one that it states."""
    value = token.strip("\"'")
    if len(value) < TELLING:
        return False
    if number := re.fullmatch(r"-?(\d[\d_]*)", value):
        stated = {int(re.sub(r"\D", "", each)) for each in _NUMBER.findall(text)}
        return not {int(number[1].replace("_", "")) + step for step in (-1, 0, 1)}.isdisjoint(stated)
    if not token.startswith(("'", '"')) and re.match(r"[A-Za-z_]", token):
        return any(value in re.findall(r"\w+", code) for code in _CODE.findall(text))
    return re.search(rf"(?<![\w./-]){re.escape(value)}(?![\w/-]|\.\w)", text) is not None


def _states_of(value: str, line: str, text: str) -> bool:
    """Return whether a sentence of the spec has a short value beside the name of something that the line calls."""
    called = set(re.findall(r"\b([A-Za-z_]\w*)\s*[(!.]", line))
    plain = re.compile(rf"(?<![\w.]){re.escape(value.strip(chr(34) + chr(39)))}(?![\w.]*\d|\w)")
    return any(
        plain.search(_CODE.sub(lambda code: f" {code[1]} ", each))
        for each in sentences(text)
        if called & {word for code in _CODE.findall(each) for word in re.findall(r"\w+", code)}
    )


def is_kept(test: TestCode, after: Sequence[TestCode]) -> bool:
    """Return whether the result has a test of this name that is as strict."""
    return any(each.name == test.name and _is_as_strict(test, each) for each in after)


def still_compares(test: TestCode, new: TestCode) -> bool:
    """Return whether a changed test compares as many values as before, as strictly.

    A test that compares by functions of its own has no assertion that is known as one.
    """
    if (test.can_fail and not new.can_fail) or _strongest(new) < _strongest(test) or _lossy(new) - _lossy(test):
        return False
    if 0 < _equalities(new) < _equalities(test) and len(new.assertions) <= len(test.assertions):
        return False
    compared, now = (sum(len(each.literals) for each in one.assertions) for one in (test, new))
    if len(new.assertions) >= len(test.assertions) and now >= compared:
        return True
    return _literals(new.lines).total() >= _literals(test.lines).total()


def _lossy(test: TestCode) -> frozenset[str]:
    """Return the functions and tolerances of a test after which a part of a value no longer matters."""
    text = "\n".join(test.lines)
    return frozenset(re.sub(r"\W", "", each) for each in (*_LOSSY.findall(text), *_TOLERANCE.findall(text)))


def only_loses_values(test: TestCode, new: TestCode, text: str) -> bool:
    """Return whether a test lost some of its cases, whose values the spec names, and is otherwise the same."""
    if not test.touched or not new.can_fail or _strongest(new) < _strongest(test):
        return False
    lost, gained = _literals(test.lines) - _literals(new.lines), _literals(new.lines) - _literals(test.lines)
    return bool(lost) and not gained and bool(_literals(new.lines)) and all(_stands_in(each, [text]) for each in lost)


def inputs_of(test: TestCode) -> Counter[str]:
    """Return the pieces of all values that a test hands over: of all but those that it compares with."""
    given = pieces_of(test.lines[1:] or test.lines)
    for each in test.assertions:
        first, second = sides_of(each.shown)
        given -= pieces_of([first if _LITERAL.fullmatch(first) and "(" in second else second])
        if re.search(r"\babs\b", each.shown, re.I):
            given -= pieces_of(_DIFFERENCE.findall(each.shown))
    return +given


def pieces_of(lines: Iterable[str]) -> Counter[str]:
    """Return the pieces of all values in some lines: a text may be written as a list of its lines elsewhere."""
    return Counter(piece for value in _literals(lines).elements() for piece in re.split(r"\\[nrt]|\s+", value) if piece)


def _stands_in(value: str, paragraphs: Iterable[str]) -> bool:
    quoted = re.compile(rf"`[\"']?{re.escape(value)}[\"']?`|(?<![\w.]){re.escape(value)}(?![\w]|\.\w)")
    return any(quoted.search(each) for each in paragraphs)


def is_succeeded(test: TestCode, after: Iterable[TestCode], new: Iterable[TestCode]) -> bool:
    """Return whether a test that has to change is still there, or a new one is, and compares as strictly."""
    return any(
        each.can_fail and _strongest(each) >= _strongest(test)
        for each in (*(one for one in after if one.name == test.name), *new)
    )


def _is_as_strict(old: TestCode, new: TestCode) -> bool:
    return (
        new.can_fail
        and len(new.assertions) >= len(old.assertions)
        and _strongest(new) >= (_strongest(old) if old.assertions else 1)
    )


def _equalities(test: TestCode) -> int:
    return sum(each.strength >= EQUALITY for each in test.assertions)


def _strongest(test: TestCode) -> int:
    return max((each.strength for each in test.assertions), default=0)


def _has_values_of(assertion: Assertion, others: Sequence[Assertion]) -> bool:
    """Return whether another assertion is as strict, and has all values in the same order."""

    def has_all(values: Iterator[str]) -> bool:
        return all(literal in values for literal in assertion.literals)

    return any(has_all(iter(each.literals)) and each.strength >= assertion.strength for each in others)


def _literals(lines: Iterable[str]) -> Counter[str]:
    return Counter(literal.strip("\"'") for line in lines for literal in _LITERAL.findall(line))


def _loses_more(before: Iterable[str], after: Iterable[str]) -> bool:
    """Return whether a test lost more of a value than before when it compares: white space, case, order, or digits."""
    return len(_LOSSY.findall("\n".join(after))) > len(_LOSSY.findall("\n".join(before)))
