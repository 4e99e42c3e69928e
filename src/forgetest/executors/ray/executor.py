"""The executor: options, the connection to the cluster, and a pool of workers for each spec."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence

from forgetest.errors import UserError
from forgetest.executors import Judged, JudgeTask, WorkerSpec
from forgetest.executors.ray.cluster import Cluster
from forgetest.executors.ray.pool import AHEAD, Pool
from forgetest.executors.threads import map_groups

_OPTIONS = {"address": str, "allow_other_tools": bool}


def create(slots: int | None, options: Mapping[str, object]) -> RayExecutor:
    """Connect to a cluster, or start a local one. By default, a slot for each of its CPUs."""
    for name, value in options.items():
        if name not in _OPTIONS:
            raise UserError(f"[executor]: the executor ray has no option {name}; it has {', '.join(_OPTIONS)}")
        if not isinstance(value, _OPTIONS[name]):
            raise UserError(f"[executor]: {name}: {value!r} is not a {_OPTIONS[name].__name__}")
    address = options.get("address")
    cluster = Cluster(None if address is None else str(address), slots)
    try:
        return RayExecutor(cluster, slots, allow_other_tools=bool(options.get("allow_other_tools", False)))
    except BaseException:
        cluster.close()
        raise


class RayExecutor:
    """Judges on the nodes of a cluster. Workers stay from one `map` to the next."""

    def __init__(self, cluster: Cluster, slots: int | None, *, allow_other_tools: bool) -> None:
        self._cluster = cluster
        self._allow_other_tools = allow_other_tools
        self.slots = slots or sum(cluster.nodes().values())
        if not self.slots:
            raise UserError(f"{cluster.name}: no node has a CPU to judge with")
        self._lock = threading.Lock()
        self._pools: dict[WorkerSpec, Pool] = {}

    def map(self, spec: WorkerSpec, groups: Iterable[Sequence[JudgeTask]]) -> Iterator[Sequence[Judged]]:
        """Judge every group."""

        def judge(group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
            return self._pool(spec).judge(group)

        return map_groups(judge, groups, self.slots, AHEAD)

    def close(self) -> None:
        """End all workers, and the cluster if it was started here."""
        with self._lock:
            pools, self._pools = self._pools, {}
        for pool in pools.values():
            pool.close()
        self._cluster.close()

    def _pool(self, spec: WorkerSpec) -> Pool:
        with self._lock:
            if spec not in self._pools:
                self._pools[spec] = Pool(self._cluster, spec, self.slots, allow_other_tools=self._allow_other_tools)
            return self._pools[spec]
