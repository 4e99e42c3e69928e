"""Tests that existed before the run: deleted, switched off, weakened, or rewritten to another value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import EQUALITY, Assertion, TestCode, sides_of, skips_added
from nerv.inspection.test_functions import PYTHON_SKIP
from nerv.inspection.values import ParsedFile
from nerv.location import Location
from nerv.matching.test_names import is_named

_MOVED_SHARE = 0.6
"""A test of which this share of lines was added elsewhere was moved or renamed, not deleted."""
_MOST_HOMES = 50
"""Limit of the tests that one line is looked for in; a line of more tests tells nothing."""
_GROUP_OFF = re.compile(
    r"(?:describe|suite|context)(?:\.(?:skip|todo)\b|\(.*\{\s*(?:todo|skip)\s*:\s*(?:true\b|[\"'`]))|^xdescribe\b|(?:it|test|describe|suite)\.only\b|^f(?:it|describe)\b"
)
_MODULE_OFF = re.compile(
    rf"^\s*__test__\s*=\s*False|^\s*pytestmark\s*=.*\bmark\.{PYTHON_SKIP}|^\s*@(?:\w+\.)*(?:{PYTHON_SKIP}|Disabled\b|Ignore\b)"
    r"|^\s*//\s*(?:go:build|\+build)\s+(?!linux|darwin|windows|unix|!|cgo|go1)\w"
    r"|^\s*#!?\[cfg\((?:any\(\)|FALSE|not\(test\))\)\]|^\s*pytest\.skip\(.*allow_module_level"
    r"|^(?:\w+\s*=\s*)?pytest\.importorskip\("
)
_MARKS = frozenset({"decorator", "annotation", "marker_annotation"})
_COMPILED_OUT = re.compile(r"^\s*#\[cfg\((?!test\b)")
_MOST_MARKS = 3
"""Attributes before a test."""
_ONE_OFF = re.compile(
    r"^(?:it|test)\.(?:skip|todo|fails|failing)\(|^(?:it|test)\(.*\{\s*(?:todo|skip)\s*:\s*(?:true\b|[\"'`])"
    r"|^x(?:it|test)\(|^t\.Skip(?:Now|f)?\(|^#\[ignore\b|^@(?:Disabled|Ignore)\b"
)
"""Marks of one test, for a fragment in which a parser does not find the test."""


def changed_tests(run: ReviewedRun) -> list[Finding]:
    """Find what the run did to tests that were there before."""
    before = [test for file in run.files for test in file.old_tests]
    after = [test for file in run.files for test in file.new_tests]
    return [
        *_deleted_files(run),
        *_deleted(run, before, after),
        *_switched_off(run, before, after),
        *_switched_off_together(run),
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


def _switched_off(run: ReviewedRun, before: list[TestCode], after: list[TestCode]) -> Iterator[Finding]:
    known = {test.name: test for test in before}
    for test in after:
        if not test.skip and test.touched:
            yield from _switched_off_if(run, test, known.get(test.name))
        if not test.skip or not test.touched:
            continue
        earlier = known.get(test.name)
        if earlier is not None and earlier.skip:
            continue
        existed = earlier is not None or not test.defined_here
        outcome = run.outcome_on_result(test.name)
        level: FindingLevel = "note"
        if existed and not run.asks_for_change_of(test.name):
            level = "proven" if outcome == "broken" else "note" if outcome == "passed" else "likely"
        which = "existing" if existed else "new"
        text = f"The {which} test {test.name} was switched off with {test.skip.strip()[:60]}."
        yield finding("skipped_tests", level, text, where=test.location, lines=test.lines[:6])


def _switched_off_if(run: ReviewedRun, test: TestCode, earlier: TestCode | None) -> Iterator[Finding]:
    """Find a condition under which an existing test is skipped now, if it failed in this run before."""
    if earlier is None or not test.name or not run.failed_before(test.name):
        return
    added = skips_added(earlier, test)
    if added and run.outcome_on_result(test.name) != "passed":
        text = f"The test {test.name}, which failed before, is skipped under a condition now."
        yield finding("skipped_tests", "likely", text, where=test.location, lines=added)


def _switched_off_together(run: ReviewedRun) -> Iterator[Finding]:
    """Find marks that switch off a class, a group or a file, or everything but one test; in a fragment, also one."""
    for file in run.files:
        if file.kind == "added" or not (file.is_test or file.path.endswith(".rs")):
            continue
        gone = {line.strip() for line in file.removed_lines}
        for line, location in file.added_lines:
            stripped = line.strip()
            loose = file.new is not None and not file.new.whole and _ONE_OFF.search(stripped) is not None
            off = (
                loose or _MODULE_OFF.search(line) or _GROUP_OFF.search(stripped) or _compiles_out(file, line, location)
            )
            if stripped in gone or not off:
                continue
            if stripped.startswith("@") and not loose and not _decorates_class(file.new_tree, location.line):
                continue
            if loose and any(test.skip and test.touched for test in file.new_tests):
                continue  # found with the test itself
            level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
            text = f"Existing tests in {file.path} were switched off."
            yield finding("skipped_tests", level, text, where=location, lines=[line])


def _compiles_out(file: ChangedFile, line: str, location: Location) -> bool:
    """Return whether a condition of Rust's compiler stands before a test that was there without it."""
    if location.line is None or not _COMPILED_OUT.search(line):
        return False
    known = {test.name for test in file.old_tests}
    return any(
        test.name in known and test.location.line is not None and 0 < test.location.line - location.line <= _MOST_MARKS
        for test in file.new_tests
    )


