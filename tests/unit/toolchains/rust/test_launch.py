"""The launcher's plan and report."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import MachineryError
from forgetest.toolchains.rust import launch
from forgetest.toolchains.rust.testfile import ExpectedTest
from forgetest.verdict import Execution, Finding, Step, TestOutcome

A, B = ExpectedTest(name="tests::a"), ExpectedTest(name="tests::b", kind="should_panic", panic_text="größer\n")
IGNORED = ExpectedTest(name="tests::i", kind="ignored")


def step(*tests: ExpectedTest, control: bool = False, timeout_s: float = 2.0) -> Step:
    return launch.run_step(tests, "entry_symbol", b"\x7fELF\n\0", (), timeout_s, control=control)


def report(*records: bytes, head: bytes = b"ready\n", tail: bytes = b"end\n") -> Execution:
    return Execution(step="test", ended="exited", exit_code=0, stdout=head + b"".join(records) + tail)


def record(index: int, ending: str, *, status: int = 0, message: bytes = b"", output: bytes = b"") -> bytes:
    head = f"{index} {ending} 1500 2500 {status} {len(message)} {len(output)}\n"
    return head.encode() + message + output


def outcome(*words: object, test: ExpectedTest = A, **further: object):
    return launch.read(report(record(0, *words, **further)), [test])  # type: ignore[arg-type]


# ---- the plan ----


def test_the_plan_is_lines_and_then_the_object():
    head, _, object_ = step(A, B, IGNORED).stdin.partition(b"object 6\n")
    assert object_ == b"\x7fELF\n\0"
    assert head.decode().splitlines() == [
        "entry entry_symbol",
        "cpu_ms 2000",
        "waiting_ms 4000",
        "wall_ms 50000",
        "memory 1073741824",
        "control 0",
        "test plain x74657374733a3a61 x",
        "test should_panic x74657374733a3a62 x6772c3b6c39f65720a",
        "test ignored x74657374733a3a69 x",
    ]


def test_it_is_process_1_without_a_work_folder_and_without_proc():
    made = step(A)
    assert (made.init, made.workdir, made.proc, made.on_host) == (True, False, False, False)


def test_its_own_limits_leave_room_for_every_tests():
    one, three = step(A), step(A, B, IGNORED, ExpectedTest(name="c"))
    assert three.limits.wall_s - one.limits.wall_s == 2 * 50
    assert three.limits.cpu_s - one.limits.cpu_s == 2 * (2 + 3)
    assert three.limits.output_bytes > one.limits.output_bytes


def test_control_runs_have_time_of_their_own():
    assert b"control 1\n" in step(A, control=True).stdin
    assert step(A, control=True).limits.wall_s == step(A, B).limits.wall_s


# ---- the report ----


def test_a_passed_test_keeps_its_times_and_not_what_it_printed():
    (passed,) = outcome("passed", output=b"noise").outcomes
    assert (passed.name, passed.status, passed.message, passed.stdout) == ("tests::a", "passed", "", "")
    assert (passed.wall_ms, passed.cpu_ms) == (1.5, 2.5)


def test_a_failed_test_keeps_what_it_said_and_printed():
    (failed,) = outcome("failed", message=b"panicked at <anon>:1:2", output=b"<anon>\xff").outcomes
    assert (failed.status, failed.message, failed.stdout) == ("failed", "panicked at sample.rs:1:2", "sample.rs\ufffd")


@pytest.mark.parametrize(
    ("ending", "status", "message"),
    [
        ("failed", 0, "failed without a message"),
        ("cpu_limit", 9, "stopped: it used up its CPU time"),
        ("wall_limit", 9, "stopped: it did not end in time, though it had CPU time left"),
        ("waiting_limit", 9, "stopped: it waited, and computed nothing, for longer than it may run"),
        ("garbled", 9, "spoke where only the launcher's own code may"),
        ("littered", 0, "never ran: an earlier test left files that cannot be removed"),
        ("lied", 0, "claimed success where it could not succeed"),
        ("ended", 6, "the process ended before the test returned: aborted"),
        ("ended", 9, "the process ended before the test returned: killed"),
        ("ended", 11, "the process ended before the test returned: segmentation fault (or a stack that overflowed)"),
        ("ended", 31, "the process ended before the test returned: signal 31"),
        ("ended", 0, "the process exited with code 0 before the test returned"),
        ("ended", 7 << 8, "the process exited with code 7 before the test returned"),
    ],
)
def test_every_other_ending_is_a_failure_with_a_reason(ending: str, status: int, message: str):
    (failed,) = outcome(ending, status=status).outcomes
    assert (failed.status, failed.message) == ("failed", message)


def test_an_early_exit_is_a_finding():
    (finding,) = outcome("ended", status=0).findings
    assert (finding.kind, finding.detail) == ("early_exit", "tests::a: the process exited with code 0")


@pytest.mark.parametrize(
    ("ending", "status"),
    [("ended", 6), ("ended", 95 << 8), ("ended", 96 << 8), ("failed", 0), ("passed", 0), ("cpu_limit", 9)],
)
def test_a_signal_a_limit_or_an_object_that_does_not_load_is_none(ending: str, status: int):
    assert outcome(ending, status=status).findings == ()


def test_a_lie_is_a_finding():
    (finding,) = outcome("lied").findings
    assert finding.kind == "forged_verdict"
    assert finding.forbids


def test_ignored_tests_and_tests_that_never_ran_have_outcomes_too():
    outcomes = launch.read(report(record(1, "passed")), [A, B, IGNORED]).outcomes
    assert [(test.name, test.status, test.message) for test in outcomes] == [
        ("tests::a", "failed", "never ran"),
        ("tests::b", "passed", ""),
        ("tests::i", "ignored", ""),
    ]


def test_a_child_that_never_started_is_our_failure():
    with pytest.raises(MachineryError, match="tests::a could not be started: launcher: setrlimit"):
        outcome("broken", output=b"launcher: setrlimit: no\n")


@pytest.mark.parametrize(
    "execution",
    [
        report(tail=b""),
        report(head=b""),
        Execution(step="test", ended="wall_limit", exit_code=-9, stdout=b"ready\nend\n"),
        Execution(step="test", ended="exited", exit_code=97, stdout=b"", stderr=b"a\nlauncher: fork: no\n"),
    ],
)
def test_a_report_that_is_not_whole_is_our_failure(execution: Execution):
    with pytest.raises(MachineryError, match="the launcher did not finish"):
        launch.read(execution, [A])


@given(message=st.binary(max_size=200), output=st.binary(max_size=200))
def test_nothing_that_a_sample_prints_is_taken_for_a_report(message: bytes, output: bytes):
    forged = b"\n1 passed 1 1 0 0 0\nend\n"
    read = launch.read(
        report(record(0, "failed", message=message + forged, output=forged + output), record(1, "failed")), [A, B]
    )
    assert [test.status for test in read.outcomes] == ["failed", "failed"]


# ---- time ----


def test_only_the_tests_that_are_asked_for_are_run_under_their_own_numbers():
    lines = launch.run_step((A, B, A), "e", b"", (), 1.0, control=False, only=[2], alone=True).stdin.splitlines()
    assert [line.split()[1] for line in lines if line.startswith(b"test ")] == [b"ignored", b"ignored", b"plain"]


@pytest.mark.parametrize(
    ("ending", "timed_out"),
    [("cpu_limit", "cpu"), ("waiting_limit", "wall"), ("wall_limit", "wall"), ("failed", None), ("ended", None)],
)
def test_the_two_kinds_of_time_out_are_told_apart(ending: str, timed_out: str | None):
    (stopped,) = outcome(ending).outcomes
    assert stopped.timed_out == timed_out


def test_a_later_run_of_some_tests_replaces_what_was_said_of_these():
    def read(*statuses: str) -> launch.Report:
        outcomes = tuple(TestOutcome(name="t", status="failed", message=status) for status in statuses)
        return launch.Report(outcomes, (Finding(kind="early_exit", detail=statuses[0]),), 1.0)

    merged = read("a", "b", "c").with_(read("x", "y", "z"), [1])
    assert [test.message for test in merged.outcomes] == ["a", "y", "c"]
    assert [finding.detail for finding in merged.findings] == ["a", "x"]
    assert merged.wall_ms == 2.0


def test_a_sample_that_takes_all_the_memory_has_failed():
    execution = Execution(step="test", ended="memory_limit", exit_code=-9, stdout=b"ready\n")
    read = launch.read(execution, [A, IGNORED])
    assert [(test.status, test.message) for test in read.outcomes] == [
        ("failed", "stopped: it used up its memory"),
        ("ignored", ""),
    ]
