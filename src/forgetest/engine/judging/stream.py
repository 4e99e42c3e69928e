"""Judging without an end: samples arrive at any time, and those that are waiting together are judged together.

A run and a call of `grade_many` know their samples from the beginning. A service does not: it submits samples as
requests arrive, gets a future for each, and cancels those that nobody waits for any more.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from forgetest import language
from forgetest.engine.judging.grouping import GroupSizes
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.executors import Executor, Judged, JudgeTask, WorkerSpec

_WINDOW_S = 0.005
"""How long a sample waits for others to share a compiler call with, while a slot is free."""
_MOST_ADMITTED = 128
"""Samples that are looked up at a time: those behind them wait, also for the preparation of new cases."""
_PAUSE_S = 0.2
"""Before workers are opened again after a failure."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, eq=False)
class StreamSample(Generic[Result]):
    """A sample, and what its owner wants to be made of its judgement."""

    case: Case
    code: str
    convert: Callable[[Judged], Result]
    future: Future[Result] = field(default_factory=Future)


class JudgeStream(Generic[Result]):
    """Judges samples as they come. Thread-safe."""

    def __init__(
        self,
        executor: Executor,
        worker: WorkerSpec,
        verdicts: CachedVerdicts | None,
        cases: PreparedCases,
    ) -> None:
        """Cases are prepared where the stream runs; a UserError of one is that of its samples."""
        self._executor = executor
        self._worker = worker
        self._cases = cases
        self._submissions: Submissions[StreamSample[Result]] = Submissions(verdicts)
        self._changed = threading.Condition()
        self._arrived: list[StreamSample[Result]] = []
        self._pending: list[JudgeTask] = []
        self._oldest = 0.0
        self._sizes: dict[str, GroupSizes] = {}
        self._alone: list[JudgeTask] = []
        """Tasks of calls that broke: judged once more, each alone."""
        self._taken: dict[int, JudgeTask] = {}
        self._second_tries: set[int] = set()
        self._is_over = False
        # daemons: a sample that hangs must not keep a program from ending
        for work in (self._admit_samples, self._judge_tasks):
            threading.Thread(target=work, name=work.__name__.strip("_"), daemon=True).start()

    def submit(self, samples: Sequence[StreamSample[Result]]) -> None:
        """Take samples. Their futures get results as they come; one that is cancelled in time is not judged."""
        with self._changed:
            if self._is_over:
                raise UserError("this Grader is closed; create another one")
            self._arrived += samples
            self._changed.notify_all()

    def close(self) -> None:
        """Cancel what has not begun. What is being judged gets its result, if the executor lets it end."""
        with self._changed:
            self._is_over = True
            unwanted, self._arrived = self._arrived, []
            withdrawn, self._pending, self._alone = [*self._pending, *self._alone], [], []
            self._changed.notify_all()
        for task in withdrawn:
            unwanted += self._submissions.withdraw(task.number)
        for sample in unwanted:
            sample.future.cancel()

    def _admit_samples(self) -> None:
        """Look samples up as they arrive: what is known is answered, the rest waits for a group."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._arrived or self._is_over)
                if self._is_over:
                    return
                samples, self._arrived = self._arrived[:_MOST_ADMITTED], self._arrived[_MOST_ADMITTED:]
            wanted = [sample for sample in samples if not sample.future.cancelled()]
            try:
                known, tasks = self._look_up(wanted)
            except Exception as error:  # never the end of the stream
                known, tasks = [], []
                for sample in wanted:
                    _fail(sample, error)
            for sample, judged in known:
                _settle(sample, judged)
            with self._changed:
                if not self._pending:
                    self._oldest = time.monotonic()
                self._pending += tasks
                self._changed.notify_all()

    def _look_up(
        self, samples: Sequence[StreamSample[Result]]
    ) -> tuple[list[tuple[StreamSample[Result], Judged]], list[JudgeTask]]:
        refused: dict[int, UserError] = {}
        self._cases.prepare_many((sample.case for sample in samples), self._executor.slots)
        for case in {id(sample.case): sample.case for sample in samples}.values():
            try:
                with contextlib.suppress(MachineryError, OSError):  # met again, and reported, by the worker
                    self._cases.prepare(case)
            except UserError as error:
                refused[id(case)] = error
        for sample in samples:
            if id(sample.case) in refused:
                _fail(sample, refused[id(sample.case)])
        ready = [sample for sample in samples if id(sample.case) not in refused]
        return self._submissions.submit([Submission(sample, sample.case, sample.code) for sample in ready])

    def _judge_tasks(self) -> None:
        """Collect results until the stream is closed."""
        while not self._is_over:
            call = _Call()
            try:
                for judged in self._executor.map(self._worker, self._groups(call)):
                    self._settle_all(judged)
            except Exception as error:  # of a worker; the tasks that it had are judged again
                self._take_back(call, error)
                time.sleep(_PAUSE_S)
        with contextlib.suppress(Exception):
            for number in list(self._taken):
                for sample in self._submissions.withdraw(number):
                    sample.future.cancel()

    def _groups(self, call: _Call) -> Iterator[list[JudgeTask]]:
        """Yield a group whenever a slot is free and samples are waiting. Called by one thread at a time."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._pending or self._alone or self._is_over or call.is_over)
                while not self._is_over and self._is_worth_waiting():
                    self._changed.wait(_WINDOW_S)
                if self._is_over or call.is_over:
                    return
                group = self._take_group()
                self._taken |= {task.number: task for task in group}
            if group:
                yield group

    def _is_worth_waiting(self) -> bool:
        return (
            not self._alone
            and 0 < len(self._pending) < language.MOST_TOGETHER
            and time.monotonic() - self._oldest < _WINDOW_S
        )

    def _take_group(self) -> list[JudgeTask]:
        """Remove tasks of one language from those that wait, without those whose owners have all gone."""
        if self._alone:
            task = self._alone.pop(0)
            return [] if self._is_unwanted(task) else [task]
        self._pending = [task for task in self._pending if not self._is_unwanted(task)]
        if not self._pending:
            return []
        name = self._pending[0].case.language
        alike = [task for task in self._pending if task.case.language == name]
        if name not in self._sizes:
            self._sizes[name] = GroupSizes(self._executor.slots, language.most_together([name]))
        group = alike[: self._sizes[name].next(len(alike))]
        taken = {task.number for task in group}
        self._pending = [task for task in self._pending if task.number not in taken]
        return group

    def _is_unwanted(self, task: JudgeTask) -> bool:
        return self._submissions.withdraw_if(task.number, lambda sample: sample.future.cancelled())

    def _settle_all(self, judged: Sequence[Judged]) -> None:
        for sample, result in self._submissions.settle(judged):
            _settle(sample, result)
        with self._changed:
            for result in judged:
                self._taken.pop(result.number, None)
                self._second_tries.discard(result.number)

    def _take_back(self, call: _Call, error: Exception) -> None:
        """After a call broke, judge its tasks again, each alone; those that break a second call are unjudged."""
        with self._changed:
            call.is_over = True
            broken, self._taken = list(self._taken.values()), {}
            self._alone += [task for task in broken if task.number not in self._second_tries]
            hopeless = [task.number for task in broken if task.number in self._second_tries]
            self._second_tries = {task.number for task in self._alone}
            self._changed.notify_all()
        self._settle_all([Judged(number=number, reason=str(error) or repr(error)) for number in hopeless])


@dataclass(slots=True)
class _Call:
    """One call of `Executor.map`, which lasts until a worker breaks."""

    is_over: bool = False


def _settle(sample: StreamSample[Result], judged: Judged) -> None:
    if sample.future.set_running_or_notify_cancel():
        try:
            sample.future.set_result(sample.convert(judged))
        except Exception as error:
            sample.future.set_exception(error)


def _fail(sample: StreamSample[Result], error: Exception) -> None:
    if sample.future.set_running_or_notify_cancel():
        sample.future.set_exception(error)
