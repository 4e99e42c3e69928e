"""The counts of passed and failed tests in the output of test runners, and what it says if there are none."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_JOB = re.compile(r"^\[[^\]\n]{1,80}\]\s+\|\s?", re.M)
"""Prefix that `act` adds to the output of a job's step."""
_MOST_OUTPUT = 200_000
_COULD_NOT_RUN = re.compile(
    r"No module named|command not found|: not found|[Mm]issing script|is not recognized as|error: no such command"
    r"|No such file or directory|Permission denied|ModuleNotFoundError|Cannot find module|No rule to make target"
    r"|could not find `Cargo\.toml`|no test target named|go\.mod file not found|cannot find main module"
    r"|ERROR: (?:file or directory|not) found: |Task '[\w:]+' not found in|no POM in this directory"
)
_NO_TEST = re.compile(
    r"^[= \t]*(?:\d+ (?:warnings?|deselected)(?:, )?)*no tests ran\b|\bcollected 0 items\b"
    r"|^No tests? (?:files? )?found\b|^NO TESTS RAN\b|^No tests were (?:found|executed)",
    re.M,
)
"""Words of runners that found no test, which is why some of them exit with an error."""
_GO_RESULT = re.compile(r"^(?:ok|FAIL|\?)\s+\S+\s.*$", re.M)
_GO_NO_TEST = re.compile(r"\[no tests? (?:files|to run)\]")
_MISSING_MODULE = re.compile(r"No module named ['\"]?([\w.]+)|Cannot find (?:module|package) ['\"]([^'\"]+)")
_BAD = re.compile(
    r"\bFAIL(?:ED|URES?)?\b|\bnot ok \d|^error(?:\[E\d+\])?:|\bpanicked at\b|^Traceback |^E   |Error: "
    r"|\bBUILD FAILURE\b|\*\*\* \[",
    re.M,
)

_PYTEST_LINE = re.compile(r"^=*[ \t]*((?:\d+ \w+(?:, )?)+) in [\d.]+s?\b.*$", re.M)
_PYTEST_COUNT = re.compile(r"(\d+) (passed|failed|errors?)\b")
_JEST = re.compile(r"^Tests:\s+(.+?)\s*,?\s*\d+ total", re.M)
_VITEST = re.compile(r"^[ \t]*Tests\s+(.*\d+ (?:passed|failed).*?)(?:\(\d+\))?\s*$", re.M)
_COUNT = re.compile(r"(\d+) (passed|failed)\b")
_CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed;", re.M)
_NEXTEST = re.compile(r"Summary \[[^\]\n]{0,40}\] +\d+ tests? run: (\d+) passed(?:.{0,80}?(\d+) failed)?")
_MOCHA_PASSING = re.compile(r"^[ \t]*(\d+) passing\b", re.M)
_MOCHA_FAILING = re.compile(r"^[ \t]*(\d+) failing\b", re.M)
_UNITTEST = re.compile(r"^Ran (\d+) tests? in ", re.M)
_UNITTEST_BAD = re.compile(r"^FAILED \((.*)\)", re.M)
_MAVEN = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?")
_NODE_PASS = re.compile(r"^(?:# |ℹ )pass (\d+)", re.M)  # noqa: RUF001  (node prints this very sign)
_NODE_FAIL = re.compile(r"^(?:# |ℹ )fail (\d+)", re.M)  # noqa: RUF001
_GO_PASS = re.compile(r"^[ \t]*--- PASS", re.M)
_GO_FAIL = re.compile(r"^[ \t]*--- FAIL", re.M)
_PAIRS = (
    re.compile(r"^(?P<run>\d+) examples?, (?P<bad>\d+) failures?", re.M),  # rspec
    re.compile(r"^(?P<run>\d+) specs?, (?P<bad>\d+) failures?", re.M),  # jasmine
    re.compile(r"^(?P<run>\d+) (?:runs|tests), \d+ assertions, (?P<bad>\d+) failures, (?P<more>\d+) errors", re.M),
    re.compile(r"^OK \((?P<run>\d+) tests?, ", re.M),  # PHPUnit
    re.compile(r"^Tests: (?P<run>\d+), Assertions: \d+(?:, Errors: (?P<more>\d+))?(?:, Failures: (?P<bad>\d+))?", re.M),
    re.compile(r"Executed (?P<run>\d+) tests?, with (?P<bad>\d+) failures?"),  # Swift's XCTest
    re.compile(r"tests passed, (?P<bad>\d+) tests? failed out of (?P<run>\d+)"),  # CTest
    re.compile(r"Failed: +(?P<bad>\d+), Passed: +(?P<good>\d+), Skipped: "),  # dotnet
    re.compile(r"^(?:ok|FAILED) \| (?P<good>\d+) passed.*?\| (?P<bad>\d+) failed", re.M),  # Deno
    re.compile(r"^[ \t]*(?P<good>\d+) pass\n[ \t]*(?P<bad>\d+) fail$", re.M),  # Bun
    re.compile(
        r"^[ \t]*(?:(?P<bad>\d+) failed\n(?:.*\n){0,50}?[ \t]*)?(?P<good>\d+) passed \([\d.]+m?s\)", re.M
    ),  # Playwright
)
"""Summaries of one line: the number of tests that ran or passed, and of those that failed."""
_GTEST_PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?", re.M)
_GTEST_FAILED = re.compile(r"^\[  FAILED  \] (\d+) tests?, listed below", re.M)
_GO_PACKAGE = re.compile(r"^(ok|FAIL)\s+\S+\s+(?:\d|\(cached\)|\[)", re.M)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestCounts:
    """The counts in a test runner's summary."""

    passed: int | None
    failed: int | None

    __test__ = False


