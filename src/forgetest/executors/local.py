"""Judging on this machine: one thread per slot, all with the same worker.

A thread mostly waits for the processes of its sandbox, so threads are enough.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence

from forgetest.errors import UserError
from forgetest.executors import Judged, JudgeTask, Worker, WorkerSpec
from forgetest.executors.threads import map_groups


def create(slots: int | None, options: Mapping[str, object]) -> LocalExecutor:
    """Return an executor with that many slots; by default, one per core."""
    if options:
        raise UserError(f"[executor]: the local executor has no option {', '.join(sorted(options))}")
    return LocalExecutor(slots or len(os.sched_getaffinity(0)))


class LocalExecutor:
    """Judges in threads of this process."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._free_slots = threading.Semaphore(slots)  # all calls of `map` together
        self._lock = threading.Lock()
        self._workers: dict[WorkerSpec, Worker] = {}

    def map(self, spec: WorkerSpec, groups: Iterable[Sequence[JudgeTask]]) -> Iterator[Sequence[Judged]]:
        """Judge every group."""

        def judge(group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
            with self._free_slots:
                # only now: a run whose verdicts are all known needs no sandbox
                yield from self._worker(spec).judge(group)

        return map_groups(judge, groups, self.slots)

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
