"""New tests without an assertion that could fail, by their code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode

_DISCARDS = re.compile(r"_(?:, _)* :?= |let _ = |print\(|println!|console\.log|t\.Log|fmt\.Print|System\.out")

_EXAMPLE = re.compile(r"^(?P<head>func (?P<name>Example\w*)\(\) \{)\n(?P<body>.*?)^\}", re.M | re.S)
_OUTPUT = re.compile(r"//\s*(?:unordered )?output:", re.I)


def empty_tests(run: ReviewedRun) -> list[Finding]:
    """Find new tests that assert nothing, or only what always holds, and examples that are not run."""
    return [*_assert_nothing(run), *_examples_without_output(run)]


def _assert_nothing(run: ReviewedRun) -> Iterator[Finding]:
    fresh = [test for file in run.files for test in file.new_tests if test.name and test.defined_here]
    before = {test.name: test for file in run.files for test in file.old_tests}
    fresh = [test for test in fresh if test.name not in before or _checks(test) != _checks(before[test.name])]
    hollow = [test for test in fresh if _is_hollow(test)]
    bare = [
        test for test in fresh if not test.assertions and not test.dead and not test.can_fail and test not in hollow
    ]
    for test in hollow:
        text = f"The new test {test.name} in {test.path} cannot fail: it compares constants, or a value with itself."
        shown = test.dead or test.assertions
        yield finding("tests_assert_nothing", "likely", text, where=test.location, lines=[each.shown for each in shown])
    for test in bare:
        alone = len(bare) == len(fresh) and (len(bare) > 1 or _runs_nothing(test, run) or _discards(test))
        text = f"The new test {test.name} in {test.path} asserts nothing."
        level: FindingLevel = "likely" if alone else "note"
        yield finding("tests_assert_nothing", level, text, where=test.location, lines=test.lines[:6])


def _examples_without_output(run: ReviewedRun) -> Iterator[Finding]:
    """Find Go's examples that have no comment with their output: `go test` compiles them, and runs none."""
    tested = any(test.name and test.defined_here for file in run.files for test in file.new_tests)
    for file in run.files:
        if file.new is None or not file.path.endswith("_test.go"):
            continue
        added = {line for line, _ in file.added_lines}
        for match in _EXAMPLE.finditer(file.new.text):
            if match["head"] in added and _OUTPUT.search(match["body"]) is None:
                text = f"The example {match['name']} in {file.path} has no output to compare, so it is never run."
                level: FindingLevel = "note" if tested else "likely"
                lines = match[0].split("\n")[:6]
                yield finding("tests_assert_nothing", level, text, where=file.location, lines=lines)


def _checks(test: TestCode) -> set[str]:
    """Return what a test asserts; of one that was there before, and asserts the same, nothing is new."""
    return {each.text for each in (*test.assertions, *test.dead)}


def _is_hollow(test: TestCode) -> bool:
    """Return whether a test has assertions, and none that could fail."""
    if test.skip:
        return False
    if test.assertions:
        return all(each.strength == 0 for each in test.assertions)
    return bool(test.dead)


def _discards(test: TestCode) -> bool:
    """Return whether a test drops or prints what it gets."""
    return any(_DISCARDS.match(line) for line in test.lines)


def _runs_nothing(test: TestCode, run: ReviewedRun) -> bool:
    """Return whether a test mentions nothing that the run's code defines."""
    return not test.names & {definition.name for definition in run.inspection.definitions}
