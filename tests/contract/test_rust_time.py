"""Time-outs: what is one, what is none, and what is tried again before it is called one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.verdict import Execution, Step, TestOutcome
from grading import JudgeGrader, case_of, judge_one, judge_with

TESTS = """
#[test] fn first() { assert_eq!(work(1), 1); }
#[test] fn second() { assert_eq!(work(2), 2); }
"""
CASE = case_of(TESTS, ["fn work(x: u64) -> u64"], timeout_secs=1.0)
SPINNING = "pub fn work(x: u64) -> u64 { if x == 2 { loop { std::hint::spin_loop() } } x }"
SLEEPING = "pub fn work(x: u64) -> u64 { if x == 2 { std::thread::park() } x }"


class Watched(StepRunner):
    """A step_runner that remembers its steps, and may be made to bend what came of them."""

    def __init__(self, real: StepRunner, bend: Callable[[Step, Execution], Execution] = lambda _, seen: seen) -> None:
        self._real = real
        self._bend = bend
        self.steps: list[Step] = []

    def prepare(self, *arguments):  # type: ignore[no-untyped-def]
        return self._real.prepare(*arguments)

    def run(self, step: Step) -> Execution:
        self.steps.append(step)
        return self._bend(step, self._real.run(step))

    @property
    def names(self) -> list[str]:
        return [f"{step.name}, alone" if step.alone else step.name for step in self.steps]


def outcomes_of(step_runner: StepRunner, code: str, case: Case = CASE) -> tuple[TestOutcome, ...]:
    judge = judge_with(step_runner, "bubblewrap")
    judgement = judge_one(judge, code, case)
    assert judgement.verdict is not None, judgement.reason
    return judgement.verdict.tests


def test_a_test_that_computes_forever_runs_out_of_cpu_time(step_runner: StepRunner):
    watched = Watched(step_runner)
    first, second = outcomes_of(watched, SPINNING)
    assert (first.status, second.status) == ("passed", "failed")
    assert (first.timed_out, second.timed_out) == (None, "cpu")
    assert second.cpu_ms > 900
    # if a twin of the test was stopped first, the test itself is run as well
    assert watched.names in (["build", "test"], ["build", "test", "test"])


@pytest.mark.slow  # test_rust_sharing.py has a test that waits in the default lane
def test_a_test_that_waits_forever_is_run_again_alone(step_runner: StepRunner):
    watched = Watched(step_runner)
    first, second = outcomes_of(watched, SLEEPING)
    assert (first.status, second.status, second.timed_out) == ("passed", "failed", "wall")
    assert second.cpu_ms < 900
    assert "computed nothing" in second.message
    # if a twin of the test was stopped first, the test itself is run as well
    assert list(dict.fromkeys(watched.names)) == ["build", "test", "test, alone"]


def test_a_sample_with_a_panic_hook_gets_no_second_try(step_runner: StepRunner):
    """It could have learnt something in the first one, and the time at which the second begins would tell it."""
    watched = Watched(step_runner)
    hook = "std::panic::set_hook(Box::new(|_| {})); "
    first, second = outcomes_of(watched, SLEEPING.replace("{ if", "{ " + hook + "if"))
    assert (first.status, second.status, second.timed_out) == ("passed", "failed", "wall")
    assert watched.names == ["build", "test"]


def test_a_test_that_was_slowed_down_by_others_passes_when_run_alone(step_runner: StepRunner):
    """The first report says that the clock ran out; the machine was busy."""

    def busy(step: Step, seen: Execution) -> Execution:
        held_up = step.name == "test" and not step.alone
        return replace(seen, stdout=seen.stdout.replace(b" returned ", b" wall_limit ")) if held_up else seen

    watched = Watched(step_runner, busy)
    first, second = outcomes_of(watched, "pub fn work(x: u64) -> u64 { x }")
    assert (first.status, second.status, second.timed_out) == ("passed", "passed", None)
    assert watched.names == ["build", "test", "test, alone", "test, alone"]


def test_a_compiler_that_was_slowed_down_by_others_is_run_again_alone(step_runner: StepRunner):
    def busy(step: Step, seen: Execution) -> Execution:
        held_up = step.name == "build" and not step.alone
        return replace(seen, ended="wall_limit", exit_code=-9, outputs={}) if held_up else seen

    watched = Watched(step_runner, busy)
    assert {test.status for test in outcomes_of(watched, "pub fn work(x: u64) -> u64 { x }")} == {"passed"}
    assert watched.names == ["build", "build, alone", "test"]


def counting(rounds: int) -> str:
    """Code that computes for a number of rounds if x is 2."""
    return (
        f"pub fn work(x: u64) -> u64 {{ let mut n = 0u64; while x == 2 && n < {rounds} {{ "
        "n = std::hint::black_box(n + 1); } x }"
    )


def test_on_a_slow_machine_the_time_limit_follows_the_reference_solution(step_runner: StepRunner, grade: JudgeGrader):
    """A budget that the sample exceeds and the reference nearly does: on this machine, it takes what it takes."""
    rounds = 50_000_000
    unhurried = grade(counting(rounds), replace(CASE, id="calibration", timeout_secs=60.0))
    needed_s = unhurried.verdict.tests[1].cpu_ms / 1000
    case = replace(CASE, id="slow-machine", timeout_secs=needed_s / 5)
    (_, without) = outcomes_of(step_runner, counting(rounds), case)
    assert without.timed_out == "cpu"
    watched = Watched(step_runner)
    with_reference = replace(case, reference_solution=counting(rounds // 2) + " // the same, but quicker")
    (_, slow) = outcomes_of(watched, counting(rounds), with_reference)
    assert (slow.status, slow.timed_out) == ("passed", None)
    # the reference solution is built once; if a twin of the test was stopped first, the test itself is run as well
    assert watched.names.count("build") == 2
    assert set(watched.names) == {"build", "test"}
    (_, stuck) = outcomes_of(step_runner, SPINNING, with_reference)
    assert stuck.timed_out == "cpu"


def test_a_test_that_sleeps_for_less_than_it_may_run_passes(grade: JudgeGrader):
    code = "pub fn work(x: u64) -> u64 { std::thread::sleep(std::time::Duration::from_millis(300)); x }"
    assert grade(code, CASE).correct


def no_room(step: Step, seen: Execution, names: tuple[str, ...]) -> Execution:
    """As if the compiler had found no room in the steps of these names."""
    stderr = b'{"message":"could not write output to /w/x.o: No space left on device","level":"error","spans":[]}\n'
    return replace(seen, exit_code=1, stderr=stderr, outputs={}) if step.name in names else seen


def test_a_sample_is_unjudged_if_the_compiler_has_no_disk_space_for_any_sample(step_runner: StepRunner):
    watched = Watched(step_runner, lambda step, seen: no_room(step, seen, ("build", "build of nothing")))
    judge = judge_with(watched, "bubblewrap")
    judgement = judge_one(judge, "fn f() {}", CASE)
    assert judgement.verdict is None
    assert "No space left on device" in str(judgement.reason)


def test_a_sample_fails_if_the_compiler_lacks_space_for_it_alone(step_runner: StepRunner):
    watched = Watched(step_runner, lambda step, seen: no_room(step, seen, ("build",)))
    first, second = outcomes_of(watched, "pub fn work(x: u64) -> u64 { x }")
    assert (first.status, second.status) == ("failed", "failed")
    assert "No space left on device" in first.message
    assert watched.names == ["build", "build of nothing", "build", "build without tests"]


def test_a_build_that_succeeds_when_repeated_counts(step_runner: StepRunner):
    tries: list[str] = []

    def once(step: Step, seen: Execution) -> Execution:
        tries.append(step.name)
        return no_room(step, seen, ("build",)) if tries.count("build") == 1 else seen

    watched = Watched(step_runner, once)
    assert {test.status for test in outcomes_of(watched, "pub fn work(x: u64) -> u64 { x }")} == {"passed"}
    assert watched.names == ["build", "build of nothing", "build", "test"]
