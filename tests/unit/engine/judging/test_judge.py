from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import pytest

from fakes import FakeSandbox, FakeToolchain, Ready
from forgetest.engine.judging.judge import Judge, Judgement
from forgetest.engine.judging.step_runner import Workshop
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.sample import Completion
from forgetest.toolchains import Toolchain
from forgetest.verdict import Condition, Execution, Step
from specimens import a_case, an_eval_set

CASE = a_case()
SET = an_eval_set(CASE)

Judging = Callable[..., Judgement]


@pytest.fixture
def judging(tmp_path: Path) -> Judging:
    def judge(
        completion: Completion,
        sandbox: FakeSandbox | None = None,
        case: Case = CASE,
        toolchain: Toolchain | None = None,
    ) -> Judgement:
        workshop = Workshop(sandbox or FakeSandbox(), tmp_path, {})
        return Judge(workshop, {"rust": toolchain or FakeToolchain()}, "fake").judge(SET, case, completion)

    return judge


def code(text: str) -> Completion:
    return Completion(text=text, verbatim=True)


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        (Completion(text="I cannot help with that.", finish="refusal"), "the model refused"),
        (Completion(text=" \n\t"), "the answer is empty"),
        (Completion(text="Recursion is when a function calls itself."), "the answer has no code"),
        (Completion(text="```rust\nfn f() {", finish="length"), "the answer was cut off by the token limit"),
        (Completion(text="```rust\nfn f() {}\n```", finish="length"), "the answer was cut off by the token limit"),
    ],
    ids=["refusal", "empty", "no code", "cut off", "cut off behind the code"],
)
def test_an_answer_without_whole_code_is_judged_and_nothing_is_run(
    judging: Judging, completion: Completion, reason: str
) -> None:
    sandbox = FakeSandbox()

    judgement = judging(completion, sandbox)

    assert judgement.reason == reason
    assert not judgement.unjudged
    assert judgement.verdict is None
    assert sandbox.steps == []


def test_the_code_is_taken_out_of_an_answer(judging: Judging) -> None:
    judgement = judging(Completion(text="Sure:\n```rust\nfn f() {}\n```\nDone."))

    assert judgement.code is not None
    assert judgement.code.strip() == "fn f() {}"
    assert judgement.verdict is not None
    assert judgement.reason is None


def test_verbatim_text_is_code_as_it_stands(judging: Judging) -> None:
    text = "// ```rust\nfn f() {}\n// ```\n"

    assert judging(code(text)).code == text


def test_the_verdict_names_the_sandbox(judging: Judging) -> None:
    verdict = judging(code("fn f() {}")).verdict

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

    assert judging(code("fn f() {}"), sandbox).verdict is not None
    assert len(sandbox.steps) == 3


def test_a_failure_of_our_own_that_stays_leaves_the_sample_unjudged(judging: Judging) -> None:
    judgement = judging(code("fn f() {}"), failing(99))

    assert judgement.unjudged
    assert judgement.reason == "the sandbox did not start"
    assert judgement.verdict is None
    assert judgement.code == "fn f() {}"


def test_a_kill_from_outside_is_not_the_samples_fault(judging: Judging) -> None:
    sandbox = FakeSandbox(lambda step: Execution(step=step.name, ended="signalled", exit_code=-9))

    judgement = judging(code("fn f() {}"), sandbox)

    assert judgement.unjudged
    assert "out of memory" in str(judgement.reason)


def test_a_bug_in_a_toolchain_is_not_hidden(judging: Judging) -> None:
    class Broken(FakeToolchain):
        def next(self, prepared: object, case: Case, code: str, executions: Sequence[Execution]) -> Step:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        judging(code("fn f() {}"), toolchain=Broken())


@pytest.mark.parametrize(("exit_code", "holds"), [(0, True), (3, False)])
def test_a_custom_check_gets_the_code_and_its_exit_code_decides(judging: Judging, exit_code: int, holds: bool) -> None:
    sandbox = FakeSandbox(
        lambda step: Execution(step=step.name, ended="exited", exit_code=exit_code, stderr=b"no loop")
    )
    case = a_case(custom_check="grep -q loop")

    verdict = judging(code("fn f() {}"), sandbox, case).verdict

    assert verdict is not None
    detail = "" if holds else "exited 3 no loop"
    assert verdict.conditions == (Condition(name="custom_check", holds=holds, detail=detail),)
    assert sandbox.steps[-1].stdin == b"fn f() {}"
    assert sandbox.steps[-1].argv == ("/bin/sh", "-c", "grep -q loop")


