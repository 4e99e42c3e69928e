"""An executor that judges in other processes: one worker process per slot.

A thread per slot takes groups, sends each to its process and passes the results on. A process that dies is replaced;
the tasks that it had not returned come back unjudged.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any

from forgetest.errors import UserError
from forgetest.executors import Judged, JudgeTask, WorkerSpec

_POLL_S = 1.0
_processes = multiprocessing.get_context("spawn")  # forked processes would inherit our threads' locks


def create(slots: int | None, options: Mapping[str, object]) -> ProcessExecutor:
    """Return an executor with that many processes; by default, one per core."""
    if options:
        raise UserError(f"[executor]: the executor `processes` has no option {', '.join(sorted(options))}")
    return ProcessExecutor(slots or len(os.sched_getaffinity(0)))


class ProcessExecutor:
    """Judges in processes, which stay from one `map` to the next."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._lock = threading.Lock()
        self._idle: dict[WorkerSpec, list[_WorkerProcess]] = {}
        self._started: list[_WorkerProcess] = []

    def map(self, spec: WorkerSpec, groups: Iterable[Sequence[JudgeTask]]) -> Iterator[Sequence[Judged]]:
        """Judge every group."""
        waiting, taking, over = iter(groups), threading.Lock(), threading.Event()
        finished: queue.SimpleQueue[Sequence[Judged] | BaseException | None] = queue.SimpleQueue()
        uncollected = threading.Semaphore(self.slots)

        def judge_groups() -> None:
            try:
                while not over.is_set():
                    with taking:
                        group = None if over.is_set() else next(waiting, None)
                    if group is None:
                        break
                    for judged in self._judge(spec, group):
                        while not uncollected.acquire(timeout=_POLL_S):
                            if over.is_set():
                                return
                        finished.put(judged)
                finished.put(None)
            except BaseException as error:  # raised again in the thread that called `map`
                over.set()
                finished.put(error)

        for _ in range(self.slots):
            threading.Thread(target=judge_groups, daemon=True).start()
        running = self.slots
        try:
            while running:
                try:
                    result = finished.get(timeout=_POLL_S)
                except queue.Empty:
                    continue
                if isinstance(result, BaseException):
                    raise result
                if result is None:
                    running -= 1
                else:
                    uncollected.release()
                    yield result
        finally:
            over.set()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            processes, self._started, self._idle = self._started, [], {}
        for process in processes:
            process.end()

    def _judge(self, spec: WorkerSpec, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        process = self._take(spec)
        missing = {task.number for task in group}
        try:
            for judged in process.judge(group):
                missing -= {result.number for result in judged}
                yield judged
        except (EOFError, OSError) as error:
            reason = f"the worker process ended: {error or 'no reason known'}"
            yield [Judged(number=number, reason=reason) for number in sorted(missing)]
            return
        with self._lock:
            self._idle.setdefault(spec, []).append(process)

    def _take(self, spec: WorkerSpec) -> _WorkerProcess:
        with self._lock:
            if idle := self._idle.get(spec):
                return idle.pop()
        process = _WorkerProcess(spec)
        with self._lock:
            self._started.append(process)
        return process


class _WorkerProcess:
    """A process with one worker, and the connection to it."""

    def __init__(self, spec: WorkerSpec) -> None:
        self._connection, theirs = _processes.Pipe()
        self._process = _processes.Process(target=_serve, args=(spec, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        """Yield results as they come; raises EOFError where the process has died."""
        self._connection.send(list(group))
        while (answer := self._connection.recv()) is not None:
            if isinstance(answer, BaseException):
                raise answer
            yield answer

    def end(self) -> None:
        """End the process, whatever it does."""
        self._connection.close()
        self._process.terminate()
        self._process.join(10)


def _serve(spec: WorkerSpec, connection: Connection[Any, Any]) -> None:
    """Judge what comes over the connection until it is closed."""
    try:
        worker = spec.open()
    except Exception as error:  # sent to the process that can report it
        connection.recv()
        connection.send(error)
        return
    try:
        while True:
            group = connection.recv()
            try:
                for judged in worker.judge(group):
                    connection.send(list(judged))
                connection.send(None)
            except Exception as error:  # sent to the process that can report it
                connection.send(error)
    except (EOFError, OSError, KeyboardInterrupt):
        worker.close()
