from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.sample import Recheck
from forgetest.testing.fakes import FakePrepared, FakeSandbox, FakeToolchain
from forgetest.toolchains import Toolchain
from forgetest.verdict import Condition, Execution, Step
from grading import judge_one, judge_with
from specimens import a_case, a_verdict

CASE = a_case()

Judging = Callable[..., Judged]


@pytest.fixture
def judging(tmp_path: Path) -> Judging:
    def judge(
        code: str,
        sandbox: FakeSandbox | None = None,
        case: Case = CASE,
        toolchain: Toolchain | None = None,
        **task: Any,
    ) -> Judged:
        step_runner = StepRunner(sandbox or FakeSandbox(), tmp_path, {})
        judge = judge_with(step_runner, "fake", toolchain or FakeToolchain())
        [[judged]] = judge.judge([JudgeTask(number=7, case=case, code=code, **task)])
        assert judged.number == 7
        return judged

    return judge


def test_the_verdict_names_the_sandbox(judging: Judging) -> None:
    verdict = judging("fn f() {}").verdict

    assert verdict is not None
    assert verdict.provenance.sandbox == "fake"


def failing(times: int) -> FakeSandbox:
    """A sandbox that fails so often before it works."""

    def run(step: Step) -> Execution:
        if len(sandbox.steps) <= times:
            raise MachineryError("the sandbox did not start")
        return Execution(step=step.name, ended="exited", exit_code=0)

    sandbox = FakeSandbox(run)
    return sandbox


def test_a_failure_of_our_own_is_tried_again(judging: Judging) -> None:
    sandbox = failing(2)

    assert judging("fn f() {}", sandbox).verdict is not None
    assert len(sandbox.steps) == 3


def test_a_failure_of_our_own_that_stays_leaves_the_sample_unjudged(judging: Judging) -> None:
    judged = judging("fn f() {}", failing(99))

    assert judged.reason == "the sandbox did not start"
    assert judged.verdict is None


def test_a_kill_from_outside_is_not_the_samples_fault(judging: Judging) -> None:
    sandbox = FakeSandbox(lambda step: Execution(step=step.name, ended="signalled", exit_code=-9))

    judged = judging("fn f() {}", sandbox)

    assert judged.verdict is None
    assert "out of memory" in str(judged.reason)


def test_a_bug_in_a_toolchain_is_not_hidden(judging: Judging) -> None:
    class Broken(FakeToolchain):
        def next(self, prepared: object, case: Case, code: str, executions: Sequence[Execution]) -> Step:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        judging("fn f() {}", toolchain=Broken())


@pytest.mark.parametrize(("exit_code", "holds"), [(0, True), (3, False)])
def test_a_custom_check_gets_the_code_and_its_exit_code_decides(judging: Judging, exit_code: int, holds: bool) -> None:
    sandbox = FakeSandbox(
        lambda step: Execution(step=step.name, ended="exited", exit_code=exit_code, stderr=b"no loop")
    )
    case = a_case(custom_check="grep -q loop")

    verdict = judging("fn f() {}", sandbox, case).verdict

    assert verdict is not None
    detail = "" if holds else "exited 3 no loop"
    assert verdict.conditions == (Condition(name="custom_check", holds=holds, detail=detail),)
    assert sandbox.steps[-1].stdin == b"fn f() {}"
    assert sandbox.steps[-1].argv == ("/bin/sh", "-c", "grep -q loop")


def test_a_case_is_prepared_once_however_many_samples_come_at_once(tmp_path: Path) -> None:
    class Counting(FakeToolchain):
        prepared = 0

        def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | FakePrepared:
            self.prepared += 1
            return super().prepare(case, executions)

    toolchain = Counting()
    judge = judge_with(StepRunner(FakeSandbox(), tmp_path, {}), "fake", toolchain)
    threads = [threading.Thread(target=judge_one, args=(judge, "fn f() {}", CASE)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert toolchain.prepared == 1


def test_a_machine_that_has_no_room_leaves_the_sample_unjudged(judging: Judging) -> None:
    def run(step: Step) -> Execution:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    judged = judging("fn f() {}", FakeSandbox(run))

    assert judged.verdict is None
    assert judged.reason == "[Errno 28] No space left on device"


def test_the_last_try_is_made_alone(judging: Judging) -> None:
    sandbox = failing(2)

    judging("fn f() {}", sandbox)

    assert [step.alone for step in sandbox.steps] == [False, False, True]


def test_a_custom_check_that_the_clock_stopped_is_asked_again_alone(judging: Judging) -> None:
    def run(step: Step) -> Execution:
        held_up = step.name == "custom check" and not step.alone
        return Execution(step=step.name, ended="wall_limit" if held_up else "exited", exit_code=-9 if held_up else 0)

    sandbox = FakeSandbox(run)
    judged = judging("fn f() {}", sandbox, case=a_case(custom_check="true"))

    assert judged.verdict is not None
    assert judged.verdict.conditions[-1].holds
    assert [step.name for step in sandbox.steps] == ["judge", "custom check", "custom check"]


def test_a_custom_check_that_was_killed_from_outside_is_not_the_samples_failure(judging: Judging) -> None:
    def run(step: Step) -> Execution:
        killed = step.name == "custom check"
        return Execution(step=step.name, ended="signalled" if killed else "exited", exit_code=-9 if killed else 0)

    assert judging("fn f() {}", FakeSandbox(run), case=a_case(custom_check="true")).verdict is None


def test_a_known_verdict_is_not_observed_again(judging: Judging) -> None:
    sandbox, known = FakeSandbox(), a_verdict()

    judged = judging("fn f() {}", sandbox, verdict=known)

    assert judged.verdict == known
    assert not judged.lasting
    assert sandbox.steps == []


def test_a_known_verdict_gets_the_custom_check_that_it_lacks_and_no_second_one(judging: Judging) -> None:
    sandbox, case = FakeSandbox(), a_case(custom_check="true")

    first = judging("fn f() {}", sandbox, case, verdict=a_verdict())
    judging("fn f() {}", sandbox, case, verdict=first.verdict)

    assert [step.name for step in sandbox.steps] == ["custom check"]
    assert first.verdict is not None
    assert first.verdict.conditions == (Condition(name="custom_check", holds=True),)


def test_a_verdict_that_the_clock_decided_does_not_last(judging: Judging) -> None:
    stopped = FakeSandbox(lambda step: Execution(step=step.name, ended="cpu_limit", exit_code=-24))

    assert judging("fn f() {}").lasting
    assert not judging("fn f() {}", stopped).lasting


def test_a_known_verdict_is_rechecked_as_often_as_asked_for(judging: Judging) -> None:
    sandbox = FakeSandbox()

    judged = judging("fn f() {}", sandbox, verdict=a_verdict(failed=1), recheck=2)

    assert len(sandbox.steps) == 2
    assert judged.recheck == Recheck(times=2, disagreeing=2, changes=("test t4, then none",))
