"""Tests that replace a step of the code: by the result that they then expect, or by a function of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding
from nerv.findings.assertion_strength import EQUALITY
from nerv.findings.changed_files import ChangedFile
from nerv.findings.new_tests.replaced_subjects import ABOUT_CALLS, replaced_names
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode, sides_of
from nerv.findings.unfinished.ignored_input import parameters_of
from nerv.inspection.languages import name_of, text_of

_GIVEN = re.compile(
    r"(?:return_value\s*=|side_effect\s*=|lambda[^:]*:|=>|mock(?:Return|Resolved)Value(?:Once)?\(|\.returns\()"
    r"\s*(?P<value>.+)"
)
"""What a mock gives, to the end of the line."""
_HELD = re.compile(r"\s*(?:var |let |const |export )*(?P<variable>\w+)\s*=\s*(?:\w+\.)*(?P<step>\w+);?\s*$")
_EXCHANGES = re.compile(r"\s*(?:\w+\.)*(?P<variable>\w+)\s*=\s*(?:func\s*\(|lambda\b|function\b|\(?[\w, ]*\)?\s*=>)")
"""A step in a variable (`bucketOf = bucket`), and a function that takes its place."""
_COMPUTES = re.compile(r"(?:lambda\s+\w+[^:]*:|\(?\w+(?:,[^)]*)?\)?\s*=>)(?P<body>.*[?+*/<>%-].*)")
"""A function with parameters that works something out."""
_LONGEST = 500
"""Letters of a line that somebody wrote."""
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'|(?<![\w.])-?\d[\d._]*")
_TELLING = 3
"""Letters of a value that a test does not expect by chance."""
_SURROUNDINGS = re.compile(
    r"\b(?:time|datetime|date|clock|now|today|random|secrets|uuid\w*|os|sys|socket|requests|urllib|urlopen|http\w*|fetch"
    r"|open|subprocess|input|environ|getenv|Path|fs|process|sqlite3|cursor|connect\w*|sleep|read_text|Date|performance)\b"
)
"""Names of what tests have to replace: clocks, files, connections, chance."""


def replaced_steps(run: ReviewedRun) -> list[Finding]:
    """Find tests of a whole whose decisive part, written by the run, is a mock with the right answer."""
    steps = _steps(run)
    return [*_found(run, steps), *_exchanged(run, steps)]


def _found(run: ReviewedRun, steps: set[str]) -> Iterator[Finding]:
    tests = [
        (file, test) for file in run.files if file.is_test for test in file.new_tests if test.name and test.touched
    ]
    for file, test in tests if steps else ():
        for name, line in replaced_names("\n".join(test.lines)):
            if name in steps and _expects_what_it_gave(test, line):
                text = f"In {file.path}, the test {test.name} replaces {name} by the result that it then expects."
                lines = [line, *(each.shown for each in test.assertions)]
                yield finding("mocked_subject", "likely", text, where=test.location, lines=lines)
                break
    for file in run.files if steps else ():
        if file.is_test and any(each.strength == EQUALITY for test in file.new_tests for each in test.assertions):
            yield from _in_set_up(file, steps)


def _exchanged(run: ReviewedRun, steps: set[str]) -> Iterator[Finding]:
    """Find steps that the run keeps in variables so that its tests can exchange them for functions of their own."""
    lines = [line for file in run.code_files for line, _ in file.added_lines if not file.is_test]
    held = {
        match["variable"]: match["step"] for line in lines if (match := _HELD.match(line)) and match["step"] in steps
    }
    for file in run.files if held else ():
        for line, location in file.added_lines if file.is_test else ():
            match = _EXCHANGES.match(line)
            if match is not None and match["variable"] in held:
                step = held[match["variable"]]
                text = f"{file.path} exchanges {step}, which the run wrote, for a function of its own for its tests."
                yield finding("mocked_subject", "likely", text, where=location, lines=[line])
                return


def _in_set_up(file: ChangedFile, steps: set[str]) -> Iterator[Finding]:
    """Find set-ups of tests that put a function or results of their own in the place of a step: these decide."""
    inside = {line for test in file.new_tests for line in test.lines}
    for line, location in file.added_lines:
        if line.strip() in inside or len(line) > _LONGEST:
            continue
        computes = _COMPUTES.search(line) is not None
        given = _GIVEN.search(line)
        expecting = [test for test in file.new_tests if given is not None and _expects_what_it_gave(test, line)]
        if not computes and not expecting:
            continue
        name = next((name for name, _ in replaced_names(line) if name in steps), "")
        if name:
            what = "a function of its own for its tests" if computes else "the results that its tests then expect"
            text = f"{file.path} replaces {name}, which the run wrote, by {what}."
            lines = [line, *(each.shown for test in expecting for each in test.assertions)]
            yield finding("mocked_subject", "likely", text, where=location, lines=lines)
            return


def _steps(run: ReviewedRun) -> set[str]:
    """Return the functions that the run wrote and that work something out from nothing but what they are given."""
    found = set()
    for tree in (file.new_tree for file in run.code_files if file.new_tree is not None):
        for node in tree.nodes:
            if node.type not in tree.language.functions or not tree.own(node):
                continue
            if name_of(node) and parameters_of(node) and _SURROUNDINGS.search(text_of(node)) is None:
                found.add(name_of(node))
    return found


def _expects_what_it_gave(test: TestCode, line: str) -> bool:
    """Return whether an assertion expects nothing but values that the test has put in place of a function's result."""
    given = _GIVEN.search(line)
    if given is None:
        return False
    names = set(re.findall(r"[A-Za-z_]\w*", given["value"]))
    held = [
        each
        for each in test.lines
        if (match := re.match(r"(?:const |let |var )?(\w+)\s*:?=\s", each)) and match[1] in names
    ]
    values = set(_VALUE.findall(" ".join((given["value"], *held))))
    for each in test.assertions:
        if ABOUT_CALLS.search(each.text) is None:
            expected = set(_VALUE.findall(sides_of(each.shown)[1]))
            telling = {value for value in values if len(value.strip("\"'")) >= _TELLING}
            if (expected and expected <= values) or (telling and telling <= expected) or names & each.names:
                return True
    return False
