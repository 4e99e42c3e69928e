"""One call of `Executor.map`: threads that take groups, have them judged, and hand the results over."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence

from forgetest.executors import Judged, JudgeTask

JudgeGroup = Callable[[Sequence[JudgeTask]], Iterator[Sequence[Judged]]]

_POLL_S = 1.0
"""A Ctrl-C that arrives just as a wait without end begins would not be noticed, so the main thread waits in slices."""


def map_groups(
    judge: JudgeGroup, groups: Iterable[Sequence[JudgeTask]], slots: int, ahead: int = 1
) -> Iterator[Sequence[Judged]]:
    """Judge every group, with as many under way as there are slots, times `ahead`; yield results as they finish."""
    return _Call(judge, groups, slots, slots * ahead).results()


class _Call:
    def __init__(self, judge: JudgeGroup, groups: Iterable[Sequence[JudgeTask]], slots: int, threads: int) -> None:
        self._judge = judge
        self._groups = iter(groups)
        self._taking = threading.Lock()
        self._over = threading.Event()
        self._finished: queue.SimpleQueue[Sequence[Judged] | BaseException | None] = queue.SimpleQueue()
        # results that nobody collects yet must not let further groups be taken
        self._uncollected = threading.Semaphore(slots)
        self._threads = len(groups) if isinstance(groups, Sequence) and len(groups) < threads else threads

    def results(self) -> Iterator[Sequence[Judged]]:
        for number in range(self._threads):
            # daemons: a group that hangs must not keep an interrupted run from ending
            threading.Thread(target=self._judge_groups, name=f"judge-{number}", daemon=True).start()
        running = self._threads
        try:
            while running:
                try:
                    finished = self._finished.get(timeout=_POLL_S)
                except queue.Empty:
                    continue
                if isinstance(finished, BaseException):
                    raise finished
                if finished is None:
                    running -= 1
                else:
                    self._uncollected.release()
                    yield finished
        finally:
            self._over.set()

    def _judge_groups(self) -> None:
        try:
            while not self._over.is_set():
                with self._taking:
                    group = None if self._over.is_set() else next(self._groups, None)
                if group is None:
                    break
                for judged in self._judge(group):
                    if not self._hand_over(judged):
                        return
            self._finished.put(None)
        except BaseException as error:  # raised again by `results`, in the thread that called `map`
            self._over.set()
            self._finished.put(error)

    def _hand_over(self, judged: Sequence[Judged]) -> bool:
        """Pass results on; return False where nobody collects them any more."""
        while not self._over.is_set():
            if self._uncollected.acquire(timeout=_POLL_S):
                self._finished.put(judged)
                return True
        return False
