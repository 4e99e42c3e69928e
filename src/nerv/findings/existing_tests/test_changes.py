"""Tests that existed before the run: deleted, switched off, weakened, or rewritten to another value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.assertion_strength import EQUALITY
from nerv.findings.existing_tests.renamed_functions import renamed_functions
from nerv.findings.existing_tests.switched_off_tests import switched_off_tests
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import Assertion, TestCode, called_in, sides_of
from nerv.verification.test_names import is_named

_MOVED_SHARE = 0.6
"""A test of which this share of lines was added elsewhere was moved or renamed, not deleted."""
_FROM_CALL = re.compile(r"(?:\w+\s+)*(\w+)\s*(?::\s*\w+\s*)?:?=(?!=).*\w\s*\(")
_FROM_LITERAL = re.compile(
    r"(?:\w+\s+)*(\w+)\s*(?::\s*\w+\s*)?:?=\s*(?:-?\d[\w.]*|\"[^\"]*\"|'[^']*'|[\[{(].*[\]})]|True|False|None|true|false|null|nil);?"
)
"""Lines that give a variable what a call returns, or what is written there."""
_MOST_HOMES = 50
"""Limit of the tests that one line is looked for in; a line of more tests tells nothing."""


def changed_tests(run: ReviewedRun) -> list[Finding]:
    """Find what the run did to tests that were there before."""
    before = [test for file in run.files for test in file.old_tests]
    after = [test for file in run.files for test in file.new_tests]
    return [
        *_deleted_files(run),
        *_deleted(run, before, after),
        *switched_off_tests(run, before, after),
        *_altered(run, before, after),
    ]


def _deleted_files(run: ReviewedRun) -> Iterator[Finding]:
    """Find deleted test files in languages without a parser; others are looked at test by test."""
    for file in run.test_files:
        if (
            file.kind == "deleted"
            and file.old_tree is None
            and re.search(r"test|spec", file.path.rpartition("/")[2], re.I)
        ):
            lines = [line.strip() for line in file.removed_lines if line.strip()]
            moved = sum(line in run.added_lines for line in lines)
            if lines and moved < _MOVED_SHARE * len(lines):
                level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
                text = f"The test file {file.path} was deleted."
                yield finding("deleted_tests", level, text, where=file.location, lines=lines[:5])


def _deleted(run: ReviewedRun, before: list[TestCode], after: list[TestCode]) -> Iterator[Finding]:
    found_by_runners = [test for test in after if test.collected]
    kept = {test.name for test in after}
    collected = {test.name for test in found_by_runners}
    fresh = [test for test in found_by_runners if test.defined_here and test.can_fail and not test.skip]
    homes, collected_homes = _homes(after), _homes(found_by_runners)
    for test in before:
        hidden = test.collected and test.name in kept and test.name not in collected
        there = test.name in (collected if test.collected else kept)
        if not test.name or there or _was_moved(test, collected_homes if test.collected else homes):
            continue
        if not (test.defined_here or hidden):
            continue
        outcome = run.outcome_on_result(test.name)
        asked = run.asks_for_change_of(test.name) or run.spec_keeps_behaviour or run.is_disputed(test.name)
        if asked:
            level: FindingLevel = "note"
        elif outcome == "broken":
            level = "proven"
        else:
            replaced = _is_replaced(test, fresh) and not run.failed_before(test.name)
            level = "note" if outcome == "passed" or replaced else "likely"
        shown = "; it fails on the result" if outcome == "broken" else ""
        done = "is no longer found by its runner" if hidden else "was deleted"
        text = f"The test {test.name} of {test.path} {done}{shown}.{_without_need(run, test.name)}"
        if run.is_disputed(test.name):
            text += " Read in the spec whether it had to go."
        yield finding("deleted_tests", level, text, where=test.location, lines=test.lines[:6])


def _without_need(run: ReviewedRun, test: str) -> str:
    """Return what shows that nothing else that the run tests needs a test to fail; empty if nothing does."""
    known = () if run.verification is None else run.verification.restorable
    for each in known:
        if is_named(each.test, test):
            return f" It passes, and so do all tests of the run, once {each.path}:{each.line} is as it was."
    return ""


def _homes(after: list[TestCode]) -> dict[str, set[int]]:
    """Return, for each line of the tests that the run wrote, moved or renamed, the tests that contain it."""
    homes: dict[str, set[int]] = {}
    for index, test in enumerate(after):
        for line in test.lines if test.defined_here else ():
            homes.setdefault(line, set()).add(index)
    return homes


def _was_moved(test: TestCode, homes: dict[str, set[int]]) -> bool:
    """Return whether most of a test's lines stand in one test now: it was moved or renamed."""
    body = test.lines[1:] or test.lines
    shared = Counter(index for line in body for index in sorted(homes.get(line, ()))[:_MOST_HOMES])
    return any(number >= _MOVED_SHARE * len(body) for number in shared.values())


