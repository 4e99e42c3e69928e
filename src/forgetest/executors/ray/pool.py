"""The workers of one spec: one on each node, replaced when it dies.

What a dead worker was judging is judged again, each sample alone on a worker; a sample whose worker dies twice while
its node lives is unjudged, because it would kill them all. What waited behind it, or was lost with a node, just goes to
another worker.
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from forgetest.errors import MachineryError
from forgetest.executors import Judged, JudgeTask, Worker, WorkerSpec
from forgetest.executors.ray.cluster import Cluster
from forgetest.executors.ray.worker import Group, RemoteWorker, Reply, Tools, tools_of

AHEAD = 2
"""Groups that a worker has for each of its threads: one is judged, one waits, so that no thread idles."""
_MOST_DEATHS = 2
_MOST_LOSSES = 6
"""How often a group may be lost that killed no worker: with its node, or behind another one."""
_NODE_DEATH_S = 3.0
"""How long a node that died may still seem alive after its worker."""
_WITHOUT_WORKERS_S = 120.0
"""How long to wait for a node when there is none."""
_POLL_S = 1.0

_log = logging.getLogger("forgetest.executors.ray")


@dataclass(eq=False)
class _Hired:
    """A worker on a node."""

    actor: Any
    node: str
    threads: int
    calls: list[object] = field(default_factory=list)
    """Calls that were sent and have not come back, in their order."""
    is_reserved: bool = False
    """A suspect is judged, or will be, with nobody beside or behind it."""
    lost: tuple[object, ...] | None = None
    """The calls that it had when it died."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """A group did not come back."""

    is_suspect: bool
    """It was being judged when the worker died, and the node lives."""
    reason: str


class Pool:
    """Workers of one spec. Thread-safe."""

    def __init__(self, cluster: Cluster, spec: WorkerSpec, slots: int, *, allow_other_tools: bool) -> None:
        self._cluster = cluster
        self._ray = cluster.ray
        self._spec = spec
        self._pickled_spec = pickle.dumps(spec)
        self._slots = slots
        self._changed = threading.Condition()
        self._hired: list[_Hired] = []
        self._refused: dict[str, str] = {}
        """Nodes that must not judge, with the reason."""
        self._is_closed = False
        self._since_hired = time.monotonic()
        self._versions: dict[Tools, str] | None = None if allow_other_tools else {}
        self._reference: Worker | None = None
        self._reference_lock = threading.Lock()
        self._hiring = threading.Thread(target=self._keep_hired, name="ray-hiring", daemon=True)
        self._hiring.start()

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        """Judge a group; every task comes back once, whatever happens to workers."""
        left: deque[tuple[Sequence[JudgeTask], int]] = deque([(group, 0)])
        losses = 0
        while left:
            tasks, deaths = left.popleft()
            reply = self._ask(tasks, alone=deaths > 0)
            if isinstance(reply, Reply):
                yield reply.judged
            elif reply.is_suspect and deaths + 1 >= _MOST_DEATHS:
                reason = f"its worker died {_MOST_DEATHS} times while judging it: {reply.reason}"
                yield [Judged(number=task.number, reason=reason) for task in tasks]
            elif reply.is_suspect:
                left.extend(([task], deaths + 1) for task in tasks)
            elif (losses := losses + 1) > _MOST_LOSSES:
                yield [Judged(number=task.number, reason=f"lost {losses} times: {reply.reason}") for task in tasks]
            else:
                left.append((tasks, deaths))

    def close(self) -> None:
        """End all workers."""
        with self._changed:
            self._is_closed = True
            hired, self._hired = self._hired, []
            self._changed.notify_all()
        self._hiring.join(10 * _POLL_S)  # it must not call Ray after the cluster is gone
        for worker in hired:
            self._end(worker)
        if self._reference is not None:
            self._reference.close()

    # asking

    def _ask(self, tasks: Sequence[JudgeTask], *, alone: bool) -> Reply | _Lost:
        sent = pickle.dumps(Group(tasks, self._versions_for(tasks)))
        worker, call, pending = self._send(sent, alone)
        try:
            reply: Reply = pickle.loads(self._ray.get(pending))  # noqa: S301  (sent by our own worker)
        except self._ray.exceptions.RayError as error:
            return self._lost(worker, call, error)
        finally:
            self._forget(worker, call, alone)
        if reply.refused is not None:
            self._refuse(worker, reply.refused)
            return _Lost(False, f"refused: {reply.refused}")
        if reply.error is not None:
            raise reply.error
        return reply

    def _send(self, sent: bytes, alone: bool) -> tuple[_Hired, object, Any]:
        """Wait for a worker that has room, or nothing to do, and send it a group."""
        call = object()
        with self._changed:
            while True:
                worker = self._choose(alone)
                if worker is not None:
                    worker.is_reserved = alone
                    worker.calls.append(call)
                    # with the lock held, so that the order of calls is that in which they arrive
                    return worker, call, worker.actor.judge.remote(sent)
                self._check_possible()
                self._changed.wait(_POLL_S)

    def _choose(self, alone: bool) -> _Hired | None:
        most = 1 if alone else None
        free = [
            worker
            for worker in self._hired
            if not worker.is_reserved and len(worker.calls) < (most or worker.threads * AHEAD)
        ]
        return min(free, key=lambda worker: len(worker.calls) / worker.threads, default=None)

    def _forget(self, worker: _Hired, call: object, alone: bool) -> None:
        with self._changed:
            worker.calls.remove(call)
            if alone:
                worker.is_reserved = False
            self._changed.notify_all()

    def _lost(self, worker: _Hired, call: object, error: Exception) -> _Lost:
        with self._changed:
            if worker.lost is None:
                worker.lost = tuple(worker.calls)
            if worker in self._hired:
                self._hired.remove(worker)
            self._changed.notify_all()
            was_judged = call in worker.lost[: worker.threads]
        self._end(worker)
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        node_died = self._has_died(worker.node, str(error))
        if was_judged and not self._is_closed:
            _log.warning("a worker died%s; what it was judging is judged again", " with its node" if node_died else "")
        return _Lost(was_judged and not node_died, reason)

    def _has_died(self, node: str, error: str) -> bool:
        """Return whether a node has died; Ray may say so a moment later than that its worker has."""
        if "node has died" in error or "node was terminated" in error:
            return True
        deadline = time.monotonic() + _NODE_DEATH_S
        while time.monotonic() < deadline and not self._is_closed:
            if node not in self._cluster.nodes():
                return True
            time.sleep(0.2)
        return False

    # the tools that verdicts are made with

    def _versions_for(self, tasks: Sequence[JudgeTask]) -> dict[Tools, str]:
        """Return the driver's versions of the tools for these tasks; nothing where other versions are allowed."""
        if self._versions is None:
            return {}
        found: dict[Tools, str] = {}
        for task in tasks:
            tools = tools_of(task.case)
            if tools not in self._versions:
                with self._reference_lock:
                    if self._reference is None:
                        self._reference = self._spec.open()
                self._versions[tools] = self._reference.version(task.case)
            found[tools] = self._versions[tools]
        return found

    def _refuse(self, worker: _Hired, reason: str) -> None:
        with self._changed:
            if worker.node not in self._refused:
                _log.warning("node %s is left out: %s", worker.node[:8], reason)
            self._refused[worker.node] = reason
            if worker in self._hired:
                self._hired.remove(worker)
            self._changed.notify_all()

    def _check_possible(self) -> None:
        """Raise an error if there is no worker and there will be none."""
        if self._is_closed:
            raise MachineryError("the executor is closed")
        if self._hired or time.monotonic() - self._since_hired < _POLL_S:
            return
        left_out = "; ".join(f"node {node[:8]}: {reason}" for node, reason in self._refused.items())
        if self._refused and not set(self._cluster.nodes()) - set(self._refused):
            raise MachineryError(f"{self._cluster.name}: no node can judge: {left_out}")
        if time.monotonic() - self._since_hired > _WITHOUT_WORKERS_S:
            raise MachineryError(
                f"{self._cluster.name}: no node with free CPUs for {_WITHOUT_WORKERS_S:.0f} seconds"
                + (f"; {left_out}" if left_out else "")
            )

    # hiring

    def _keep_hired(self) -> None:
        """Have a worker on each node that may judge, as long as there are slots for it."""
        opening: dict[Any, _Hired] = {}
        while not self._is_closed:
            with contextlib.suppress(self._ray.exceptions.RayError, ConnectionError):
                for worker in self._missing(list(opening.values())):
                    opening[worker.actor.open.remote(self._pickled_spec, worker.node == self._driver_node())] = worker
                ready, _ = self._ray.wait(list(opening), num_returns=1, timeout=_POLL_S) if opening else ([], [])
                for pending in ready:
                    self._welcome(opening.pop(pending), pending)
            if not opening:
                with self._changed:
                    self._changed.wait(_POLL_S)
        for worker in opening.values():
            self._end(worker)

    def _missing(self, opening: Sequence[_Hired]) -> list[_Hired]:
        with self._changed:
            present = [*self._hired, *opening]
        slots = self._slots - sum(worker.threads for worker in present)
        added = []
        for node, cpus in self._cluster.nodes().items():
            if slots <= 0 or node in self._refused or any(worker.node == node for worker in present):
                continue
            threads = min(cpus, slots)
            slots -= threads
            added.append(_Hired(self._start(node, threads), node, threads))
        return added

    def _start(self, node: str, threads: int) -> Any:
        strategy = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node_id=node, soft=False)
        actor = self._ray.remote(RemoteWorker)
        return actor.options(
            num_cpus=threads, max_concurrency=threads, max_restarts=0, max_task_retries=0, scheduling_strategy=strategy
        ).remote()

    def _welcome(self, worker: _Hired, opened: Any) -> None:
        try:
            failure = self._ray.get(opened)
        except self._ray.exceptions.RayError as error:
            failure = None if self._has_died(worker.node, str(error)) else (str(error).splitlines() or ["it died"])[0]
            self._end(worker)
            if failure is None:
                return
        with self._changed:
            self._since_hired = time.monotonic()
            if failure is None:
                self._hired.append(worker)
                self._changed.notify_all()
                return
        self._refuse(worker, failure)
        self._end(worker)

    def _driver_node(self) -> str:
        return str(self._ray.get_runtime_context().get_node_id())

    def _end(self, worker: _Hired) -> None:
        with contextlib.suppress(Exception):  # it may be dead, or its cluster gone
            self._ray.kill(worker.actor)
