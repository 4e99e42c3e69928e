"""Outcomes of tests from what happened in their processes."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.run import outcomes
from forgetest.toolchains.rust.run.outcomes import RunResult

PLAIN = ExpectedTest(name="tests::a")
PANICS = ExpectedTest(name="tests::p", kind="should_panic")
PANICS_WITH = ExpectedTest(name="tests::w", kind="should_panic", panic_text='too "large"\n\x01')

PANIC = RunResult(ending="panicked", message="panicked at tests.rs:1:2:\nno", panic_text="no")
ASSERTION = RunResult(ending="assertion_failed", message="panicked at tests.rs:1:2:\nno", panic_text="no")
EXPECTED = 'is too "large"\n\x01 by 3'


@pytest.mark.parametrize(
    ("test", "result", "passed"),
    [
        (PLAIN, RunResult(ending="returned"), True),
        (PLAIN, RunResult(ending="returned_error"), False),
        (PLAIN, PANIC, False),
        (PLAIN, ASSERTION, False),
        (PLAIN, RunResult(ending="ended"), False),
        (PANICS, RunResult(ending="returned"), False),
        (PANICS, RunResult(ending="returned_error"), False),
        (PANICS, RunResult(ending="ended", status=6), False),
        (PANICS, RunResult(ending="cpu_limit"), False),
        (PANICS, PANIC, True),
        (PANICS, ASSERTION, True),
        (PANICS_WITH, PANIC, False),
        (PANICS_WITH, RunResult(ending="panicked", panic_text=EXPECTED), True),
        (PANICS_WITH, RunResult(ending="assertion_failed", panic_text=EXPECTED), True),
        (PANICS_WITH, RunResult(ending="panicked", message=EXPECTED), False),
        (PANICS_WITH, RunResult(ending="returned", panic_text=EXPECTED), False),
    ],
)
def test_the_kind_of_a_test_decides_which_ending_passes(test: ExpectedTest, result: RunResult, passed: bool):
    assert outcomes.has_passed(test, result) == passed
    assert (outcomes.outcome(test, result).status == "passed") == passed


def test_a_passed_test_keeps_its_times_but_neither_message_nor_output():
    result = RunResult(ending="returned", message="m", output="noise", wall_ms=1.5, cpu_ms=2.5)
    passed = outcomes.outcome(PLAIN, result)
    assert (passed.name, passed.message, passed.stdout) == ("tests::a", "", "")
    assert (passed.wall_ms, passed.cpu_ms) == (1.5, 2.5)


@pytest.mark.parametrize(
    ("test", "ending", "message"),
    [
        (PLAIN, "returned_error", "the test returned an error"),
        (PLAIN, "panicked", "panicked at tests.rs:1:2:\nno"),
        (PLAIN, "assertion_failed", "panicked at tests.rs:1:2:\nno"),
        (PLAIN, "no_thread", "no thread for the test: panicked at tests.rs:1:2:\nno"),
        (PANICS, "returned", "test did not panic as expected"),
        (PANICS, "returned_error", "test did not panic as expected"),
        (
            PANICS_WITH,
            "panicked",
            'panicked at tests.rs:1:2:\nno\nexpected the panic to contain "too \\"large\\"\\n\\u{1}"',
        ),
    ],
)
def test_a_failed_test_says_why(test: ExpectedTest, ending: str, message: str):
    result = RunResult(ending=ending, message="panicked at tests.rs:1:2:\nno", panic_text="no", output="printed")
    failed = outcomes.outcome(test, result)
    assert (failed.status, failed.message, failed.stdout) == ("failed", message, "printed")


@pytest.mark.parametrize(
    ("ending", "status", "message"),
    [
        ("panicked", 0, "failed without a message"),
        ("cpu_limit", 9, "stopped: it used up its CPU time"),
        ("wall_limit", 9, "stopped: it did not end in time, though it had CPU time left"),
        ("waiting_limit", 9, "stopped: it waited, and computed nothing, for longer than it may run"),
        ("flooded", 9, "stopped: it printed more than 256 MiB"),
        ("garbled", 9, "spoke where only the launcher's own code may"),
        ("littered", 0, "never ran: an earlier test left files that cannot be removed"),
        ("ended", 6, "the process ended before the test returned: aborted"),
        ("ended", 9, "the process ended before the test returned: killed"),
        ("ended", 11, "the process ended before the test returned: segmentation fault (or a stack that overflowed)"),
        ("ended", 31, "the process ended before the test returned: signal 31"),
        ("ended", 0, "the process exited with code 0 before the test returned"),
        ("ended", 7 << 8, "the process exited with code 7 before the test returned"),
    ],
)
def test_every_other_ending_is_a_failure_with_a_reason(ending: str, status: int, message: str):
    failed = outcomes.outcome(PLAIN, RunResult(ending=ending, status=status))
    assert (failed.status, failed.message) == ("failed", message)


def test_long_messages_are_cut():
    failed = outcomes.outcome(PLAIN, RunResult(ending="panicked", message="x" * 4000))
    assert len(failed.message) == 3900


@pytest.mark.parametrize(
    ("ending", "timed_out"),
    [("cpu_limit", "cpu"), ("waiting_limit", "wall"), ("wall_limit", "wall"), ("panicked", None), ("ended", None)],
)
def test_the_two_kinds_of_time_out_are_distinguished(ending: str, timed_out: str | None):
    assert outcomes.outcome(PLAIN, RunResult(ending=ending)).timed_out == timed_out


def test_an_early_exit_is_a_finding():
    (finding,) = outcomes.findings(PLAIN, RunResult(ending="ended"))
    assert (finding.kind, finding.detail) == ("early_exit", "tests::a: the process exited with code 0")


def test_writing_into_the_pipe_of_the_verdict_is_a_finding():
    (finding,) = outcomes.findings(PLAIN, RunResult(ending="garbled"))
    assert (finding.kind, finding.forbids) == ("forged_verdict", True)


@pytest.mark.parametrize(
    ("ending", "status"),
    [("ended", 6), ("ended", 95 << 8), ("ended", 96 << 8), ("panicked", 0), ("returned", 0), ("cpu_limit", 9)],
)
def test_a_signal_a_limit_or_an_object_that_does_not_load_is_not_an_early_exit(ending: str, status: int):
    assert list(outcomes.findings(PLAIN, RunResult(ending=ending, status=status))) == []