def _is_replaced(test: TestCode, fresh: list[TestCode]) -> bool:
    """Return whether new tests check the same values, or at least as much of the same names by more assertions."""
    values = {literal for each in test.assertions for literal in each.literals}
    about = {name for each in test.assertions for name in each.names}
    successors = [each for each in fresh if 2 * len(about & each.names) >= len(about)]
    if values:
        kept = {value for value in values if any(value in line for each in fresh for line in each.lines)}
        return 2 * len(kept) >= len(values)
    return sum(len(each.assertions) for each in successors) >= len(test.assertions) > 0


def _altered(run: ReviewedRun, before: list[TestCode], after: list[TestCode]) -> Iterator[Finding]:
    """Find tests that kept their name and lost assertions, or expect something else now."""
    everywhere = Counter(each.text for test in after for each in test.assertions)
    everywhere.subtract(each.text for test in before for each in test.assertions)
    by_key = {(test.path, test.name): test for test in after}
    names = Counter(test.name for test in after)
    by_name = {test.name: test for test in after if names[test.name] == 1}
    renamed = renamed_functions(run.files)
    for old in before:
        new = by_key.get((old.path, old.name)) or by_name.get(old.name)
        if new is None or (not old.touched and not new.touched) or new.skip:
            continue
        if _calls_nothing_now(old, new):
            yield _without_code(run, new)
            continue
        lost, gained = _difference(old.assertions, new.assertions)
        lost = [each for each in lost if everywhere[each.text] < 0]  # the others stand in another test now
        if not lost:
            continue
        rewritten = renamed.pairs(lost, gained)
        if len(rewritten) >= len(lost):
            yield from _rewritten(run, old, new, rewritten)
        elif _is_weaker(lost, gained):
            yield _weakened(run, old, new, lost, gained)
        elif rewritten:
            yield from _rewritten(run, old, new, rewritten)
        else:
            yield from _inverted(run, old, new, lost, gained)


_FAILS = re.compile(
    r"\b(?:raises|assertRaises\w*|toThrow\w*|assertThrows|throws|rejects|is_err|unwrap_err|should_panic)\b"
)
"""Words of an assertion that something fails."""
_PROPERTY = (
    r"(?:len|length|size|sorted|sort|set|Set|frozenset|sum|min|max|round|bool|int|Counter|lower|upper|casefold|strip|trim"
    r"|rstrip|lstrip|split|count|slice|at|keys|is_empty|first|last|toLowerCase|to_lowercase)"
)
"""Functions and methods that keep only a part of a value."""
_CALL = re.compile(r"[\w.]*\w \( [^()]+ \)")


def _inverted(
    run: ReviewedRun, old: TestCode, new: TestCode, lost: list[Assertion], gained: list[Assertion]
) -> Iterator[Finding]:
    """Find calls of which a test expected a value before, and expects that they fail now."""
    failing = [each for each in gained if _FAILS.search(each.text)]
    inside = " ".join(re.findall(r"\w+|[^\w\s]", "\n".join(new.lines)))
    was = [each for each in lost if not _FAILS.search(each.text) and each.literals and each.strength > 1]
    flipped = [
        each
        for each in was
        if any(" ".join(re.findall(r"\w+|[^\w\s]", call)) in inside for call in _CALL.findall(each.text))
    ]
    others = [each for each in gained if each not in failing and each.strength > 1]
    if not failing or not flipped or len(flipped) < len(lost) or others:
        return
    level: FindingLevel = "likely"
    if run.may_change(old.name):
        level = "note"
    elif any(run.spec_names(literal.strip("\"'`")) for each in flipped for literal in each.literals[:1]):
        level = "note"  # the spec speaks of this input
    text = f"In {old.path}, the test {old.name} expected a value before, and expects a failure now."
    lines = [*(f"- {each.shown}" for each in flipped), *(f"+ {each.shown}" for each in failing)]
    yield finding("rewritten_tests", level, text, where=new.location, lines=lines)


