"""The launcher's plan and report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.errors import MachineryError
from forgetest.toolchains.controls import Answer, Twin
from forgetest.toolchains.rust.compile import diagnostics
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.run import launch
from forgetest.toolchains.rust.run.launch import SampleTests, TestReport, TestRun
from forgetest.verdict import Execution, Finding, Step, TestOutcome

A, B = ExpectedTest(name="tests::a"), ExpectedTest(name="tests::b", kind="should_panic", panic_text="größer\n")
IGNORED = ExpectedTest(name="tests::i", kind="ignored")


def twin(test: int = 0, number: int = 0) -> Twin:
    return Twin(test=test, number=number, certain=True)


def single_runs(tests: Sequence[ExpectedTest]) -> list[TestRun]:
    return [TestRun(test=index) for index, test in enumerate(tests) if test.kind != "ignored"]


def part_of(*tests: ExpectedTest, timeout_s: float = 2.0, runs: Sequence[TestRun] | None = None) -> SampleTests:
    runs = single_runs(tests) if runs is None else runs
    return SampleTests(tests=tests, entry="entry_symbol", cpu_s=timeout_s, runs=runs)


def step(*tests: ExpectedTest, runs: Sequence[TestRun] | None = None) -> Step:
    return launch.run_step([part_of(*tests, runs=runs)], b"\x7fELF\n\0", ())


def read(execution: Execution, *tests: ExpectedTest, runs: Sequence[TestRun] | None = None) -> TestReport:
    return launch.read_report(execution, part_of(*tests, runs=runs))


def report(*records: bytes, head: bytes = b"ready\n", tail: bytes = b"end\n") -> Execution:
    return Execution(step="test", ended="exited", exit_code=0, stdout=head + b"".join(records) + tail)


def record(
    index: int, ending: str, *, status: int = 0, message: bytes = b"", panic_text: bytes = b"", output: bytes = b""
) -> bytes:
    head = f"{index} {ending} 1500 2500 {status} {len(message)} {len(panic_text)} {len(output)}\n"
    return head.encode() + message + panic_text + output


def outcome(*words: object, test: ExpectedTest = A, **further: object):
    return read(report(record(0, *words, **further)), test)  # type: ignore[arg-type]


# ---- the plan ----


def test_the_plan_is_lines_and_then_the_object():
    head, _, object_ = step(A, B, IGNORED).stdin.partition(b"object 6\n")
    assert object_ == b"\x7fELF\n\0"
    assert head.decode().splitlines() == [
        f"input {len(step(A, B, IGNORED).stdin) - len('input 124') - 1}",
        "memory 1073741824",
        "part entry_symbol 2000 4000 50000",
        "run 0 x74657374733a3a61 x",
        "run 1 x74657374733a3a62 x",
    ]


def test_the_plan_does_not_say_how_a_test_should_end():
    """A sample may find the plan in its memory: two runs of a test differ in their choices alone."""
    plain, panicking = ExpectedTest(name="t"), ExpectedTest(name="t", kind="should_panic", panic_text="expected")
    runs = [TestRun(test=0, choices=b"\x5a"), TestRun(test=0, choices=b"\xa5", twin=twin())]
    swapped = [TestRun(test=0, choices=b"\x5a", twin=twin()), TestRun(test=0, choices=b"\xa5")]
    assert step(plain, runs=runs) == step(panicking, runs=runs) == step(plain, runs=swapped)
    assert b"run 0 x74 x5a\nrun 0 x74 xa5\n" in step(plain, runs=runs).stdin


def test_the_plan_of_several_samples_says_after_which_runs_no_twin_is_needed():
    """The launcher keeps that to itself. Nothing of it is handed to a run."""
    runs = [TestRun(test=0, twin=twin()), TestRun(test=0)]
    lines = launch.run_step([part_of(A, runs=runs), part_of(A)], b"", ()).stdin.decode().splitlines()
    assert [line.split(maxsplit=3)[3:] for line in lines if line.startswith("run ")] == [
        ["x"],
        ["x decisive"],
        ["x decisive"],
    ]


def test_the_launcher_is_process_1_without_a_work_folder_or_proc():
    made = step(A)
    assert (made.init, made.workdir, made.proc, made.on_host) == (True, False, False, False)


def test_the_launchers_limits_cover_those_of_all_tests():
    one, three = step(A), step(A, B, IGNORED, ExpectedTest(name="c"))
    assert three.limits.wall_s - one.limits.wall_s == 2 * 50
    assert three.limits.cpu_s - one.limits.cpu_s == 2 * (2 + 3)
    assert three.limits.output_bytes > one.limits.output_bytes


def test_every_run_gets_time_and_room_of_its_own():
    twice = step(A, runs=[TestRun(test=0), TestRun(test=0, twin=twin())])
    assert twice.limits == step(A, B).limits


# ---- the report ----


def test_a_passed_test_keeps_its_times_but_not_its_output():
    (passed,) = outcome("returned", output=b"noise").outcomes
    assert (passed.name, passed.status, passed.message, passed.stdout) == ("tests::a", "passed", "", "")
    assert (passed.wall_ms, passed.cpu_ms) == (1.5, 2.5)


def test_a_failed_test_keeps_its_message_and_output():
    (failed,) = outcome("panicked", message=b"panicked at <anon>:1:2", output=b"<anon>\xff").outcomes
    assert (failed.status, failed.message, failed.stdout) == ("failed", "panicked at sample.rs:1:2", "sample.rs\ufffd")


def test_ignored_tests_and_tests_that_never_ran_have_outcomes_too():
    outcomes = read(report(record(1, "panicked", panic_text="größer\n".encode())), A, B, IGNORED).outcomes
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
    forged = b"\n1 returned 1 1 0 0 0 0\nend\n"
    first = record(0, "panicked", message=message + forged, panic_text=forged + message, output=forged + output)
    found = read(report(first, record(1, "returned_error")), A, A)
    assert [test.status for test in found.outcomes] == ["failed", "failed"]


# ---- time ----


def test_a_later_run_of_some_tests_replaces_their_outcomes():
    def report_of(*statuses: str) -> TestReport:
        outcomes = tuple(TestOutcome(name="t", status="failed", message=status) for status in statuses)
        answers = tuple(Answer(twin=twin(test, ord(status)), passed=True) for test, status in enumerate(statuses))
        return TestReport(outcomes, (Finding(kind="early_exit", detail=statuses[0]),), 1.0, answers)

    merged = report_of("a", "b", "c").with_(report_of("x", "y", "z"), [1])
    assert [test.message for test in merged.outcomes] == ["a", "y", "c"]
    assert [finding.detail for finding in merged.findings] == ["a", "x"]
    assert sorted(chr(answer.twin.number) for answer in merged.answers) == ["a", "c", "y"]
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
        replace(part_of(A, IGNORED, A, timeout_s=1.0), entry="one", files=diagnostics.shared_file_names(0)),
        replace(part_of(A, timeout_s=0.5), entry="two", files=diagnostics.shared_file_names(7)),
    ]
    lines = launch.run_step(parts, b"", ()).stdin.decode().splitlines()
    assert [line for line in lines if line.startswith("part")] == [
        "part one 1000 3000 40000",
        "part two 500 2500 35000",
    ]
    assert [line.split()[0] for line in lines[2:]] == ["part", "run", "run", "part", "run", "object"]

    failed = record(2, "panicked", message=b"panicked at 7/sample.rs:3:4, not in 0/sample.rs")
    first, second = launch.read_reports(report(record(0, "returned"), record(1, "ended", status=0), failed), parts)
    assert [test.status for test in first.outcomes] == ["passed", "ignored", "failed"]
    assert [finding.kind for finding in first.findings] == ["early_exit"]
    assert second.outcomes[0].message == "panicked at sample.rs:3:4, not in 0/sample.rs"
    assert second.findings == ()


@pytest.mark.parametrize(
    ("ending", "undisturbed"),
    [
        ("returned", True),
        ("returned_error", True),
        ("panicked", True),
        ("assertion_failed", True),
        ("cpu_limit", False),
        ("waiting_limit", False),
        ("wall_limit", False),
        ("garbled", False),
        ("littered", False),
    ],
)
def test_only_ordinary_endings_count_as_undisturbed(ending: str, undisturbed: bool):
    assert launch.is_undisturbed(outcome(ending)) == undisturbed


@pytest.mark.parametrize("status", [6, 11, 5, 9, 0, 96 << 8])
def test_a_process_that_ended_before_its_test_returned_was_disturbed(status: int):
    assert not launch.is_undisturbed(outcome("ended", status=status))


def test_a_test_that_never_ran_was_disturbed():
    assert not launch.is_undisturbed(read(report(record(1, "returned")), A, A))


# ---- twins ----

PAIR = (TestRun(test=0, choices=b"a"), TestRun(test=0, choices=b"b", twin=twin()))


@pytest.mark.parametrize(
    ("own", "other", "status", "answers"),
    [
        ("returned", "assertion_failed", "passed", [False]),
        ("returned", "panicked", "passed", [False]),
        ("returned", "returned", "passed", [True]),
        ("panicked", "returned", "failed", [True]),
        ("returned", "ended", "passed", []),
        ("returned", "cpu_limit", "passed", []),
        ("returned", "littered", "passed", []),
    ],
)
def test_twins_that_came_to_an_end_are_answers_and_decide_no_outcome(
    own: str, other: str, status: str, answers: list[bool]
):
    found = read(report(record(0, own), record(1, other, status=9)), A, runs=PAIR)
    assert found.outcomes[0].status == status
    assert found.answers == tuple(Answer(twin=twin(), passed=passed) for passed in answers)
    assert found.unanswered == (not answers)


def test_each_twin_has_its_own_answer():
    runs = [*PAIR, TestRun(test=2, twin=twin(2, 5)), TestRun(test=2), TestRun(test=2, twin=twin(2, 6))]
    endings = ("returned", "returned", "returned", "returned", "assertion_failed")
    found = read(report(*(record(index, ending) for index, ending in enumerate(endings))), A, IGNORED, A, runs=runs)
    assert found.answers == (
        Answer(twin=twin(), passed=True),
        Answer(twin=twin(2, 5), passed=True),
        Answer(twin=twin(2, 6), passed=False),
    )


def test_a_report_with_a_passed_twin_is_doubtful():
    """A sample that shares an object is judged alone then."""
    assert launch.is_undisturbed(read(report(record(0, "returned"), record(1, "assertion_failed")), A, runs=PAIR))
    assert not launch.is_undisturbed(read(report(record(0, "returned"), record(1, "returned")), A, runs=PAIR))


def test_a_report_with_a_twin_that_was_ended_is_doubtful():
    assert not launch.is_undisturbed(read(report(record(0, "returned"), record(1, "ended", status=31)), A, runs=PAIR))


def test_a_test_fails_if_one_of_its_own_runs_fails():
    runs = [TestRun(test=0), TestRun(test=0), TestRun(test=0)]
    found = read(
        report(record(0, "returned"), record(1, "panicked", message=b"no"), record(2, "returned")), A, runs=runs
    )
    assert (found.outcomes[0].status, found.outcomes[0].message) == ("failed", "no")


def test_the_time_out_of_a_twin_stands_for_the_test_whose_own_run_it_replaced():
    """The launcher skips the second run after a time-out, so that a loop does not cost twice the time."""
    found = read(report(record(0, "cpu_limit", status=9)), A, runs=PAIR[::-1])
    assert (found.outcomes[0].status, found.outcomes[0].timed_out) == ("failed", "cpu")


def test_a_test_that_a_twins_time_out_kept_from_running_is_to_be_run_again():
    skipped = read(report(record(0, "cpu_limit", status=9)), A, runs=PAIR[::-1])
    assert skipped.not_run == (0,)
    ran = read(report(record(0, "cpu_limit", status=9)), A, runs=PAIR)
    assert ran.not_run == ()


def test_attempts_to_cheat_are_found_in_twins_too_and_named_once():
    found = read(report(record(0, "ended"), record(1, "ended")), A, runs=PAIR)
    assert [finding.kind for finding in found.findings] == ["early_exit"]
    found = read(report(record(0, "returned"), record(1, "garbled")), A, runs=PAIR)
    assert [finding.kind for finding in found.findings] == ["forged_verdict"]
