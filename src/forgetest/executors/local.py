"""Judging on this machine: one thread per slot, all with the same worker.

A thread mostly waits for the processes of its sandbox, so threads are enough.
"""

from __future__ import annotations

import functools
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from forgetest.errors import UserError
from forgetest.executors import Judged, JudgeTask, Worker, WorkerSpec

_POLL_S = 1.0
"""A Ctrl-C that arrives just as a wait without end begins would not be noticed, so the main thread waits in slices."""


def create(slots: int, options: Mapping[str, object]) -> LocalExecutor:
    """Return an executor with that many slots."""
    if options:
        raise UserError(f"[executor]: the local executor has no option {', '.join(sorted(options))}")
    return LocalExecutor(slots)


class LocalExecutor:
    """Judges in threads of this process."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._free_slots = threading.Semaphore(slots)  # all calls of `map` together
        self._lock = threading.Lock()
        self._workers: dict[WorkerSpec, Worker] = {}

    def map(self, spec: WorkerSpec, groups: Iterable[Sequence[JudgeTask]]) -> Iterator[Sequence[Judged]]:
        """Judge every group."""
        call = _Call(functools.partial(self._worker, spec), groups, self._free_slots, self.slots)
        return call.results()

    def close(self) -> None:
        """Close the workers."""
        with self._lock:
            workers, self._workers = self._workers, {}
        for worker in workers.values():
            worker.close()

    def _worker(self, spec: WorkerSpec) -> Worker:
        with self._lock:
            if spec not in self._workers:
                self._workers[spec] = spec.open()
            return self._workers[spec]


class _Call:
    """One call of `map`: threads that take groups and put results into a queue."""

    def __init__(
        self,
        open_worker: Callable[[], Worker],
        groups: Iterable[Sequence[JudgeTask]],
        free_slots: threading.Semaphore,
        slots: int,
    ) -> None:
        self._open_worker = open_worker
        self._groups = iter(groups)
        self._free_slots = free_slots
        self._taking = threading.Lock()
        self._over = threading.Event()
        self._finished: queue.SimpleQueue[Sequence[Judged] | BaseException | None] = queue.SimpleQueue()
        # results that nobody collects yet must not let further groups be taken
        self._uncollected = threading.Semaphore(slots)
        self._threads = len(groups) if isinstance(groups, Sequence) and len(groups) < slots else slots

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
                with self._free_slots:
                    # only now: a run whose verdicts are all known needs no sandbox
                    for judged in self._open_worker().judge(group):
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
