"""What every executor does, ours and a plugin's. A new one joins by its line in EXECUTORS."""

from __future__ import annotations

import itertools
import threading
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from forgetest.executors import Executor, local

SLOTS = 3
PATIENCE_S = 120
EXECUTORS: dict[str, Callable[[], Executor]] = {"local": lambda: local.create(SLOTS)}


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest) -> Executor:
    return EXECUTORS[request.param]()


class Counted:
    """Tasks that count how many have been taken."""

    def __init__(self, total: int) -> None:
        self.taken = 0
        self._total = total

    def __iter__(self) -> Iterator[int]:
        for number in range(self._total):
            self.taken += 1
            yield number


def test_every_task_is_done_once(executor: Executor) -> None:
    done: list[int] = []
    results = sorted(executor.map(lambda n: done.append(n) or -n, range(200)))  # type: ignore[func-returns-value]

    assert sorted(done) == list(range(200))
    assert results == sorted(-n for n in range(200))


def test_it_says_how_much_it_does_at_once(executor: Executor) -> None:
    assert executor.slots == SLOTS


def test_no_task_at_all_is_no_result(executor: Executor) -> None:
    assert list(executor.map(lambda n: n, [])) == []


def test_a_result_may_be_none_and_still_counts(executor: Executor) -> None:
    assert list(executor.map(lambda _: None, range(10))) == [None] * 10


def test_results_come_as_they_finish(executor: Executor) -> None:
    first_may_end = threading.Event()

    def judge(task: str) -> str:
        if task == "slow":
            assert first_may_end.wait(PATIENCE_S)
        return task

    results = executor.map(judge, ["slow", "quick"])
    assert next(results) == "quick"
    first_may_end.set()
    assert list(results) == ["slow"]


def test_tasks_are_done_at_once_in_all_slots(executor: Executor) -> None:
    together = threading.Barrier(SLOTS, timeout=PATIENCE_S)

    assert sorted(executor.map(lambda n: (together.wait(), n)[1], range(SLOTS))) == list(range(SLOTS))


def test_tasks_are_taken_only_as_slots_come_free(executor: Executor) -> None:
    tasks, most = Counted(50), 0
    finished = itertools.count(1)

    for _ in executor.map(lambda n: n, tasks):
        most = max(most, tasks.taken - next(finished))

    # those in the slots, those done that wait to be collected, and the next ones
    assert most <= 2 * SLOTS
    assert tasks.taken == 50


def test_a_source_that_waits_for_its_next_task_holds_up_no_task_that_is_there(executor: Executor) -> None:
    next_one = threading.Event()

    def tasks() -> Iterator[int]:
        yield 1
        assert next_one.wait(PATIENCE_S)
        yield 2

    results = executor.map(lambda n: n, tasks())
    assert next(results) == 1  # though the source has not come to its second
    next_one.set()
    assert list(results) == [2]


def test_a_task_that_is_being_made_is_no_reason_to_call_the_source_again(executor: Executor) -> None:
    inside = threading.Lock()

    class Source:
        """Not safe to be called from two threads at once, as no iterator is."""

        left = 100

        def __iter__(self) -> Source:
            return self

        def __next__(self) -> int:
            assert inside.acquire(blocking=False)
            try:
                self.left -= 1
                if self.left < 0:
                    raise StopIteration
                return self.left
            finally:
                inside.release()

    assert sorted(executor.map(lambda n: n, Source())) == list(range(100))


def test_what_a_task_raises_comes_out(executor: Executor) -> None:
    def judge(task: int) -> int:
        return 1 // (task - 5)

    with pytest.raises(ZeroDivisionError):
        list(executor.map(judge, range(100)))


def test_what_the_source_raises_comes_out(executor: Executor) -> None:
    def tasks() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(executor.map(lambda n: n, tasks()))


def test_after_a_failure_no_further_task_is_taken(executor: Executor) -> None:
    tasks = Counted(10_000)

    def judge(task: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(executor.map(judge, tasks))
    assert tasks.taken <= 2 * SLOTS


def test_memory_stays_flat_however_many_tasks_there_are(executor: Executor) -> None:
    for _ in executor.map(lambda n: n, range(100)):
        pass  # whatever is made once is made now
    tracemalloc.start()
    for _ in executor.map(lambda _: bytes(10_000), range(3_000)):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 2_000_000  # all of them would be 30 MB
