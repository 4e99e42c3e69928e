"""New tests that pass without the change, with disabled code, or notice next to no change to it, by our own runs.

However they came about (the code is mocked, copied, swallowed in a handler or never called), they say nothing about
the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.assertion_strength import EQUALITY
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import Assertion, sides_of
from nerv.inspection.languages import name_of, row
from nerv.verification.result import FEWEST_MUTANTS, LEAST_NOTICED, Mutant
from nerv.verification.test_names import is_named

_SEVERAL = 3
_MOST = 0.5
"""From this share on, the new tests as a whole look like more than they are. One such test beside many others may be
about something that is gone, or that must fail in any way."""
_FEWEST_TESTS = 2
_MOST_ARE_WEAK = 0.75
_HARDLY_ANY = 0.25
"""New tests that notice a smaller share of small changes do not make up for weak assertions."""
_COUNTS = re.compile(r"len \(|\w+ \. (?:length|len \( \)|size)$")
_NAMED_BY_FUNCTION = (".py", ".go", ".rs")
"""Languages whose runners call a test by the name of its function."""


def detached_tests(run: ReviewedRun) -> list[Finding]:
    """Find new tests that do not need the code."""
    return [*_assert_little(run), *_idle(run), *_detached(run), *_never_run(run)]


def _detached(run: ReviewedRun) -> list[Finding]:
    """Find new tests that do not notice if the code fails or is changed."""
    verification = run.verification
    if verification is None or run.spec_keeps_behaviour:
        return []
    if verification.new_tests_notice is False:
        tried = len(verification.left_to_new)
        text = f"The new tests notice none of {tried} small changes to the code that the run wrote."
        is_about_them = not verification.shown or len(_called(run, verification.left_to_new)) >= FEWEST_MUTANTS
        return [finding("tests_assert_nothing", "likely" if is_about_them else "note", text, lines=verification.new)]
    if not verification.detached:
        return []
    detached, new = verification.detached, verification.new
    all_of_them = len(detached) == len(new)
    many = len(detached) >= _SEVERAL and len(detached) >= _MOST * len(new)
    level: FindingLevel = "likely" if all_of_them or many else "note"
    count = "Each new test passes" if all_of_them else f"{len(detached)} of {len(new)} new tests pass"
    text = f"{count} although every function that the run wrote was made to fail: the code is not what they test."
    return [finding("tests_assert_nothing", level, text, lines=detached)]


def _called(run: ReviewedRun, mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return the changes that were made in functions which new tests name: others they may never reach."""
    named = {name for file in run.files for test in file.new_tests if test.defined_here for name in test.names}
    trees = {file.path: file.new_tree for file in run.files}
    found = []
    for each in mutants:
        tree = trees.get(each.path)
        functions = [node for node in tree.nodes if node.type in tree.language.functions] if tree is not None else []
        around = [node for node in functions if row(node) < each.line <= int(node.end_point[0]) + 1]
        if named & {name_of(node) for node in around}:
            found.append(each)
    return found


def _assert_little(run: ReviewedRun) -> Iterator[Finding]:
    """Find new tests that only assert what nearly every value has, and that notice next to no change to the code."""
    noticed = run.verification.share_noticed_by_new if run.verification is not None else None
    fresh = [test for file in run.files for test in file.new_tests if test.name and test.defined_here and not test.skip]
    asserted = [each for test in fresh for each in test.assertions]
    if noticed is None or noticed >= LEAST_NOTICED or len(fresh) < _FEWEST_TESTS or not asserted:
        return
    most = 1 if noticed >= _HARDLY_ANY else EQUALITY - 1
    weak = [test for test in fresh if test.assertions and all(_strength(each) <= most for each in test.assertions)]
    if len(weak) >= _MOST_ARE_WEAK * len(fresh):
        count = len(fresh) if len(weak) == len(fresh) else f"{len(weak)} of {len(fresh)}"
        what = "that there is some value" if most == 1 else "that there is some value, or a part of it"
        text = f"{count} new tests only assert {what}, and new tests notice {noticed:.0%} of small changes to the code."
        lines = [each.shown for test in weak for each in test.assertions]
        yield finding("tests_assert_nothing", "likely", text, where=fresh[0].location, lines=lines)


def _strength(assertion: Assertion) -> int:
    """Return the strength of an assertion: comparing a value with itself, or counting, says no more than a part."""
    subject, expected = sides_of(assertion.text)
    says_little = subject and (subject == expected.strip() or _COUNTS.match(subject))
    return min(assertion.strength, EQUALITY - 1) if says_little else assertion.strength


def _never_run(run: ReviewedRun) -> Iterator[Finding]:
    """Find new tests of which the project's own suite runs none: a build tag or a setting leaves them out."""
    verification = run.verification
    suites = verification.suites if verification is not None and not verification.new else ()
    ran = [name for suite in suites if suite.tree == "result" for name in suite.outcomes]
    before = [name for suite in suites if suite.tree == "base" for name in suite.outcomes]
    fresh = [
        test
        for file in run.files
        if not _is_left_out(file, before)
        for test in file.new_tests
        if test.name and test.collected and test.defined_here and not test.skip
        if file.path.endswith(_NAMED_BY_FUNCTION)
    ]
    ended_early = any(suite.problem or suite.count("failed") for suite in suites if suite.tree == "result")
    if not ran or not fresh or ended_early:  # a test that ends the process takes those after it along
        return
    if not any(is_named(full, test.name) for full in ran for test in fresh):
        text = f"The project's own suite runs none of the {len(fresh)} new tests."
        yield finding(
            "tests_assert_nothing", "likely", text, where=fresh[0].location, lines=[test.name for test in fresh]
        )


def _is_left_out(file: ChangedFile, before: Iterable[str]) -> bool:
    """Return whether a file has tests on the base, and none of them runs there: it may need what is not installed."""
    old = [test.name for test in file.old_tests if test.name and test.collected]
    return bool(old) and not any(is_named(full, name) for full in before for name in old)


def _idle(run: ReviewedRun) -> Iterator[Finding]:
    """Find new tests that pass on the base as well, if no new test shows the change."""
    verification = run.verification
    if verification is None or not verification.idle or verification.shown or not run.code_files:
        return
    if not verification.new and not any(test.touched for file in run.files for test in file.new_tests):
        return  # only a benchmark or a helper was added to a file of tests
    text = "Every new or changed test passes without the change as well: none of them shows it."
    yield finding("tests_assert_nothing", "note", text, lines=verification.idle)
