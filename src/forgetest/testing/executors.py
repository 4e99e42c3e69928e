"""Contract suite for executors.

A test class that inherits from `ExecutorContract` brings a fixture `executor`: an executor with SLOTS slots, closed
after each test. All workers of the suite can be pickled.
"""

from __future__ import annotations

import functools
import itertools
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.executors import Executor, Judged, JudgeTask

SLOTS = 3
DEADLINE_S = 120

_CASE = Case(id="case", name="case", prompt="")


@dataclass(frozen=True)
class ScriptedSpec:
    """A worker that does what the code of a task says. `folder` is where its instances can see each other's files."""

    folder: str

    def open(self) -> ScriptedWorker:
        """Open the worker."""
        return ScriptedWorker(Path(self.folder))

    def for_this_machine(self) -> ScriptedSpec:
        """Return this spec: it needs nothing of a machine."""
        return self


class ScriptedWorker:
    """Understands `return`, `wait FILE`, `meet COUNT`, `fail` and `die`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        """Follow the code of each task."""
        for task in group:
            command, _, argument = task.code.partition(" ")
            if command == "wait":
                _wait_for(self._folder / argument)
            elif command == "meet":
                (self._folder / f"met-{task.number}").touch()
                _wait_until(functools.partial(_are_present, self._folder, int(argument)))
            elif command == "fail":
                raise MachineryError("the worker failed")
            elif command == "die":
                os._exit(1)
            yield [Judged(number=task.number, reason=f"pid {os.getpid()}")]

    def version(self, case: Case) -> str:
        """Return the version of no tool."""
        return "1"

    def close(self) -> None:
        """Do nothing."""


def _wait_for(path: Path) -> None:
    _wait_until(path.exists)


def _are_present(folder: Path, count: int) -> bool:
    return len(list(folder.glob("met-*"))) >= count


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def _group(*numbers: int, code: str = "return") -> list[JudgeTask]:
    return [JudgeTask(number=number, case=_CASE, code=code) for number in numbers]


def _judged_numbers(results: Iterator[Sequence[Judged]]) -> list[int]:
    return [judged.number for finished in results for judged in finished]


class _Counted:
    """Groups that count how many have been taken."""

    def __init__(self, total: int, code: str = "return") -> None:
        self.taken = 0
        self._total = total
        self._code = code

    def __iter__(self) -> Iterator[list[JudgeTask]]:
        for number in range(self._total):
            self.taken += 1
            yield _group(number, code=self._code)


class ExecutorContract:
    """Tests that every executor passes."""

    def test_slots_are_as_many_as_asked_for(self, executor: Executor) -> None:
        """An executor says how many groups it judges at once."""
        assert executor.slots == SLOTS

    def test_every_task_comes_back_exactly_once(self, executor: Executor, tmp_path: Path) -> None:
        """No task is lost and none is judged twice, whatever the size of its group."""
        groups = [_group(*range(first, first + 1 + first % 4)) for first in range(0, 200, 4)]
        numbers = [task.number for group in groups for task in group]

        assert sorted(_judged_numbers(executor.map(ScriptedSpec(str(tmp_path)), groups))) == sorted(numbers)

    def test_no_group_gives_no_result(self, executor: Executor, tmp_path: Path) -> None:
        """An empty source is no error."""
        assert list(executor.map(ScriptedSpec(str(tmp_path)), [])) == []

    def test_workers_serve_one_map_after_the_other(self, executor: Executor, tmp_path: Path) -> None:
        """Workers stay open from one call to the next."""
        for _ in range(3):
            assert _judged_numbers(executor.map(ScriptedSpec(str(tmp_path)), [_group(1)])) == [1]

    def test_results_come_as_they_finish(self, executor: Executor, tmp_path: Path) -> None:
        """A slow group does not hold back a quick one."""
        results = executor.map(ScriptedSpec(str(tmp_path)), [_group(1, code="wait go"), _group(2)])

        assert [judged.number for judged in next(results)] == [2]
        (tmp_path / "go").touch()
        assert _judged_numbers(results) == [1]

    def test_groups_are_judged_in_all_slots_at_once(self, executor: Executor, tmp_path: Path) -> None:
        """As many groups are judged at once as there are slots."""
        groups = [_group(number, code=f"meet {SLOTS}") for number in range(SLOTS)]

        assert sorted(_judged_numbers(executor.map(ScriptedSpec(str(tmp_path)), groups))) == list(range(SLOTS))

    def test_a_group_is_taken_only_when_a_slot_is_free(self, executor: Executor, tmp_path: Path) -> None:
        """A source of any length is never read far ahead."""
        groups, most = _Counted(50), 0
        finished = itertools.count(1)

        for _ in executor.map(ScriptedSpec(str(tmp_path)), groups):
            most = max(most, groups.taken - next(finished))

        # those in the slots, those that wait to be collected, and the next ones
        assert most <= 3 * SLOTS
        assert groups.taken == 50

    def test_a_source_that_waits_holds_up_no_group_that_is_being_judged(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        """Results arrive while the source waits for its next group."""

        def groups() -> Iterator[list[JudgeTask]]:
            yield _group(1)
            _wait_for(tmp_path / "next")
            yield _group(2)

        results = executor.map(ScriptedSpec(str(tmp_path)), groups())
        assert [judged.number for judged in next(results)] == [1]
        (tmp_path / "next").touch()
        assert _judged_numbers(results) == [2]

    def test_the_source_is_never_called_by_two_threads_at_once(self, executor: Executor, tmp_path: Path) -> None:
        """A source need not be thread-safe: no iterator is."""

        class Source:
            inside = False
            left = 60

            def __iter__(self) -> Source:
                return self

            def __next__(self) -> list[JudgeTask]:
                assert not self.inside
                self.inside = True
                time.sleep(0.001)
                self.left -= 1
                self.inside = False
                if self.left < 0:
                    raise StopIteration
                return _group(self.left)

        assert sorted(_judged_numbers(executor.map(ScriptedSpec(str(tmp_path)), Source()))) == list(range(60))

    def test_an_error_of_the_source_is_raised(self, executor: Executor, tmp_path: Path) -> None:
        """What the source raises ends the call."""

        def groups() -> Iterator[list[JudgeTask]]:
            yield _group(1)
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            list(executor.map(ScriptedSpec(str(tmp_path)), groups()))

    def test_an_error_of_a_worker_is_raised_and_no_further_group_is_taken(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        """What a worker raises ends the call."""
        groups = _Counted(10_000, code="fail")

        with pytest.raises(MachineryError, match="the worker failed"):
            list(executor.map(ScriptedSpec(str(tmp_path)), groups))
        assert groups.taken <= 3 * SLOTS

    def test_a_worker_that_dies_loses_no_task(self, executor: Executor, tmp_path: Path) -> None:
        """Tasks of a worker process that dies come back unjudged, with a reason. Executors of threads have none."""
        [[judged]] = executor.map(ScriptedSpec(str(tmp_path)), [_group(0)])
        if judged.reason == f"pid {os.getpid()}":
            pytest.skip("its workers run in this process")
        groups = [_group(1), _group(2, 3, code="die"), _group(4), _group(5)]

        results = {
            judged.number: judged
            for finished in executor.map(ScriptedSpec(str(tmp_path)), groups)
            for judged in finished
        }
        assert sorted(results) == [1, 2, 3, 4, 5]
        for number in (2, 3):
            assert results[number].verdict is None
            assert results[number].reason
            assert not (results[number].reason or "").startswith("pid ")
