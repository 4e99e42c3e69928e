"""A worker for tests of clusters: it judges like any other, except that some samples kill its process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from forgetest.engine.judging.worker import JudgeSpec
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask, Worker

POISON = "kills its worker"


class PoisonedSpec(JudgeSpec):
    """Opens such a worker."""

    __slots__ = ()

    def open(self) -> PoisonedWorker:  # type: ignore[override]
        return PoisonedWorker(JudgeSpec.open(self))


class PoisonedWorker:
    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        if any(POISON in task.code for task in group):
            os._exit(1)
        return self._worker.judge(group)

    def version(self, case: Case) -> str:
        return self._worker.version(case)

    def close(self) -> None:
        self._worker.close()