def could_not_run(output: str) -> bool:
    """Return whether no test ran: no runner, no such command, a missing module, or nothing to run."""
    text = _ANSI.sub("", output[:_MOST_OUTPUT])
    packages = _GO_RESULT.findall(text)
    without_tests = bool(packages) and all(_GO_NO_TEST.search(line) for line in packages)
    return without_tests or _COULD_NOT_RUN.search(text) is not None or _NO_TEST.search(text) is not None


def missing_modules(output: str) -> frozenset[str]:
    """Return the modules that a runner did not find while it collected the tests."""
    found = _MISSING_MODULE.finditer(output[-_MOST_OUTPUT:])
    return frozenset(name for match in found for name in match.groups() if name)


def shows_failure(output: str) -> bool:
    """Return whether the output of a run without a summary shows that something failed."""
    return _BAD.search(_ANSI.sub("", output[-_MOST_OUTPUT:])) is not None


def count_tests(output: str) -> TestCounts:
    """Return the counts in a runner's output; None if it has none."""
    text = _JOB.sub("", _ANSI.sub("", output[-_MOST_OUTPUT:]))
    for reader in (
        _pytest_counts,
        _jest_like_counts,
        _cargo_counts,
        _maven_counts,
        _unittest_counts,
        _node_counts,
        _mocha_counts,
        _go_counts,
        _gtest_counts,
        _counts_in_one_line,
    ):
        found = reader(text)
        if found:
            return found
    return TestCounts(passed=None, failed=None)


def _pytest_counts(text: str) -> TestCounts | None:
    lines = _PYTEST_LINE.findall(text)
    if not lines:
        return None
    passed = failed = 0
    for number, what in _PYTEST_COUNT.findall(lines[-1]):
        if what == "passed":
            passed += int(number)
        else:
            failed += int(number)
    return TestCounts(passed=passed, failed=failed)


def _jest_like_counts(text: str) -> TestCounts | None:
    lines = _JEST.findall(text) or _VITEST.findall(text)
    if not lines:
        return None
    found = {what: int(number) for number, what in _COUNT.findall(lines[-1])}
    return TestCounts(passed=found.get("passed", 0), failed=found.get("failed", 0))


def _cargo_counts(text: str) -> TestCounts | None:
    found = _CARGO.findall(text)
    if found:
        return TestCounts(passed=sum(int(p) for p, _ in found), failed=sum(int(f) for _, f in found))
    summary = _NEXTEST.search(text)
    return TestCounts(passed=int(summary[1]), failed=int(summary[2] or 0)) if summary else None


def _maven_counts(text: str) -> TestCounts | None:
    found = _MAVEN.findall(text)
    if not found:
        return None
    run, failures, errors, skipped = (int(number or 0) for number in found[-1])  # the last line is the total
    return TestCounts(passed=max(0, run - failures - errors - skipped), failed=failures + errors)


def _unittest_counts(text: str) -> TestCounts | None:
    run = _UNITTEST.findall(text)
    if not run:
        return None
    bad = _UNITTEST_BAD.findall(text)
    failed = sum(int(number) for number in re.findall(r"(?:failures|errors)=(\d+)", bad[-1])) if bad else 0
    return TestCounts(passed=max(0, int(run[-1]) - failed), failed=failed)


def _mocha_counts(text: str) -> TestCounts | None:
    passing, failing = _MOCHA_PASSING.findall(text), _MOCHA_FAILING.findall(text)
    if not passing:
        return None
    return TestCounts(passed=int(passing[-1]), failed=int(failing[-1]) if failing else 0)


def _node_counts(text: str) -> TestCounts | None:
    passing, failing = _NODE_PASS.findall(text), _NODE_FAIL.findall(text)
    if not passing:
        return None
    return TestCounts(passed=int(passing[-1]), failed=int(failing[-1]) if failing else 0)


def _go_counts(text: str) -> TestCounts | None:
    passed, failed = len(_GO_PASS.findall(text)), len(_GO_FAIL.findall(text))
    if passed or failed:
        return TestCounts(passed=passed, failed=failed)
    packages = _GO_PACKAGE.findall(text)
    if packages and "FAIL" in packages:
        return TestCounts(passed=None, failed=packages.count("FAIL"))
    return None


def _gtest_counts(text: str) -> TestCounts | None:
    passed, failed = _GTEST_PASSED.findall(text), _GTEST_FAILED.findall(text)
    if not passed:
        return None
    return TestCounts(passed=int(passed[-1]), failed=int(failed[-1]) if failed else 0)


def _counts_in_one_line(text: str) -> TestCounts | None:
    for summary in _PAIRS:
        if found := list(summary.finditer(text)):
            counts = {name: int(count or 0) for name, count in found[-1].groupdict().items()}
            failed = counts.get("bad", 0) + counts.get("more", 0)
            return TestCounts(passed=counts.get("good", counts.get("run", failed) - failed), failed=failed)
    return None
