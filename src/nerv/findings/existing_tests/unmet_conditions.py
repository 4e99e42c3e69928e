"""Tests that existed before and are now built or run only under a condition that does not hold."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.test_code import TestCode
from nerv.inspection.build_conditions import go_holds, is_built_elsewhere, rust_holds
from nerv.inspection.source import is_test_path
from nerv.location import Location

_CFG = re.compile(r"^\s*#(?P<whole>!?)\[cfg\((?P<condition>.*)\)\]\s*$")
_ITEM = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?P<kind>fn|mod)\s+(?P<name>\w+)")
_MOST_MARKS = 4
"""Attributes before a test."""
_MOST_CONDITIONS = 50
"""Conditions of a file that are looked at."""
_FEATURE = re.compile(r'\bfeature\s*=\s*"([^"]+)"')
_OF_TESTS = re.compile(r"\btest\b")
_USUALLY_ON = frozenset({"std", "alloc", "default"})
_JAVA = re.compile(
    r"^\s*@(?:\w+\.)*(?P<mark>(?:Enabled|Disabled)(?:If\w*|OnOs|OnJre|ForJreRange|InNativeImage)|Test)\b(?P<rest>.*)"
)
_JAVA_CLASS = re.compile(r"\b(?:class|interface|enum)\s+(\w+)")
_TODAY = range(17, 26)
"""Versions of Java that somebody may well run tests with."""


def unmet_conditions(run: ReviewedRun) -> list[Finding]:
    """Find conditions of compilers and runners that switch existing tests off."""
    found: list[Finding] = []
    for file in run.files:
        if file.path.endswith(".rs") and file.kind != "added":
            found.extend(_rust(run, file))
        elif file.path.endswith("_test.go"):
            found.extend(_go(run, file))
        elif file.path.endswith((".java", ".kt")) and file.kind != "added":
            found.extend(_java(run, file))
    return found


def _skipped(run: ReviewedRun, file: ChangedFile, location: Location, line: str, test: str = "") -> Finding:
    outcome = run.outcome_on_result(test) if test else None
    asked = run.asks_for_change_of(test) if test else run.spec_asks_for_test_changes
    level: FindingLevel = "proven" if outcome == "broken" else "note" if asked or outcome == "passed" else "likely"
    text = f"The existing test {test} in {file.path}" if test else f"Existing tests in {file.path}"
    verb = "depends" if test else "depend"
    return finding(
        "skipped_tests", level, f"{text} now {verb} on a condition that does not hold.", where=location, lines=[line]
    )


# --- Rust


def _rust(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    known = {test.name for test in file.old_tests}
    if not known and (file.new is None or file.new.whole):
        return
    before = [match["condition"] for line in file.removed_lines if (match := _CFG.match(line))][:_MOST_CONDITIONS]

    def is_on(feature: str) -> bool:
        return _is_on(run, file, feature)

    if any(not rust_holds(condition, is_on) for condition in before):
        return  # what was off before is not switched off now
    lines = file.new.text.split("\n") if file.new is not None else []
    numbers = {number: index for index, number in enumerate(file.new.lines)} if file.new is not None else {}
    for line, location in islice((pair for pair in file.added_lines if _CFG.match(pair[0])), _MOST_CONDITIONS):
        match = _CFG.match(line)
        if match is None or rust_holds(match["condition"], is_on):
            continue
        if match["whole"]:
            yield _skipped(run, file, location, line)
            continue
        index = numbers.get(location.line or 0, len(lines))
        item = next((found for each in lines[index + 1 :][:_MOST_MARKS] if (found := _ITEM.match(each))), None)
        if item is not None and item["kind"] == "fn" and (item["name"] in known or _is_cut_off(file, lines, index)):
            yield _skipped(run, file, location, line, item["name"])
        elif item is not None and item["kind"] == "mod" and _had_module(file, item["name"]):
            yield _skipped(run, file, location, line)


def _is_cut_off(file: ChangedFile, lines: list[str], index: int) -> bool:
    """Return whether an old mark of a test follows in a fragment, in which the test itself is cut off."""
    new = file.new
    return (
        new is not None
        and not new.whole
        and any(
            lines[at].strip() == "#[test]" and (new.written is None or new.lines[at] not in new.written)
            for at in range(max(0, index - 1), min(len(new.lines), index + _MOST_MARKS))
        )
    )


def _had_module(file: ChangedFile, name: str) -> bool:
    """Return whether a module was there before, with tests in it."""
    match = re.search(rf"\bmod\s+{re.escape(name)}\b", file.old.text if file.old is not None else "")
    if match is None or file.old is None:
        return False
    if not file.old.whole:
        return "test" in name
    first = file.old.text.count("\n", 0, match.start()) + 1
    return any(test.location.line is not None and test.location.line > first for test in file.old_tests)


def _is_on(run: ReviewedRun, file: ChangedFile, feature: str) -> bool:
    """Return whether a feature is on, or code that is tested needs it as well: then its tests need it too."""
    manifest = _manifest(run, file.path)
    if manifest is not None:
        features = manifest.get("features", {})
        if not _declares(manifest, feature):
            return False
        default = features.get("default", []) if isinstance(features, dict) else []
        if isinstance(default, list) and feature in default:
            return True
    elif feature in _USUALLY_ON:
        return True
    repository = run.evidence.changes.repository
    code = [each.text for each in repository.files if _is_code(each.path)] if repository is not None else []
    code += [each.new.text for each in run.files if each.new is not None and _is_code(each.path)]
    lines = (line for text in code for line in text.split("\n") if feature in line and not _OF_TESTS.search(line))
    return any(feature in _FEATURE.findall(line) for line in lines)


def _is_code(path: str) -> bool:
    return path.endswith(".rs") and not is_test_path(path)


def _manifest(run: ReviewedRun, path: str) -> Mapping[str, Any] | None:
    """Return the nearest manifest above a file, as far as it is known."""
    texts = {each.path: each.new.text for each in run.files if each.new is not None and each.new.whole}
    repository = run.evidence.changes.repository
    if repository is not None:
        texts |= {each.path: each.text for each in repository.files if each.path.endswith("Cargo.toml")}
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        text = texts.get(f"{folder}/Cargo.toml".lstrip("/"))
        if text is not None and "[package]" in text:
            try:
                return tomllib.loads(text)
            except (tomllib.TOMLDecodeError, RecursionError):
                return None
    return None


def _declares(manifest: Mapping[str, Any], feature: str) -> bool:
    features = manifest.get("features", {})
    tables = [manifest.get(name, {}) for name in ("dependencies", "dev-dependencies")]
    optional = {
        name for table in tables if isinstance(table, dict) for name, value in table.items() if _optional(value)
    }
    return (isinstance(features, dict) and feature in features) or feature in optional


def _optional(dependency: object) -> bool:
    return isinstance(dependency, dict) and dependency.get("optional") is True


# --- Go


def _go(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    if file.new is None:
        return
    old_text = file.old.text if file.old is not None else ""
    if file.kind != "added" and not go_holds(file.new.text) and go_holds(old_text):
        line, location = next(
            ((line, place) for line, place in file.added_lines if re.match(r"//\s*(?:go:build|\+build)\s", line)),
            ("", file.location),
        )
        yield _skipped(run, file, location, line)
    elif is_built_elsewhere(file.path) and not is_built_elsewhere(file.old_path if file.kind != "added" else ""):
        gone = {test.name for each in run.files if each.new is None or each is file for test in each.old_tests}
        if gone & {test.name for test in file.new_tests}:
            yield _skipped(run, file, file.location, f"{file.path}")


# --- Java


def _java(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    gone = {line.strip() for line in file.removed_lines}
    lines = file.new.text.split("\n") if file.new is not None else []
    numbers = {number: index for index, number in enumerate(file.new.lines)} if file.new is not None else {}
    for line, location in islice((pair for pair in file.added_lines if _JAVA.match(pair[0])), _MOST_CONDITIONS):
        match = _JAVA.match(line)
        if match is None or line.strip() in gone or _may_hold(match["mark"], match["rest"]):
            continue
        test = next((each for each in file.new_tests if _is_part_of(each, location)), None)
        if test is not None and test.name in {each.name for each in file.old_tests}:
            if not test.skip:  # found by that mark otherwise
                yield _skipped(run, file, location, line, test.name)
            continue
        index = numbers.get(location.line or 0, len(lines))
        after = (each for each in lines[index + 1 :] if each.strip() and not re.match(r"\s*(?:@|//|\*|/\*)", each))
        named = _JAVA_CLASS.search(next(after, ""))
        old_text = file.old.text if file.old is not None else ""
        if test is None and named is not None and re.search(rf"\bclass\s+{named[1]}\b", old_text):
            yield _skipped(run, file, location, line)


def _is_part_of(test: TestCode, location: Location) -> bool:
    first = test.location.line or 0
    return location.line is not None and first <= location.line < first + len(test.lines)


def _may_hold(mark: str, rest: str) -> bool:
    """Return whether a mark lets a test run on Linux with a Java of today, and no variables of its own."""
    if mark == "Test":
        return re.search(r"\benabled\s*=\s*false\b", rest) is None
    if mark.endswith("OnOs"):
        names_linux = re.search(r"\bLINUX\b", rest) is not None
        return names_linux == mark.startswith("Enabled")
    if "Jre" in mark:
        versions = [int(number) for number in re.findall(r"\bJAVA_(\d+)\b", rest)]
        if mark == "EnabledOnJre":
            return not versions or any(version in _TODAY for version in versions)
        least = re.search(r"\bmin\s*=\s*(?:JRE\.)?JAVA_(\d+)", rest)
        most = re.search(r"\bmax\s*=\s*(?:JRE\.)?JAVA_(\d+)", rest)
        reaches = (least is None or int(least[1]) < _TODAY.stop) and (most is None or int(most[1]) >= _TODAY.start)
        return reaches or not mark.startswith("Enabled")
    return mark.endswith("InNativeImage") and mark.startswith("Disabled")
