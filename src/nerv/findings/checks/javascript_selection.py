"""Configuration of jest, vitest and mocha, as far as it decides which tests are run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.path_patterns import SLOW, can_be_tried, existing_test_files, glob_matches, regex_matches
from nerv.findings.checks.test_scripts import cannot_fail
from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Location

FILE = re.compile(r"(?:^|/)(?:(?:jest|vitest|vite|karma)\.config\.[^/]*|package\.json|\.mocharc[^/]*)$")
_SETTING = re.compile(
    r"(?<![\w.])[\"']?(?P<key>testPathIgnorePatterns|modulePathIgnorePatterns|testMatch|testRegex|roots|testNamePattern"
    r"|passWithNoTests|exclude|include|ignore|spec|grep|fgrep)[\"']?\s*:\s*"
    r"(?P<value>\[(?:[^\]\"'`]|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`){0,2000}\]|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`|true)"
)
_TEXT = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`")
_LARGEST = 100_000
"""Characters of a file that somebody wrote."""
_MOST_SETTINGS, _FARTHEST = 50, 20_000
"""Settings of a file that are looked at, and characters before one in which its object begins."""
_IGNORES = frozenset({"testPathIgnorePatterns", "modulePathIgnorePatterns", "exclude", "ignore"})
_NAMES = frozenset({"testNamePattern", "grep", "fgrep"})
_REGEXES = frozenset({"testPathIgnorePatterns", "modulePathIgnorePatterns", "testRegex"})
_OF_MOCHA = frozenset({"ignore", "spec", "grep", "fgrep"})
_OF_VITEST = frozenset({"exclude", "include"})
_NAMES_TESTS = re.compile(
    r"(?:\.test|\.spec|__tests__|(?:^|[/.])tests?/)[^'\"]*\w$|(?:^|/)(?:__)?tests?(?:__)?/?(?:\*\*.*)?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    key: str
    values: tuple[str, ...]
    first: int
    last: int
    """The rows on which it begins and ends."""


def javascript_selection(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find patterns that leave tests out."""
    if file.new is None or file.kind == "added" or len(file.new.text) > _LARGEST:
        return
    written = {location.line: (line, location) for line, location in file.added_lines}
    earlier = _settings(file.path, file.old.text) if file.old is not None else []
    for setting in _settings(file.path, file.new.text):
        own = [written[number] for number in file.new.lines[setting.first : setting.last + 1] if number in written]
        before = {value for each in earlier if each.key == setting.key for value in each.values}
        fresh = tuple(value for value in setting.values if value not in before)
        if own and (fresh or setting.key == "passWithNoTests"):
            shown, location = next((each for each in own if any(value in each[0] for value in fresh)), own[0])
            level = _level(run, setting.key, fresh, setting.values, before)
            yield _finding(file, level, shown, location)


def _finding(file: ChangedFile, level: FindingLevel, line: str, location: Location) -> Finding:
    return cannot_fail(level, f"Which tests are run was changed in {file.path}.", location, line)


def _level(
    run: ReviewedRun, key: str, fresh: tuple[str, ...], values: tuple[str, ...], before: set[str]
) -> FindingLevel:
    if run.spec_asks_for_test_changes or key == "passWithNoTests":
        return "note"
    if key in _NAMES:
        return "note" if all(SLOW.search(value) for value in fresh) else "likely"
    matches = regex_matches if key in _REGEXES else glob_matches
    if key in _REGEXES and not all(map(can_be_tried, values)):
        return "note"
    existing = existing_test_files(run, "js")
    if existing is None:
        names_tests = any(_NAMES_TESTS.search(value) and not SLOW.search(value) for value in fresh)
        return "likely" if key in _IGNORES and names_tests else "note"
    existing = tuple(path for path in existing if not SLOW.search(path))
    if key in _IGNORES:
        return "likely" if any(matches(value, path) for value in fresh for path in existing) else "note"
    lost = [path for path in existing if not any(matches(value, path) for value in values)]
    if before:
        lost = [path for path in lost if any(matches(value, path) for value in before)]
    is_whole = key == "roots" and any(value.strip("./") in ("", "<rootDir>") for value in values)
    return "likely" if lost and not is_whole else "note"


def _settings(path: str, text: str) -> list[_Setting]:
    """Return the settings that choose tests, without those of the same name for coverage and the like."""
    found = []
    is_mocha, is_vite = ".mocharc" in path, re.search(r"(?:^|/)vite", path) is not None
    for match in islice(_SETTING.finditer(text), _MOST_SETTINGS):
        key = match["key"]
        if (key in _OF_MOCHA and not is_mocha) or (
            key in _OF_VITEST and not (is_vite and _owner(text, match) == "test")
        ):
            continue
        values = tuple(one or two or three for one, two, three in _TEXT.findall(match["value"]))
        first, last = (text.count("\n", 0, at) for at in match.span())
        found.append(_Setting(key=key, values=values, first=first, last=last))
    return found


def _owner(text: str, match: re.Match[str]) -> str:
    """Return the key of the object that a setting stands in; `test` if a fragment does not show it."""
    depth = 0
    for index in range(match.start() - 1, max(-1, match.start() - _FARTHEST), -1):
        depth += (text[index] in "}]") - (text[index] in "{[")
        if depth < 0:
            before = re.search(r"[\"']?(\w+)[\"']?\s*:\s*$", text[:index])
            return before[1] if before is not None else ""
    return "test"
