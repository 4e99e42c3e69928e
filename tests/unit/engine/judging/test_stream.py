from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.stream import JudgeStream, StreamSample
from forgetest.engine.judging.submissions import CachedVerdicts
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.executors.local import LocalExecutor
from forgetest.testing.fakes import FakePrepared, FakeSandbox, FakeToolchain
from forgetest.toolchains import Toolchain
from forgetest.verdict import Execution, Step
from grading import cases_with
from specimens import a_case, a_verdict

CASE = a_case()


@dataclass(eq=False)
class FakeWorker:
    """Both a worker and its spec. Waits until it may go on, and breaks where the code says so."""

    may_go_on: threading.Event = field(default_factory=threading.Event)
    has_begun: threading.Event = field(default_factory=threading.Event)
    groups: list[list[str]] = field(default_factory=list)

    def open(self) -> FakeWorker:
        return self

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[list[Judged]]:
        self.groups.append([task.code for task in group])
        self.has_begun.set()
        assert self.may_go_on.wait(10)
        if any(task.code == "poison" for task in group):
            raise MachineryError("the worker died")
        yield [Judged(number=task.number, verdict=a_verdict(), lasting=True) for task in group]

    def close(self) -> None:
        pass


@pytest.fixture
def worker() -> FakeWorker:
    return FakeWorker()


@pytest.fixture
def open_stream(worker: FakeWorker, tmp_path: Path) -> Iterator[Callable[..., JudgeStream[Judged]]]:
    streams: list[JudgeStream[Judged]] = []

    def open_(verdicts: CachedVerdicts | None = None, toolchain: Toolchain | None = None) -> JudgeStream[Judged]:
        cases = cases_with(StepRunner(FakeSandbox(), tmp_path, {}), toolchain or FakeToolchain())
        streams.append(JudgeStream(LocalExecutor(1), worker, verdicts, cases))
        return streams[-1]

    yield open_
    worker.may_go_on.set()
    for stream in streams:
        stream.close()


def samples(*codes: str, case: Case = CASE) -> list[StreamSample[Judged]]:
    return [StreamSample(case, code, lambda judged: judged) for code in codes]


def submit_while_busy(stream: JudgeStream[Judged], worker: FakeWorker, waiting: Sequence[StreamSample[Judged]]) -> None:
    """Occupy the only slot, and submit samples, which then wait."""
    stream.submit(samples("busy"))
    assert worker.has_begun.wait(10)
    for sample in waiting:
        stream.submit([sample])
    different = {sample.code for sample in waiting}
    deadline = time.monotonic() + 10
    while len(stream._pending) < len(different) and time.monotonic() < deadline:
        time.sleep(0.002)


def test_samples_that_arrive_while_others_are_judged_make_one_group(
    open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker
) -> None:
    waiting = samples("a", "b", "c")
    submit_while_busy(open_stream(), worker, waiting)
    worker.may_go_on.set()

    assert [sample.future.result(10).verdict is not None for sample in waiting] == [True] * 3
    assert worker.groups == [["busy"], ["a", "b", "c"]]


def test_a_group_has_one_language(open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker) -> None:
    python = replace(CASE, language="python")
    waiting = [*samples("a"), *samples("p", case=python), *samples("b")]
    submit_while_busy(open_stream(), worker, waiting)
    worker.may_go_on.set()

    for sample in waiting:
        sample.future.result(10)
    assert worker.groups == [["busy"], ["a", "b"], ["p"]]


def test_a_sample_that_is_cancelled_in_time_is_not_judged(
    open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker
) -> None:
    waiting = samples("a", "b")
    submit_while_busy(open_stream(), worker, waiting)
    assert waiting[0].future.cancel()
    worker.may_go_on.set()

    waiting[1].future.result(10)
    assert worker.groups == [["busy"], ["b"]]


@pytest.fixture
def verdicts(tmp_path: Path) -> Iterator[CachedVerdicts]:
    cache = VerdictCache(tmp_path, 1 << 30)
    cases = cases_with(StepRunner(FakeSandbox(), tmp_path, {}), FakeToolchain())
    yield CachedVerdicts(cache, cases, "fake", sharing=True)
    cache.close()


def test_equal_samples_are_judged_once_even_if_the_first_is_cancelled(
    open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker, verdicts: CachedVerdicts
) -> None:
    waiting = samples("same", "same", "same")
    submit_while_busy(open_stream(verdicts), worker, waiting)
    waiting[0].future.cancel()
    worker.may_go_on.set()

    assert waiting[1].future.result(10) == waiting[2].future.result(10)
    assert worker.groups == [["busy"], ["same"]]


def test_a_case_that_cannot_be_prepared_is_an_error_of_its_own_samples_only(
    open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker
) -> None:
    class Refusing(FakeToolchain):
        def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | FakePrepared:
            if case.id == "wrong":
                raise UserError("no such thing")
            return super().prepare(case, executions)

    worker.may_go_on.set()
    stream = open_stream(toolchain=Refusing())
    wrong, right = samples("a", case=replace(CASE, id="wrong")) + samples("b")
    stream.submit([wrong, right])

    with pytest.raises(UserError, match="no such thing"):
        wrong.future.result(10)
    assert right.future.result(10).verdict is not None


def test_a_worker_that_breaks_takes_only_the_sample_that_broke_it_along(
    open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker
) -> None:
    waiting = samples("a", "poison", "b")
    submit_while_busy(open_stream(), worker, waiting)
    worker.may_go_on.set()

    results = [sample.future.result(10) for sample in waiting]
    assert [result.reason for result in results] == [None, "the worker died", None]
    assert [result.verdict is None for result in results] == [False, True, False]


def test_what_has_not_begun_is_cancelled_when_the_stream_is_closed(
    open_stream: Callable[..., JudgeStream[Judged]], worker: FakeWorker
) -> None:
    waiting = samples("a")
    stream = open_stream()
    submit_while_busy(stream, worker, waiting)
    stream.close()

    with pytest.raises(CancelledError):
        waiting[0].future.result(10)
    with pytest.raises(UserError, match="closed"):
        stream.submit(samples("b"))
