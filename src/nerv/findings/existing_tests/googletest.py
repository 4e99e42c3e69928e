"""C++ tests that existed before and are switched off now. There is no parser for C++: this reads lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.location import Location

_CODE = re.compile(r"\.(?:c|cc|cpp|cxx|h|hh|hpp)$")
_TEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(?P<suite>\w+)\s*,\s*(?P<name>\w+)\s*\)")
_CASE = re.compile(r'^\s*(?:TEST_CASE|SCENARIO)\s*\(\s*(?P<name>"[^"]*")(?P<rest>.*)')
_CASE_OFF = re.compile(r'"\s*\[(?:\.|!mayfail|!shouldfail)|\[(?:\.|!mayfail|!shouldfail)|doctest::(?:skip|may_fail)\(')
_OFF = "DISABLED_"
_SKIP = re.compile(r"^\s*(?:GTEST_SKIP\s*\(\s*\)|SKIP\s*\()")
_FILTER = re.compile(r"GTEST_FLAG(?:_SET)?\s*\(\s*filter\b|\bflags?::filter\b|FLAGS_gtest_filter\s*=")
_RUN_ALL = re.compile(r"\bRUN_ALL_TESTS\s*\(\s*\)")
_NEVER = re.compile(r"^\s*#\s*if\s+(?:0|false)\b")
_MARKS = re.compile(r"DISABLED_|SKIP|filter|RUN_ALL|^\s*#\s*if|TEST_CASE|SCENARIO")
_MOST_MARKS = 200
_BRANCH = re.compile(r"\s*(?:\}\s*else\s*)?if\b")


def disabled_googletests(run: ReviewedRun) -> list[Finding]:
    """Find tests of GoogleTest, Catch2 and doctest that a run switched off."""
    return [
        found
        for file in run.files
        if file.kind != "added" and file.new is not None and _CODE.search(file.path)
        for found in _switched_off(run, file)
    ]


def _switched_off(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    before = {name for line in file.removed_lines if (name := _test_name(line))}
    text = file.new.text.split("\n") if file.new is not None else []
    rows = {number: index for index, number in enumerate(file.new.lines)} if file.new is not None else {}
    own = {location.line for _, location in file.added_lines}
    marks = (pair for pair in file.added_lines if _MARKS.search(pair[0]))
    for line, location in islice(marks, _MOST_MARKS):
        row = rows.get(location.line or 0, 0)
        test = _test_name(line)
        if test and _is_off(line) and test in before:
            yield _finding(run, f"The existing test {test} in {file.path} was switched off.", location, line)
        elif (
            _SKIP.match(line) and not _BRANCH.match(text[row - 1] if row else "") and _in_old_test(text, row, rows, own)
        ):
            yield _finding(run, f"An existing test in {file.path} skips itself now.", location, line)
        elif _NEVER.match(line) and _hides_a_test(text[row + 1 :], file, row, own):
            yield _finding(run, f"Existing tests in {file.path} are not compiled any more.", location, line)
        elif _FILTER.search(line):
            yield _finding(run, f"{file.path} leaves tests out.", location, line, kind="tests_cannot_fail")
        elif _drops_result(line) and any(re.search(r"return\s+RUN_ALL", each) for each in file.removed_lines):
            told = f"{file.path} ends with success whatever its tests say."
            yield _finding(run, told, location, line, kind="tests_cannot_fail")


def _finding(run: ReviewedRun, text: str, location: Location, line: str, kind: str = "skipped_tests") -> Finding:
    level: FindingLevel = "note" if run.spec_asks_for_test_changes else "likely"
    return finding(kind, level, text, where=location, lines=[line])


def _test_name(line: str) -> str:
    """Return the name of the test that a line begins, as it is without a mark that switches it off."""
    if match := _TEST.match(line):
        return f"{match['suite'].removeprefix(_OFF)}.{match['name'].removeprefix(_OFF)}"
    case = _CASE.match(line)
    return case["name"] if case is not None else ""


def _is_off(line: str) -> bool:
    case = _CASE.match(line)
    return _CASE_OFF.search(case["rest"]) is not None if case is not None else _OFF in line


def _in_old_test(text: list[str], row: int, rows: dict[int, int], own: set[int | None]) -> bool:
    """Return whether a line is in a test that was there before."""
    numbers = {index: number for number, index in rows.items()}
    for index in range(row - 1, -1, -1):
        if _test_name(text[index]):
            return numbers.get(index) not in own
    return False


def _hides_a_test(following: list[str], file: ChangedFile, row: int, own: set[int | None]) -> bool:
    numbers = file.new.lines if file.new is not None else ()
    for index, line in enumerate(following, row + 1):
        if re.match(r"\s*#\s*(?:endif|else|elif)\b", line):
            return False
        if _test_name(line) and index < len(numbers) and numbers[index] not in own:
            return True
    return False


def _drops_result(line: str) -> bool:
    return _RUN_ALL.search(line) is not None and re.search(r"return|=|exit", line) is None
