"""Tests that existed before the run and are switched off now: by a mark, a skip, a set-up or a condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reachability import is_unconditional_skip
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode, skips_added
from nerv.inspection.languages import name_of, row, text_of, walk
from nerv.inspection.test_functions import PYTHON_SKIP
from nerv.inspection.values import ParsedFile
from nerv.location import Location

if TYPE_CHECKING:
    from tree_sitter import Node

_GROUP_OFF = re.compile(
    r"(?:describe|suite|context)(?:\.(?:skip|todo)\b|\(.*\{\s*(?:todo|skip)\s*:\s*(?:true\b|[\"'`]))|^xdescribe\b"
    r"|(?:it|test|describe|suite)\.only\b|^f(?:it|describe)\b"
)
_MODULE_OFF = re.compile(
    rf"^\s*__test__\s*=\s*False|^\s*pytestmark\s*=.*\bmark\.{PYTHON_SKIP}"
    rf"|^\s*@(?:\w+\.)*(?:{PYTHON_SKIP}|Disabled\b|Ignore\b)"
    r"|^\s*pytest\.skip\(.*allow_module_level|^(?:\w+\s*=\s*)?pytest\.importorskip\(|^\s*return\s+(?:unittest\.)?TestSuite\(\)"
)
_TAKEN_BACK = re.compile(r"^(?:del\s+(\w+)|(\w+)\s*=\s*None|(\w+)(?:\.\w+)*\.__test__\s*=\s*False)\b")
"""Lines after a Python test that take it away from its runner."""
_MARKS = frozenset({"decorator", "annotation", "marker_annotation"})
_ONE_OFF = re.compile(
    r"^(?:it|test)\.(?:skip|todo|fails|failing)\(|^(?:it|test)\(.*\{\s*(?:todo|skip)\s*:\s*(?:true\b|[\"'`])"
    r"|^x(?:it|test)\(|^t\.Skip(?:Now|f)?\(|^#\[ignore\b|^@(?:Disabled|Ignore)\b"
)
"""Marks of one test, for a fragment in which a parser does not find the test."""
_SET_UP = re.compile(r"(?:async)?[sS]etUp(?:Class|Module)?|setup(?:_method|_class|_module|_function)?")
_SET_UP_CALL = re.compile(r"(?:\w+\.)?(?:before|beforeEach|beforeAll|setup|suiteSetup)")
_MAY_BE_OFF = re.compile(r"\b(?:skip|ignor|disabl|xfail|quarantin|mut(?:e|ing)|switch(?:ed)? (?:it |them )?off)", re.I)
_PANICS = re.compile(r"#\[should_panic\b")


def switched_off_tests(run: ReviewedRun, before: list[TestCode], after: list[TestCode]) -> list[Finding]:
    """Find tests that were there before and that a mark, a skip or a condition switches off now."""
    return [
        *_switched_off(run, before, after),
        *_switched_off_together(run),
        *_skipped_in_set_up(run),
        *_expected_to_panic(run, before, after),
    ]


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
        may_be_off = _MAY_BE_OFF.search(run.spec_text) is not None
        asked = run.asks_for_change_of(test.name) or (may_be_off and run.spec_names(test.name))
        if existed and not asked:
            # what the spec outdates is to be changed rather than switched off
            outdated = run.outdated.includes(test.name) and not may_be_off
            harmless = outcome == "passed" and not outdated
            level = "proven" if outcome == "broken" else "note" if harmless else "likely"
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
            loose = _ONE_OFF.search(stripped) is not None and _is_loose(file, location)
            off = loose or _MODULE_OFF.search(line) or _GROUP_OFF.search(stripped) or _takes_back(file, line)
            if stripped in gone or not off:
                continue
            if stripped.startswith("@") and not loose and not _decorates_class(file.new_tree, location.line):
                continue
            if loose and any(test.skip and test.touched for test in file.new_tests):
                continue  # found with the test itself
            level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
            text = f"Existing tests in {file.path} were switched off."
            yield finding("skipped_tests", level, text, where=location, lines=[line])


def _is_loose(file: ChangedFile, location: Location) -> bool:
    """Return whether a line is in a fragment, and not in a branch that an `if` just before it begins."""
    if file.new is None or file.new.whole or location.line not in file.new.lines:
        return False
    before = file.new.text.split("\n")[: file.new.lines.index(location.line)]
    return not before or re.match(r"\s*(?:\}\s*else\s+)?if\b.*[{:]\s*$", before[-1]) is None


def _takes_back(file: ChangedFile, line: str) -> bool:
    """Return whether a line takes an existing test or class of tests away from its runner."""
    match = _TAKEN_BACK.match(line)
    return match is not None and (match[1] or match[2] or match[3]) in _names_of_tests(file)


def _names_of_tests(file: ChangedFile) -> set[str]:
    """Return the names of a file's old tests, and of the classes that have some."""
    tree = file.old_tree
    rows = [test.location.line - 1 for test in file.old_tests if test.location.line is not None]
    classes = [node for node in tree.nodes if node.type in tree.language.types] if tree is not None else []
    with_tests = {name_of(node) for node in classes if any(row(node) < each <= node.end_point[0] for each in rows)}
    return {test.name for test in file.old_tests} | with_tests


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


def _skipped_in_set_up(run: ReviewedRun) -> Iterator[Finding]:
    """Find set-ups that skip each test of a file that was there before."""
    for file in run.test_files:
        tree = file.new_tree
        if file.kind == "added" or tree is None:
            continue
        for function in tree.nodes:
            body = function.child_by_field_name("body") if function.type in tree.language.functions else None
            if body is None or not _sets_up(function):
                continue
            skip = next((each for each in walk(body) if tree.own(each) and is_unconditional_skip(each, body)), None)
            if skip is None:
                continue
            level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
            text = f"In {file.path}, what sets up the tests skips them."
            lines = text_of(function).split("\n")[:4]
            yield finding("skipped_tests", level, text, where=tree.at(skip), lines=lines)


def _sets_up(function: Node) -> bool:
    """Return whether a function runs before each test, or before all of them."""
    around = function.parent
    if (
        around is not None
        and around.type == "decorated_definition"
        and re.search(r"autouse\s*=\s*True", text_of(around))
    ):
        return True
    if any(child.type == "modifiers" and re.search(r"@Before", text_of(child)) for child in function.children):
        return True
    if around is not None and around.type == "arguments" and around.parent is not None:
        return _SET_UP_CALL.fullmatch(text_of(around.parent.child_by_field_name("function"))) is not None
    return _SET_UP.fullmatch(name_of(function)) is not None


def _expected_to_panic(run: ReviewedRun, before: list[TestCode], after: list[TestCode]) -> Iterator[Finding]:
    """Find Rust tests that had to pass, and now have to panic."""
    known = {(test.path, test.name): test for test in before}
    for test in after:
        earlier = known.get((test.path, test.name))
        mark = next((line for line in test.lines if _PANICS.match(line)), None)
        if mark is None or earlier is None or any(map(_PANICS.match, earlier.lines)):
            continue
        outcome = run.outcome_on_result(test.name)
        level: FindingLevel = "note"
        if not run.asks_for_change_of(test.name) and not run.is_disputed(test.name):
            level = "proven" if outcome == "broken" else "note" if outcome == "passed" else "likely"
        text = f"In {test.path}, the test {test.name} has to panic now, and had to pass before."
        yield finding("rewritten_tests", level, text, where=test.location, lines=test.lines[:6])
