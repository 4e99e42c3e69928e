"""CTest's tests as `CMakeLists.txt` declares them: switched off, filtered, or no longer there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nerv.finding import Finding
from nerv.findings.changed_files import ChangedFile
from nerv.findings.checks.test_scripts import cannot_fail
from nerv.findings.reviewed_run import ReviewedRun
from nerv.location import Location

_FILE = re.compile(r"(?:^|/)CMakeLists\.txt$|\.cmake$")
_COMMAND = re.compile(
    r"^[ \t]*(?P<name>\w+)[ \t]*\((?P<arguments>(?:[^()\"#]|\"(?:[^\"\\]|\\.)*\"|#[^\n]*|\([^()]*\))*)\)", re.M
)
_LARGEST = 100_000
"""Characters of a file that somebody wrote."""
_WORD = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|([^\s\"]+)")
_ON = frozenset({"1", "ON", "TRUE", "YES", "Y"})
_NEVER_FAILS = {("PASS_REGULAR_EXPRESSION", "."), ("PASS_REGULAR_EXPRESSION", ".*"), ("SKIP_RETURN_CODE", "1")}
_DOES_NOTHING = re.compile(r"COMMAND\s+(?:true|\$\{CMAKE_COMMAND\}\s+-E\s+(?:true|echo)|echo)\b")
_FILTER = re.compile(r"--gtest_filter=|\bTEST_FILTER\b|\bTEST_SPEC\b")
_DECLARES = re.compile(r"add_test|(?:gtest|catch|doctest)_(?:discover|add)_tests|enable_testing", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    name: str
    words: tuple[str, ...]
    text: str
    first: int
    last: int

    @property
    def test(self) -> str:
        """The test or program that a declaration is about."""
        return self.words[1] if self.words[:1] == ("NAME",) and len(self.words) > 1 else "".join(self.words[:1])

    @property
    def program(self) -> str:
        """The program that a declared test starts."""
        after = self.words[self.words.index("COMMAND") + 1 :] if "COMMAND" in self.words else self.words[-1:]
        return "".join(after[:1])


def cmake_tests(run: ReviewedRun, file: ChangedFile) -> Iterator[Finding]:
    """Find what keeps tests that were there before from running or failing."""
    if not _FILE.search(file.path) or file.new is None or file.old is None or run.spec_asks_for_test_changes:
        return
    if max(len(file.old.text), len(file.new.text)) > _LARGEST:
        return
    before, after = _calls(file.old.text), _calls(file.new.text)
    declared = {call.test: call for call in before if call.name == "add_test"}
    fresh = {call.test for call in after if call.name == "add_test"} - declared.keys()
    written = {location.line: location for _, location in file.added_lines}
    for call in after:
        own = [written[number] for number in file.new.lines[call.first : call.last + 1] if number in written]
        if not own:
            continue
        is_set_off = call.name == "set_tests_properties" and _switches_off(call) and not set(_tests_of(call)) <= fresh
        if is_set_off or (call.name == "add_test" and _runs_less(declared.get(call.test), call)):
            yield _off(file, own[0], call.text)
    for call in before:
        if _DECLARES.fullmatch(call.name) and _is_removed(file, call) and _is_lost(call, after):
            yield _off(file, file.location, f"- {call.text}")


def _off(file: ChangedFile, location: Location, text: str) -> Finding:
    lines = text.strip().split("\n")[:4]
    return cannot_fail("likely", f"{file.path} switches tests off, or their failures.", location, *lines)


def _tests_of(call: _Call) -> tuple[str, ...]:
    return call.words[: call.words.index("PROPERTIES")] if "PROPERTIES" in call.words else ()


def _switches_off(call: _Call) -> bool:
    words = call.words[len(_tests_of(call)) + 1 :]
    for name, value in pairwise(words):
        if name in ("DISABLED", "WILL_FAIL") and value.upper() in _ON:
            return True
        if (name == "PASS_REGULAR_EXPRESSION" and value in (".", ".*", "")) or (
            name == "SKIP_RETURN_CODE" and value == "1"
        ):
            return True
    return False


def _runs_less(before: _Call | None, after: _Call) -> bool:
    forms = (_DOES_NOTHING, _FILTER)
    return before is not None and any(each.search(after.text) and not each.search(before.text) for each in forms)


def _is_lost(gone: _Call, after: list[_Call]) -> bool:
    """Return whether a program of tests is still built, and no declaration of tests names it any more."""
    declarations = [call for call in after if _DECLARES.fullmatch(call.name)]
    if gone.name == "enable_testing":
        return not any(call.name in ("enable_testing", "include") for call in after)
    if any(call.test == gone.test or gone.program in call.words or "${" in call.text for call in declarations):
        return False
    return any(gone.program in call.words for call in after)


def _is_removed(file: ChangedFile, call: _Call) -> bool:
    removed = {line.strip() for line in file.removed_lines}
    return call.text.strip().split("\n")[0].strip() in removed


def _calls(text: str) -> list[_Call]:
    return [
        _Call(
            name=match["name"].lower(),
            words=tuple(one or two for one, two in _WORD.findall(match["arguments"])),
            text=match[0],
            first=text.count("\n", 0, match.start()),
            last=text.count("\n", 0, match.end()),
        )
        for match in _COMMAND.finditer(text)
    ]