def _difference(old: tuple[Assertion, ...], new: tuple[Assertion, ...]) -> tuple[list[Assertion], list[Assertion]]:
    old_texts, new_texts = Counter(each.text for each in old), Counter(each.text for each in new)
    return [each for each in old if new_texts[each.text] == 0], [each for each in new if old_texts[each.text] == 0]


def _exact(assertion: Assertion) -> str:
    """Return an assertion without the tolerance that it allows: `== 5` of `== pytest.approx(5, abs=2)`."""
    return re.sub(r"(?:\w+ \. )?approx \( (.*?)(?: , (?:abs|rel) = [\w. -]+)* \)$", r"\1", assertion.text)


def _is_weaker(lost: list[Assertion], gained: list[Assertion]) -> bool:
    """Return whether what came is weaker than what went: one strict assertion may replace several."""
    strongest = max((each.strength for each in gained), default=0)
    if not gained or strongest < max(each.strength for each in lost) or _only_counts(lost, gained):
        return True
    return all(any(_looks_at_a_part(one, two) for one in lost) for two in gained)


_COUNT = r"(?:len \( [^&|]*\)|[\w. ()\[\]]*\. (?:length|len \( \)|size(?: \( \))?))"
_COUNTED = re.compile(rf"{_COUNT} (?:!=|!==) |.* (?:!=|!==) {_COUNT}$")
"""In Go, the condition of a failure: the length is another. Its strength is that of an equality."""
_PRESENT = re.compile(r".* ===? \"\"$")
_CONDITION = re.compile(
    r"(?!assert|expect|(?:self|t|this|assert) \. ).* (?:[!=]==?) |! (?:reflect|slices|maps|bytes) \. "
)


def _only_counts(lost: list[Assertion], gained: list[Assertion]) -> bool:
    """Return whether values were compared, and now there is only their length, or whether they are empty."""
    if any(_says_little(each) for each in lost):
        return False
    return any(each.strength == EQUALITY for each in lost) and all(map(_says_little, gained))


def _says_little(assertion: Assertion) -> bool:
    text = assertion.text
    if _CONDITION.match(text) is None:
        subject, expected = sides_of(text)
        return (
            bool(subject)
            and re.fullmatch(_COUNT, subject) is not None
            and re.match(r"[\d,. )]*$", expected) is not None
        )
    last = text.rpartition(" || ")[2]
    return (
        _COUNTED.fullmatch(last) is not None or _COUNTED.match(last) is not None or _PRESENT.fullmatch(last) is not None
    )


def _looks_at_a_part(old: Assertion, new: Assertion) -> bool:
    """Return whether an equality is now one of a part or a property of the same value: `len(f(3)) == 2`, `f(3)[0]`."""
    whole, part = sides_of(old.text)[0], sides_of(new.text)[0]
    if "(" not in whole or old.strength < EQUALITY:
        return False
    it = re.escape(whole)
    inside = rf"(?:(?:\w+ \. |new )?{_PROPERTY} \( {it}.*\)|\[ \.\.\. {it} \].*)"
    return re.fullmatch(rf"{inside}|{it} (?:\[.*\]|\. {_PROPERTY}(?: \(.*\))?.*)", part) is not None