def test_a_case_is_prepared_once_however_many_samples_come_at_once(tmp_path: Path) -> None:
    class Counting(FakeToolchain):
        prepared = 0

        def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | Ready:
            self.prepared += 1
            return super().prepare(case, executions)

    toolchain = Counting()
    judge = Judge(Workshop(FakeSandbox(), tmp_path, {}), {"rust": toolchain}, "fake")
    threads = [threading.Thread(target=judge.judge, args=(SET, CASE, code("fn f() {}"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert toolchain.prepared == 1


class Room:
    """Judges with a cache in one folder, as one run after the other would."""

    def __init__(self, folder: Path, run: Callable[[Step], Execution] | None = None) -> None:
        self.sandbox = FakeSandbox(run)
        self._folder = folder

    def judge(self, *texts: str, case: Case = CASE, level: str = "fake") -> list[Judgement]:
        with contextlib.closing(VerdictCache(self._folder, 1 << 30)) as cache:
            judge = Judge(Workshop(self.sandbox, self._folder, {}), {"rust": FakeToolchain()}, level, cache)
            return [judge.judge(SET, case, code(text)) for text in texts]


def test_the_same_code_is_judged_once_ever(tmp_path: Path) -> None:
    room = Room(tmp_path)

    first = room.judge("fn f() {}", "fn wrong() {}", "fn f() {}")
    second = room.judge("fn wrong() {}", "fn f() {}")

    assert len(room.sandbox.steps) == 2
    assert [each.verdict for each in second] == [first[1].verdict, first[0].verdict]
    assert [each.code for each in second] == ["fn wrong() {}", "fn f() {}"]


def test_under_another_sandbox_it_is_judged_again(tmp_path: Path) -> None:
    room = Room(tmp_path)

    room.judge("fn f() {}")
    (judgement,) = room.judge("fn f() {}", level="fake -network")

    assert len(room.sandbox.steps) == 2
    assert judgement.verdict is not None
    assert judgement.verdict.provenance.sandbox == "fake -network"


def test_what_could_not_be_judged_is_not_kept(tmp_path: Path) -> None:
    def fail(step: Step) -> Execution:
        raise MachineryError("the sandbox did not start")

    assert Room(tmp_path, fail).judge("fn f() {}")[0].unjudged
    assert Room(tmp_path).judge("fn f() {}")[0].verdict is not None


def test_what_the_clock_decided_is_not_kept(tmp_path: Path) -> None:
    room = Room(tmp_path, lambda step: Execution(step=step.name, ended="cpu_limit", exit_code=-24))

    room.judge("fn f() {}")
    room.judge("fn f() {}")

    assert len(room.sandbox.steps) == 2


def test_a_custom_check_runs_each_time(tmp_path: Path) -> None:
    answers = iter([0, 1])

    def run(step: Step) -> Execution:
        exit_code = next(answers) if step.name == "custom check" else 0
        return Execution(step=step.name, ended="exited", exit_code=exit_code)

    room, case = Room(tmp_path, run), a_case(custom_check="some program")
    verdicts = [judgement.verdict for judgement in room.judge("fn f() {}", "fn f() {}", case=case)]

    assert [step.name for step in room.sandbox.steps] == ["judge", "custom check", "custom check"]
    assert [[c.holds for c in verdict.conditions] for verdict in verdicts if verdict] == [[True], [False]]


def test_the_same_code_that_is_there_several_times_at_once_is_judged_once(tmp_path: Path) -> None:
    waiting, may_end = threading.Semaphore(0), threading.Event()

    def run(step: Step) -> Execution:
        waiting.release()
        assert may_end.wait(60)
        return Execution(step=step.name, ended="cpu_limit", exit_code=-24)  # so that the cache has no part in it

    sandbox = FakeSandbox(run)
    with contextlib.closing(VerdictCache(tmp_path, 1 << 30)) as cache:
        judge = Judge(Workshop(sandbox, tmp_path, {}), {"rust": FakeToolchain()}, "fake", cache)
        texts = ["fn f() {}", "fn g() {}", "fn f() {}"]
        threads = [threading.Thread(target=judge.judge, args=(SET, CASE, code(text))) for text in texts]
        for thread in threads[:2]:
            thread.start()
        assert waiting.acquire(timeout=60)
        assert waiting.acquire(timeout=60)
        threads[2].start()
        while not _is_waiting(sys._current_frames().get(threads[2].ident or 0)):
            assert threads[2].is_alive()
            time.sleep(0.01)
        may_end.set()
        for thread in threads:
            thread.join(60)

    assert sorted(step.argv[0] for step in sandbox.steps) == ["fn f() {}", "fn g() {}"]


def _is_waiting(frame: FrameType | None) -> bool:
    """Whether a thread waits for another's work."""
    names = []
    while frame is not None:
        names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    return "Once.do" in names and "Event.wait" in names


def test_a_machine_that_has_no_room_leaves_the_sample_unjudged(judging: Judging) -> None:
    def run(step: Step) -> Execution:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    judgement = judging(code("fn f() {}"), FakeSandbox(run))

    assert judgement.unjudged
    assert judgement.reason == "[Errno 28] No space left on device"


def test_the_last_try_is_made_alone(judging: Judging) -> None:
    sandbox = failing(2)

    judging(code("fn f() {}"), sandbox)

    assert [step.alone for step in sandbox.steps] == [False, False, True]


def test_a_custom_check_that_the_clock_stopped_is_asked_again_alone(judging: Judging) -> None:
    def run(step: Step) -> Execution:
        held_up = step.name == "custom check" and not step.alone
        return Execution(step=step.name, ended="wall_limit" if held_up else "exited", exit_code=-9 if held_up else 0)

    sandbox = FakeSandbox(run)
    judgement = judging(code("fn f() {}"), sandbox, case=a_case(custom_check="true"))

    assert judgement.verdict is not None
    assert judgement.verdict.conditions[-1].holds
    assert [step.name for step in sandbox.steps] == ["judge", "custom check", "custom check"]


def test_a_custom_check_that_was_killed_from_outside_is_not_the_samples_failure(judging: Judging) -> None:
    def run(step: Step) -> Execution:
        killed = step.name == "custom check"
        return Execution(step=step.name, ended="signalled" if killed else "exited", exit_code=-9 if killed else 0)

    assert judging(code("fn f() {}"), FakeSandbox(run), case=a_case(custom_check="true")).unjudged