def _decorates_class(tree: ParsedFile | None, line: int | None) -> bool:
    """Return whether a mark on this line belongs to a class; those of tests are looked at with the test."""
    if tree is None or line is None:
        return False
    for node in tree.nodes:
        if node.type in _MARKS and tree.at(node).line == line and node.parent is not None:
            around = node.parent.parent if node.parent.type == "modifiers" else node.parent
            return around is not None and any(
                each.type in ("class_definition", "class_declaration") for each in (around, *around.children)
            )
    return False


def _altered(run: ReviewedRun, before: list[TestCode], after: list[TestCode]) -> Iterator[Finding]:
    """Find tests that kept their name and lost assertions, or expect something else now."""
    everywhere = Counter(each.text for test in after for each in test.assertions)
    everywhere.subtract(each.text for test in before for each in test.assertions)
    by_key = {(test.path, test.name): test for test in after}
    names = Counter(test.name for test in after)
    by_name = {test.name: test for test in after if names[test.name] == 1}
    for old in before:
        new = by_key.get((old.path, old.name)) or by_name.get(old.name)
        if new is None or (not old.touched and not new.touched) or new.skip:
            continue
        lost, gained = _difference(old.assertions, new.assertions)
        lost = [each for each in lost if everywhere[each.text] < 0]  # the others stand in another test now
        if not lost:
            continue
        rewritten = [(one, two) for one in lost for two in gained if one.skeleton == two.skeleton]
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
    if not gained or strongest < max(each.strength for each in lost):
        return True
    return all(any(_looks_at_a_part(one, two) for one in lost) for two in gained)


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
    if any(each.text in tolerated for each in lost):  # nobody asks for that who asks for another value
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
    """Return how suspicious new expected values are: not if the spec has them, or the base's test passes."""
    if run.may_change(name):
        return "note"
    unasked = [pair for pair in values if not run.spec_names(pair[1].strip("\"'`")) and not _is_new_wording(run, *pair)]
    return "likely" if unasked else "note"


def _is_new_wording(run: ReviewedRun, was: str, now: str) -> bool:
    """Return whether a text has words that the run wrote into the code as well: the message itself was changed."""
    if not (was[:1] in "\"'`" and now[:1] in "\"'`"):
        return False
    fresh = set(re.findall(r"[A-Za-z]{4,}", now)) - set(re.findall(r"[A-Za-z]{4,}", was))
    return bool(fresh & run.new_words)
