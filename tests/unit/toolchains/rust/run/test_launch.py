"""The launcher's plan and report."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import MachineryError
from forgetest.toolchains.rust.compile import diagnostics
from forgetest.toolchains.rust.compile.testfile import ExpectedTest
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import SampleTests, TestReport
from forgetest.verdict import Execution, Finding, Step, TestOutcome

A, B = ExpectedTest(name="tests::a"), ExpectedTest(name="tests::b", kind="should_panic", panic_text="größer\n")
IGNORED = ExpectedTest(name="tests::i", kind="ignored")


def step(*tests: ExpectedTest, control: bool = False, timeout_s: float = 2.0) -> Step:
    part = SampleTests(tests=tests, entry="entry_symbol", cpu_s=timeout_s)
    return launch.run_step([part], b"\x7fELF\n\0", (), control=control)


def read(execution: Execution, *tests: ExpectedTest) -> TestReport:
    return launch.read_report(execution, SampleTests(tests=tests, entry="entry_symbol", cpu_s=2.0))


def report(*records: bytes, head: bytes = b"ready\n", tail: bytes = b"end\n") -> Execution:
    return Execution(step="test", ended="exited", exit_code=0, stdout=head + b"".join(records) + tail)


def record(index: int, ending: str, *, status: int = 0, message: bytes = b"", output: bytes = b"") -> bytes:
    head = f"{index} {ending} 1500 2500 {status} {len(message)} {len(output)}\n"
    return head.encode() + message + output


def outcome(*words: object, test: ExpectedTest = A, **further: object):
    return read(report(record(0, *words, **further)), test)  # type: ignore[arg-type]


# ---- the plan ----


def test_the_plan_is_lines_and_then_the_object():
    head, _, object_ = step(A, B, IGNORED).stdin.partition(b"object 6\n")
    assert object_ == b"\x7fELF\n\0"
    assert head.decode().splitlines() == [
        "memory 1073741824",
        "control 0",
        "part entry_symbol 2000 4000 50000",
        "test plain x74657374733a3a61 x",
        "test should_panic x74657374733a3a62 x6772c3b6c39f65720a",
        "test ignored x74657374733a3a69 x",
    ]


def test_the_launcher_is_process_1_without_a_work_folder_or_proc():
    made = step(A)
    assert (made.init, made.workdir, made.proc, made.on_host) == (True, False, False, False)


def test_the_launchers_limits_cover_those_of_all_tests():
    one, three = step(A), step(A, B, IGNORED, ExpectedTest(name="c"))
    assert three.limits.wall_s - one.limits.wall_s == 2 * 50
    assert three.limits.cpu_s - one.limits.cpu_s == 2 * (2 + 3)
    assert three.limits.output_bytes > one.limits.output_bytes


def test_control_runs_get_time_of_their_own():
    assert b"control 1\n" in step(A, control=True).stdin
    assert step(A, control=True).limits.wall_s == step(A, B).limits.wall_s


# ---- the report ----


def test_a_passed_test_keeps_its_times_but_not_its_output():
    (passed,) = outcome("passed", output=b"noise").outcomes
    assert (passed.name, passed.status, passed.message, passed.stdout) == ("tests::a", "passed", "", "")
    assert (passed.wall_ms, passed.cpu_ms) == (1.5, 2.5)


def test_a_failed_test_keeps_its_message_and_output():
    (failed,) = outcome("failed", message=b"panicked at <anon>:1:2", output=b"<anon>\xff").outcomes
    assert (failed.status, failed.message, failed.stdout) == ("failed", "panicked at sample.rs:1:2", "sample.rs\ufffd")


@pytest.mark.parametrize(
    ("ending", "status", "message"),
    [
        ("failed", 0, "failed without a message"),
        ("cpu_limit", 9, "stopped: it used up its CPU time"),
        ("wall_limit", 9, "stopped: it did not end in time, though it had CPU time left"),
        ("waiting_limit", 9, "stopped: it waited, and computed nothing, for longer than it may run"),
        ("flooded", 9, "stopped: it printed more than 256 MiB"),
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
def test_a_signal_a_limit_or_an_object_that_does_not_load_is_not_an_early_exit(ending: str, status: int):
    assert outcome(ending, status=status).findings == ()


def test_a_success_claimed_in_a_control_run_is_a_finding():
    (finding,) = outcome("lied").findings
    assert finding.kind == "forged_verdict"
    assert finding.forbids


def test_ignored_tests_and_tests_that_never_ran_have_outcomes_too():
    outcomes = read(report(record(1, "passed")), A, B, IGNORED).outcomes
    assert [(test.name, test.status, test.message) for test in outcomes] == [
        ("tests::a", "failed", "never ran"),
        ("tests::b", "passed", ""),
        ("tests::i", "ignored", ""),
    ]


def test_a_child_that_never_started_is_a_failure_of_the_machine():
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
def test_an_incomplete_report_is_a_failure_of_the_machine(execution: Execution):
    with pytest.raises(MachineryError, match="the launcher did not finish"):
        read(execution, A)


@given(message=st.binary(max_size=200), output=st.binary(max_size=200))
def test_no_output_of_a_sample_is_mistaken_for_a_report(message: bytes, output: bytes):
    forged = b"\n1 passed 1 1 0 0 0\nend\n"
    found = read(
        report(record(0, "failed", message=message + forged, output=forged + output), record(1, "failed")), A, B
    )
    assert [test.status for test in found.outcomes] == ["failed", "failed"]


# ---- time ----


def test_selected_tests_keep_their_numbers():
    part = SampleTests(tests=(A, B, A), entry="e", cpu_s=1.0, only=[2])
    lines = launch.run_step([part], b"", (), alone=True).stdin.splitlines()
    assert [line.split()[1] for line in lines if line.startswith(b"test ")] == [b"ignored", b"ignored", b"plain"]


@pytest.mark.parametrize(
    ("ending", "timed_out"),
    [("cpu_limit", "cpu"), ("waiting_limit", "wall"), ("wall_limit", "wall"), ("failed", None), ("ended", None)],
)
def test_the_two_kinds_of_time_out_are_distinguished(ending: str, timed_out: str | None):
    (stopped,) = outcome(ending).outcomes
    assert stopped.timed_out == timed_out


def test_a_later_run_of_some_tests_replaces_their_outcomes():
    def report_of(*statuses: str) -> TestReport:
        outcomes = tuple(TestOutcome(name="t", status="failed", message=status) for status in statuses)
        return TestReport(outcomes, (Finding(kind="early_exit", detail=statuses[0]),), 1.0)

    merged = report_of("a", "b", "c").with_(report_of("x", "y", "z"), [1])
    assert [test.message for test in merged.outcomes] == ["a", "y", "c"]
    assert [finding.detail for finding in merged.findings] == ["a", "x"]
    assert merged.wall_ms == 2.0


def test_a_sample_that_takes_all_the_memory_has_failed():
    execution = Execution(step="test", ended="memory_limit", exit_code=-9, stdout=b"ready\n")
    found = read(execution, A, IGNORED)
    assert [(test.status, test.message) for test in found.outcomes] == [
        ("failed", "stopped: it used up its memory"),
        ("ignored", ""),
    ]


# ---- several samples ----


def test_each_sample_has_its_own_part_of_the_plan_and_of_the_report():
    parts = [
        SampleTests(tests=(A, IGNORED, B), entry="one", cpu_s=1.0, files=diagnostics.shared_file_names(0)),
        SampleTests(tests=(A,), entry="two", cpu_s=0.5, files=diagnostics.shared_file_names(7)),
    ]
    lines = launch.run_step(parts, b"", ()).stdin.decode().splitlines()
    assert [line for line in lines if line.startswith("part")] == [
        "part one 1000 3000 40000",
        "part two 500 2500 35000",
    ]
    assert [line.split()[0] for line in lines[2:]] == ["part", "test", "test", "test", "part", "test", "object"]

    failed = record(3, "failed", message=b"panicked at 7/sample.rs:3:4, not in 0/sample.rs")
    first, second = launch.read_reports(report(record(0, "passed"), record(2, "ended", status=0), failed), parts)
    assert [test.status for test in first.outcomes] == ["passed", "ignored", "failed"]
    assert [finding.kind for finding in first.findings] == ["early_exit"]
    assert second.outcomes[0].message == "panicked at sample.rs:3:4, not in 0/sample.rs"
    assert second.findings == ()


@pytest.mark.parametrize(
    ("ending", "undisturbed"),
    [
        ("passed", True),
        ("failed", True),
        ("cpu_limit", False),
        ("waiting_limit", False),
        ("wall_limit", False),
        ("garbled", False),
        ("littered", False),
    ],
)
def test_only_ordinary_endings_count_as_undisturbed(ending: str, undisturbed: bool):
    assert launch.is_undisturbed(outcome(ending)) == undisturbed


@pytest.mark.parametrize(("status", "undisturbed"), [(6, True), (11, True), (9, False), (0, False), (96 << 8, False)])
def test_a_crash_counts_as_undisturbed_but_a_kill_or_an_exit_does_not(status: int, undisturbed: bool):
    assert launch.is_undisturbed(outcome("ended", status=status)) == undisturbed


def test_a_test_that_never_ran_was_disturbed():
    assert not launch.is_undisturbed(read(report(record(1, "passed")), A, B))
