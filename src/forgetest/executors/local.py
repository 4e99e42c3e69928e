"""Judging on this machine: a thread a slot. A slot mostly waits for the processes of its sandbox."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from forgetest.executors import Result, Task


def create(parallelism: int) -> Local:
    """An executor with that many slots."""
    return Local(parallelism)


class Local:
    """A pool of threads."""

    def __init__(self, slots: int) -> None:
        self.slots = slots

    def map(self, judge: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Judge every task. `tasks` may block until there is one; slots that are at work do not notice."""
        waiting, lock = iter(tasks), threading.Lock()

        def judge_one() -> list[Result]:
            with lock:
                taken = list(itertools.islice(waiting, 1))
            return [judge(task) for task in taken]

        pool = ThreadPoolExecutor(self.slots, thread_name_prefix="judge")
        try:
            running = {pool.submit(judge_one) for _ in range(self.slots)}
            while running:
                # in slices: a Ctrl-C that comes just as a wait without end begins would not be noticed
                done, running = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
                for future in done:
                    results = future.result()
                    running |= {pool.submit(judge_one) for _ in results}  # none left to take: this slot is done
                    yield from results
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