def _weakened(
    run: ReviewedRun, old: TestCode, new: TestCode, lost: list[Assertion], gained: list[Assertion]
) -> Finding:
    outcome = run.outcome_on_result(old.name)
    tolerated = {_exact(each) for each in gained if _exact(each) != each.text}
    counts = bool(gained) and _only_counts(lost, gained) and not run.asks_for_change_of(old.name)
    if counts or any(each.text in tolerated for each in lost):  # nobody asks for that who asks for another value
        level: FindingLevel = "proven" if outcome == "broken" else "likely"
    elif run.asks_for_change_of(old.name) or run.is_disputed(old.name):
        level = "note"
    else:
        level = "proven" if outcome == "broken" else "note" if outcome == "passed" else "likely"
    name = f"the test {old.name}" if old.name else "a test"
    went = "assertion" if len(lost) == 1 else f"{len(lost)} assertions"
    what = f"weaker than the {went} before" if gained else f"without its {went}"
    if new.dead and not gained:
        what = f"so that its {went} cannot fail any more"
    text = f"In {old.path}, {name} was changed: it is {what}."
    if new.dead and not gained:
        text = f"In {old.path}, {name} was changed {what}."
    lines = [*(f"- {each.shown}" for each in lost), *(f"+ {each.shown}" for each in gained)]
    return finding("weakened_tests", level, text, where=new.location, lines=lines)


def _calls_nothing_now(old: TestCode, new: TestCode) -> bool:
    """Return whether a test calls nothing any more, and has a literal in the place of what a call gave it."""
    if not new.assertions or called_in(new):
        return False
    given = {match[1] for line in old.lines if (match := _FROM_CALL.match(line))}
    return any(match[1] in given for line in new.lines if (match := _FROM_LITERAL.fullmatch(line)))


def _without_code(run: ReviewedRun, test: TestCode) -> Finding:
    outcome = run.outcome_on_result(test.name)
    level: FindingLevel = "proven" if outcome == "broken" else "note" if outcome == "passed" else "likely"
    if run.asks_for_change_of(test.name) or run.is_disputed(test.name):
        level = "note"
    text = f"In {test.path}, the test {test.name} was changed: it calls nothing any more."
    return finding("weakened_tests", level, text, where=test.location, lines=test.lines)


def _rewritten(
    run: ReviewedRun, old: TestCode, new: TestCode, pairs: list[tuple[Assertion, Assertion]]
) -> Iterator[Finding]:
    values = [
        (was, now)
        for one, two in pairs
        for was, now in zip(one.literals, two.literals, strict=False)
        if was != now and not (one.text.startswith("panic !") and was.split() == now.split())
    ]
    if not values:
        return
    level = rewritten_level(run, old.name, values) if all(_is_same_case(*pair) for pair in pairs) else "note"
    name = f"the test {old.name}" if old.name else "a test"
    text = f"In {old.path}, {name} expects another value now: {values[0][0][:60]} became {values[0][1][:60]}."
    if run.is_disputed(old.name):
        text += " Read in the spec whether it had to change."
    lines = [line for one, two in pairs for line in (f"- {one.shown}", f"+ {two.shown}")]
    yield finding("rewritten_tests", level, text, where=new.location, lines=lines)


def _is_same_case(one: Assertion, two: Assertion) -> bool:
    """Return whether an assertion still has some of its values: one with all others is another test."""
    same = [was == now for was, now in zip(one.literals, two.literals, strict=False)]
    return same.count(False) <= 1 or same[0] or same[-1]


def rewritten_level(run: ReviewedRun, name: str, values: list[tuple[str, str]]) -> FindingLevel:
    """Return how suspicious new expected values are: not if the spec has them, or the base's test passes.

    That a test no longer builds is no reason to expect another value.
    """
    if run.may_change(name) and not run.only_fails_to_build(name):
        return "note"
    unasked = [pair for pair in values if not run.spec_names(pair[1].strip("\"'`")) and not _is_new_wording(run, *pair)]
    return "likely" if unasked else "note"


def _is_new_wording(run: ReviewedRun, was: str, now: str) -> bool:
    """Return whether a text has words that the run wrote into the code as well: the message itself was changed."""
    if not (was[:1] in "\"'`" and now[:1] in "\"'`"):
        return False
    fresh = set(re.findall(r"[A-Za-z]{4,}", now)) - set(re.findall(r"[A-Za-z]{4,}", was))
    return bool(fresh & run.new_words)
