"""Which outcome of a test follows from what happened in its process.

The process reports only what happened. The kind of test and the text that a panic must contain are applied here, where
no sample can reach them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.integrity import source_text
from forgetest.verdict import Finding, TestOutcome, TimedOut

_MESSAGE_CHARS = 3900
"""A little less than the launcher passes on, so that where a message is cut does not depend on file names."""

_TIME_OUTS: Mapping[str, TimedOut] = {"cpu_limit": "cpu", "waiting_limit": "wall", "wall_limit": "wall"}

_LOADING_FAILED = (95, 96)
"""The launcher's own exit codes for an object that cannot be loaded or has no entry point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """The launcher's observation of one run."""

    ending: str
    """As the launcher spells it: `returned`, `returned_error`, `panicked`, `assertion_failed`, a limit, …"""
    status: int = 0
    """The process's status as `wait` gives it."""
    message: str = ""
    """The message of a panic or a failed assertion, with its place."""
    panic_text: str = ""
    """Its text alone, which a `should_panic` test may expect something of."""
    output: str = ""
    wall_ms: float = 0.0
    cpu_ms: float = 0.0

    @property
    def timed_out(self) -> TimedOut | None:
        """The time limit that stopped it."""
        return _TIME_OUTS.get(self.ending)

    @property
    def came_to_an_end(self) -> bool:
        """The test itself ended, in whatever way; nothing ended the process first."""
        return self.ending in ("returned", "returned_error", "panicked", "assertion_failed")


def has_passed(test: ExpectedTest, result: RunResult) -> bool:
    """Return whether a run that went like this passes the test."""
    if test.kind == "should_panic":
        return result.ending in ("panicked", "assertion_failed") and test.panic_text in result.panic_text
    return result.ending == "returned"


def outcome(test: ExpectedTest, result: RunResult) -> TestOutcome:
    """Return the outcome of a test that ran like this."""
    passed = has_passed(test, result)
    return TestOutcome(
        name=test.name,
        status="passed" if passed else "failed",
        message="" if passed else _failure_message(test, result),
        stdout="" if passed else result.output,
        wall_ms=result.wall_ms,
        cpu_ms=result.cpu_ms,
        timed_out=result.timed_out,
    )


def findings(test: ExpectedTest, result: RunResult) -> Iterator[Finding]:
    """Yield what a run shows of attempts to cheat."""
    code = result.status >> 8
    if result.ending == "ended" and result.status & 0x7F == 0 and code not in _LOADING_FAILED:
        yield Finding(kind="early_exit", detail=f"{test.name}: the process exited with code {code}")
    elif result.ending == "garbled":
        yield Finding(kind="forged_verdict", detail=f"{test.name}: wrote into the verdict's own pipe")
    if source_text.prints_results(result.output):
        detail = f"{test.name}: printed what looks like a test runner's result"
        yield Finding(kind="forged_output", detail=detail, forbids=False)


def _failure_message(test: ExpectedTest, result: RunResult) -> str:
    match result.ending:
        case "returned" | "returned_error" if test.kind == "should_panic":
            return "test did not panic as expected"
        case "returned_error":
            return "the test returned an error"
        case "no_thread":
            return f"no thread for the test: {result.message}"
        case "panicked" | "assertion_failed" if test.kind == "should_panic":
            message = f"{result.message}\nexpected the panic to contain {_rust_string(test.panic_text)}"
            return message[:_MESSAGE_CHARS]
        case "panicked" | "assertion_failed":
            return result.message[:_MESSAGE_CHARS] or "failed without a message"
    return _explain(result.ending, result.status)


def _explain(ending: str, status: int) -> str:
    match ending:
        case "cpu_limit":
            return "stopped: it used up its CPU time"
        case "wall_limit":
            return "stopped: it did not end in time, though it had CPU time left"
        case "waiting_limit":
            return "stopped: it waited, and computed nothing, for longer than it may run"
        case "flooded":
            return "stopped: it printed more than 256 MiB"
        case "garbled":
            return "spoke where only the launcher's own code may"
        case "littered":
            return "never ran: an earlier test left files that cannot be removed"
    number = status & 0x7F
    if number:
        name = {6: "aborted", 9: "killed", 11: "segmentation fault (or a stack that overflowed)"}.get(
            number, f"signal {number}"
        )
        return f"the process ended before the test returned: {name}"
    return f"the process exited with code {status >> 8} before the test returned"


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


def _rust_string(text: str) -> str:
    """Return the text as Rust's `{:?}` shows it."""
    shown = (_ESCAPES.get(char) or (char if char.isprintable() else f"\\u{{{ord(char):x}}}") for char in text)
    return f'"{"".join(shown)}"'
