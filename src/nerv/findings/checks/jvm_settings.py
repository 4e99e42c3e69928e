"""Settings of Maven and Gradle that switch tests off, leave some out, or let their failures pass."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.path_patterns import SLOW, existing_test_files, glob_matches
from nerv.findings.checks.test_scripts import cannot_fail, matching_lines
from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Location

_POM_OFF = re.compile(
    r"<(?:testFailureIgnore|skipTests|maven\.test\.skip|maven\.test\.failure\.ignore|skipUTs|surefire\.skip)>\s*true"
)
_POM_OF_TESTS = re.compile(
    r"<(?P<name>skip|exclude|include|test|groups|excludedGroups)>\s*(?P<value>[^<]+?)\s*</(?P=name)>"
)
_ARTIFACT = re.compile(r"<artifactId>\s*([^<]+?)\s*</artifactId>|</plugin>|</dependency>")
_GRADLE = re.compile(
    r"(?P<off>\bignoreFailures\s*=?\s*true|\benabled\s*=?\s*false|\bonlyIf\s*\{\s*false\s*\})"
    r"|\b(?P<name>exclude|include|excludeTestsMatching|includeTestsMatching|excludeTags|includeTags|excludeCategories)\b"
    r"\s*\(?\s*(?P<value>['\"][^#]*['\"])"
)
_GRADLE_ANYWHERE = re.compile(
    r"\b(?:tasks\.)?test(?:\.get\(\))?\.(?:enabled\s*=\s*false|ignoreFailures\s*=\s*true|onlyIf\s*\{\s*false)"
    r"|\bcheck\.dependsOn\s*-=|\bexcludedTaskNames\b.*['\"]:?\w*[tT]est|tasks\.withType\(Test\).*(?:enabled\s*=\s*false)"
)
_TEST_TASK = re.compile(
    r"^\s*(?:test|check|tasks\.(?:test|check)|tasks\.named(?:<\w+>)?\(['\"](?:test|check)['\"].*\)"
    r"|(?:project\.)?tasks\.withType(?:<Test>\(\)|\(Test(?:::class)?(?:\.java)?\)).*)\s*$"
)


def jvm_settings(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find what a changed build file no longer runs, or no longer tells."""
    if file.kind == "added" or file.new is None:
        return
    if file.path.endswith("pom.xml"):
        found = _pom(run, file)
    elif re.search(r"\.gradle(?:\.kts)?$", file.path):
        found = _gradle(run, file)
    else:
        return
    for level, line, location in found:
        yield cannot_fail(level, f"{file.path} switches tests off, or their failures.", location, line)


def _pom(run: ReviewedRun, file: ChangedFile) -> Iterator[tuple[FindingLevel, str, Location]]:
    for line, location in matching_lines(file, re.compile(f"{_POM_OFF.pattern}|{_POM_OF_TESTS.pattern}")):
        if _POM_OFF.search(line):
            yield "likely", line, location
            continue
        for match in _POM_OF_TESTS.finditer(line):
            plugin = _plugin_of(file, location)
            if "surefire" in plugin or ("failsafe" in plugin and match["name"] == "skip"):
                yield _level(run, match["name"], match["value"]), line, location
                break


def _plugin_of(file: ChangedFile, location: Location) -> str:
    """Return the plugin that a line of a `pom.xml` belongs to, by the last name before it; empty if it has ended."""
    if file.new is None or location.line not in file.new.lines:
        return ""
    before = "\n".join(file.new.text.split("\n")[: file.new.lines.index(location.line)])
    names = [match[1] or "" for match in _ARTIFACT.finditer(before)]
    return names[-1] if names else ""


def _gradle(run: ReviewedRun, file: ChangedFile) -> Iterator[tuple[FindingLevel, str, Location]]:
    for line, location in matching_lines(file, re.compile(f"{_GRADLE_ANYWHERE.pattern}|{_GRADLE.pattern}")):
        if _GRADLE_ANYWHERE.search(line):
            yield "likely", line, location
            continue
        match = _GRADLE.search(line)
        if match is None or not any(_TEST_TASK.match(head) for head in _blocks_around(file, location)):
            continue
        if match["off"]:
            yield "likely", line, location
        else:
            values = re.findall(r"['\"]([^'\"]+)['\"]", match["value"])
            yield max((_level(run, match["name"], value) for value in values), key=_RANKS.index), line, location


def _blocks_around(file: ChangedFile, location: Location) -> list[str]:
    """Return the heads of the blocks that a line stands in; that of a test task if a fragment does not show them."""
    if file.new is None or location.line not in file.new.lines:
        return []
    heads: list[str] = []
    for line in file.new.text.split("\n")[: file.new.lines.index(location.line)]:
        for index, letter in enumerate(line):
            if letter == "{":
                heads.append(line[:index])
            elif letter == "}" and heads:
                heads.pop()
    return heads


_RANKS: tuple[FindingLevel, ...] = ("note", "likely")


def _level(run: ReviewedRun, name: str, value: str) -> FindingLevel:
    """Return how suspicious a setting of the task or plugin for tests is."""
    if run.spec_asks_for_test_changes:
        return "note"
    if name == "skip":
        return "likely" if value == "true" else "note"
    if name in ("exclude", "include"):
        existing = existing_test_files(run, "java")
        pattern = re.sub(r"\.class$", ".*", value)
        if existing is None:
            return "note" if SLOW.search(value) or name == "include" else "likely"
        matched = [path for path in existing if glob_matches(pattern, path) or glob_matches(f"{pattern}.*", path)]
        lost = matched if name == "exclude" else [path for path in existing if path not in matched]
        return "likely" if any(not SLOW.search(path) for path in lost) else "note"
    return "note" if SLOW.search(value) else "likely"
