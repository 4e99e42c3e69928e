"""Changed tests of the base that are as strict as before: in another form, with more cases, or as the spec says."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from nerv.findings.test_code import Assertion, TestCode
from nerv.matching.test_orders import TELLING, sentences

_CODE = re.compile(r"`([^`\n]+)`")
_CREATES = re.compile(r"(?:(?:const|let|var|let mut)\s+)?\w+\s*:?=\s*(?:new\s+|&)?(?:\w+(?:\.|::))*\w+\(\s*\);?$")
"""A line that creates something without any argument."""
_EMPTY_VALUES = re.compile(r",\s*(?:\"\"|nil|0|false|None|\{\})(?=\s*[\])}])")
_LITERAL = re.compile(r"\"[^\"]*\"|'[^']*'|(?<![\w.])-?\d[\d._]*")
_TOKEN = re.compile(rf"{_LITERAL.pattern}|[A-Za-z_]\w*")
_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?:[ _,\u00a0\u202f]\d{3})+(?!\d)|(?<![\w.])\d+(?![\w.]*\d)")
_EXTENDS = re.compile(
    r"\b(?:prints?|shows?|writes?|outputs?|gives?|lists?|ends?|begins?|starts?|lines?|report)\b.*?"
    r"\b(?:(?:and|,) then|followed by|in addition|additional|another|further|more lines?|one more|"
    r"new lines?|below (?:it|that)|"
    r"after (?:it|that|them)|as (?:now|before|today),? (?:and|plus|with|then)|"
    r"(?:now|today|before|already),? (?:and|plus|then))\b",
    re.I | re.S,
)
"""A sentence by which an output has more than before."""
_IS_VALID_NOW = re.compile(
    r"\b(?:accept|allow|permit|support|valid|legal|legitimate|fine|read|understand|know)\w*\b[^.]*"
    r"\b(?:now|too|also|as well|any ?more)\b"
    r"|\b(?:now|also|no longer|from now on|any ?more)\b[^.]*"
    r"\b(?:accept|allow|permit|support|valid|legal|error|refus|reject|fail|invalid)",
    re.I | re.S,
)
"""A paragraph by which something is valid that was not."""
_LOSSY = re.compile(
    r"\b(?:trim\w*|l?r?strip|Trim\w*|lower|upper|casefold|to_?[lL]ower\w*|to_?[uU]pper\w*|ToLower|ToUpper|EqualFold|sort\w*|Sort\w*"
    r"|set|Set|frozenset|HashSet|BTreeSet|round|floor|ceil|int|abs|approx|isclose|replace\w*|Replace\w*|sub|Fields"
    r"|split\w*|normali[sz]e\w*)\s*[(!]|new Set\("
)
"""Functions after which a part of a value no longer matters."""


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


def is_extended(test: TestCode, after: Iterable[TestCode], text: str) -> bool:
    """Return whether a test compares a whole output to which the spec adds, and another test has the rest, too.

    Beginnings are compared without regard to numbers: the other test may print something else of the same kind.
    """
    outputs = [each for each in _outputs(test) if each.count("\\n") or "\n" in each]
    if not test.touched or not outputs or not any(_EXTENDS.search(each) for each in sentences(text)):
        return False
    longer = [each for other in after if other.can_fail for each in _outputs(other)]
    return all(any(each.startswith(output) and each != output for each in longer) for output in outputs)


def _outputs(test: TestCode) -> list[str]:
    literals = [literal for each in test.assertions for literal in each.literals]
    return [re.sub(r"\d+", "0", literal.lstrip("rbfuRBFU").strip("\"'`")) for literal in literals]


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


def is_as_exact(test: TestCode, new: TestCode | None) -> bool:
    """Return whether a test that changed is as strict as before, and compares as many values as exactly."""
    if new is None or not test.touched or not _is_as_strict(test, new) or _loses_more(test.lines, new.lines):
        return False
    return _literals(test.lines).total() <= _literals(new.lines).total()


def loses_stated_cases(test: TestCode, new: TestCode | None, text: str) -> bool:
    """Return whether a test only lost values, each of which a paragraph of the spec has and says to be valid now."""
    if new is None or not test.touched or not new.can_fail or new.assertions == ():
        return False
    if Counter(each.skeleton for each in test.assertions) != Counter(each.skeleton for each in new.assertions):
        return False
    lost, gained = _literals(test.lines) - _literals(new.lines), _literals(new.lines) - _literals(test.lines)
    paragraphs = [each for each in re.split(r"\n\s*\n", text) if _IS_VALID_NOW.search(each)]
    return bool(lost) and not gained and all(_stands_in(value, paragraphs) for value in lost)


def _stands_in(value: str, paragraphs: Iterable[str]) -> bool:
    quoted = re.compile(rf"`[\"']?{re.escape(value)}[\"']?`|(?<![\w.]){re.escape(value)}(?![\w]|\.\w)")
    return any(quoted.search(each) for each in paragraphs)


def new_forms(test: TestCode, new: TestCode | None) -> Iterator[tuple[re.Pattern[str], str]]:
    """Yield how values with numbers are written now: `4:05` as `4 h 05 min`, for a test that rightly changed."""
    for was, now in _changed_values(test, new):
        numbers = re.findall(r"\d+", was)
        if numbers and numbers == re.findall(r"\d+", now) and len(re.sub(r"\d", "", was)) > 0:
            pattern = r"(\d+)".join(map(re.escape, re.split(r"\d+", was)))
            between = re.split(r"\d+", now)
            form = "".join(f"{text}\\g<{number}>" for number, text in enumerate(between[:-1], 1)) + between[-1]
            yield re.compile(rf"(?<!\d){pattern}(?!\d)"), form


def has_new_forms(test: TestCode, new: TestCode | None, forms: Sequence[tuple[re.Pattern[str], str]]) -> bool:
    """Return whether the values of a test changed only in how numbers are written, as in tests that rightly changed."""
    changed = list(_changed_values(test, new))
    return (
        new is not None
        and bool(changed)
        and _is_as_strict(test, new)
        and all(any(pattern.sub(form, was) == now for pattern, form in forms) for was, now in changed)
    )


def _changed_values(test: TestCode, new: TestCode | None) -> Iterator[tuple[str, str]]:
    """Yield the values of assertions that are otherwise the same, before and after; nothing if more changed."""
    before = [each for each in test.assertions if new is None or each.text not in {one.text for one in new.assertions}]
    after = [each for each in new.assertions if each.text not in {one.text for one in test.assertions}] if new else []
    if not test.touched or [each.skeleton for each in before] != [each.skeleton for each in after]:
        return
    for one, other in zip(before, after, strict=True):
        values = zip(one.literals, other.literals, strict=True)
        yield from ((was.strip("\"'`"), now.strip("\"'`")) for was, now in values if was != now)


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
