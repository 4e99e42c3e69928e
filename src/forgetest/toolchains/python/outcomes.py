"""What follows from the runs of a sample's tests: outcomes, findings, and the error if it cannot be imported."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from forgetest.toolchains.python.discovery import ExpectedTest
from forgetest.toolchains.python.launch import MEMORY_BYTES, RunResult
from forgetest.verdict import Diagnostic, Finding, Span, TestOutcome, TimedOut

_TIME_OUTS: Mapping[str, TimedOut] = {"cpu_limit": "cpu", "endless": "cpu", "wall_limit": "wall"}
_DOUBTS = {
    "sample_comparison": "the tests compare objects by a method of the sample's own class",
    "changed_test": "the sample replaced a method of an object of the tests",
    "caught_exception": "the sample caught an exception that was raised in the tests",
    "control_exception": "the sample raised an exception that ends an iteration or a task of the tests",
    "sample_structure": "the tests look several times at what an object contains, by methods of the sample's own class",
}
_ERROR = re.compile(r"([A-Za-z_]\w*)(?:: (.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TestReport:
    """What was observed of one sample's tests."""

    __test__ = False

    tests: tuple[ExpectedTest, ...]
    results: tuple[RunResult | None, ...]
    """None for a test that was not run: an ignored one, or one after a sample that left files behind."""
    wall_ms: float = 0.0

    @property
    def outcomes(self) -> tuple[TestOutcome, ...]:
        """The outcome of each test."""
        return tuple(_outcome(test, result) for test, result in zip(self.tests, self.results, strict=True))

    @property
    def load_failure(self) -> RunResult | None:
        """The first run in which the sample could not be imported."""
        return next((result for result in self.results if result is not None and not result.has_loaded), None)

    @property
    def missing(self) -> Collection[str]:
        """Expected names that the sample does not define."""
        return {name for result in self.results if result is not None for name in result.missing}

    def with_(self, again: TestReport, indices: Sequence[int]) -> TestReport:
        """Return this report, with the results of another for the tests at these indices."""
        pairs = enumerate(zip(self.results, again.results, strict=True))
        results = tuple(new if index in indices else old for index, (old, new) in pairs)
        return TestReport(self.tests, results, self.wall_ms + again.wall_ms)

    def is_undisturbed(self, is_limit_final: bool = False) -> bool:
        """Return whether nothing depends on the clock, on memory, or on what another test left behind.

        `is_limit_final`: a test that reached its limit of CPU time would do so again.
        """
        ran = [result for test, result in zip(self.tests, self.results, strict=True) if not test.is_ignored]
        usual = ("passed", "failed", "not_loaded", "skipped", "endless", *(["cpu_limit"] if is_limit_final else []))
        return all(result is not None and result.ending in usual and result.is_clean for result in ran)

    def findings(self) -> Iterator[Finding]:
        """Yield what the runs show about trust."""
        for test, result in zip(self.tests, self.results, strict=True):
            if result is None:
                continue
            if result.ending == "died" and result.status & 0x7F == 0:
                code = result.status >> 8
                yield Finding(kind="early_exit", detail=f"{test.name}: the process exited with code {code}")
            elif result.ending == "forged":
                yield Finding(kind="forged_verdict", detail=f"{test.name}: {result.message}")
            if result.ending == "passed":
                yield from _doubts(test, result)


def _doubts(test: ExpectedTest, result: RunResult) -> Iterator[Finding]:
    """Yield why a pass proves less than it should."""
    if result.inseparable:
        detail = f"{test.name} ran in the sample's own interpreter: {result.inseparable}"
        yield Finding(kind="shared_interpreter", detail=detail, forbids=False, concern="unsound")
    for kind, detail in result.doubts.items():
        text = f"{test.name}: {_DOUBTS.get(kind, kind)}: {detail}"
        yield Finding(kind=kind, detail=text, forbids=False, concern="unsound")


def _outcome(test: ExpectedTest, result: RunResult | None) -> TestOutcome:
    if test.is_ignored:
        return TestOutcome(name=test.name, status="ignored")
    if result is None:
        return TestOutcome(name=test.name, status="failed", message="never ran: files were left that cannot be removed")
    if result.ending == "skipped":
        return TestOutcome(name=test.name, status="ignored", message=result.message)
    passed = result.ending == "passed"
    return TestOutcome(
        name=test.name,
        status="passed" if passed else "failed",
        message="" if passed else _message(result),
        stdout="" if passed else result.output,
        wall_ms=result.wall_ms,
        cpu_ms=result.cpu_ms,
        timed_out=_TIME_OUTS.get(result.ending),
    )


def _message(result: RunResult) -> str:
    match result.ending:
        case "cpu_limit":
            return "stopped: it used up its CPU time"
        case "endless":
            return f"stopped: it never ends: {result.message}"
        case "wall_limit":
            return "stopped: it waited, and computed nothing, for longer than it may run"
        case "not_loaded":
            return f"cannot be imported: {result.message}"
        case "died":
            return _death(result.status)
        case "tests_died":
            return f"{result.message}, perhaps because a result was too large for it"
    notes = [f"  note: {detail}" for detail in result.notes.values()]
    return "\n".join([result.message or "failed without a message", *notes])


def _death(status: int) -> str:
    number = status & 0x7F
    if not number:
        return f"the process exited with code {status >> 8} before the test returned"
    names = {6: "aborted", 9: "killed", 11: "segmentation fault (or a stack that overflowed)", 24: "CPU time used up"}
    return f"the process ended before the test returned: {names.get(number, f'signal {number}')}"


def import_error(failure: RunResult, code: str) -> Diagnostic:
    """Return the error of a sample that cannot be parsed or imported."""
    if failure.ending != "not_loaded":
        message = f"cannot be imported: {_message(failure)}"
        return Diagnostic(level="error", code=None, message=message)
    first = failure.message.split("\n  sample, line ")[0]
    found = _ERROR.fullmatch(first)
    kind, message = (found[1], found[2] or found[1]) if found else (None, first)
    if kind == "MemoryError" and message == kind:
        message = f"needs more than {MEMORY_BYTES >> 20} MiB of memory"
    return Diagnostic(level="error", code=kind, message=message, spans=tuple(_spans(failure.place, code)))


def _spans(place: Sequence[int], code: str) -> Iterator[Span]:
    lines = code.split("\n")
    if not place or not 1 <= place[0] <= len(lines):
        return
    line, *more = place
    whole = len(lines[line - 1]) + 1
    column, last, end = (*more, 0, 0, 0)[:3] if more else (1, line, whole)
    column = max(1, min(column, whole))
    if not line <= last <= len(lines) or (last == line and end <= column):
        last, end = line, max(whole, column + 1)
    yield Span(line_start=line, line_end=last, column_start=column, column_end=max(1, end))
