"""A Ray cluster of several nodes on this machine, and samples to judge there."""

from __future__ import annotations

from typing import Any

from forgetest.evalset import Case, Expectations

DOUBLE = Case(
    id="double",
    name="double",
    prompt="Double a number.",
    language="python",
    expectations=Expectations(test_file="def test_it():\n    assert double(21) == 42\n"),
)


def double(number: int) -> str:
    """Return a sample; every third is wrong."""
    return f"def double(x):\n    return x * 2 + {number % 3 // 2}  # {number}\n"


class Nodes:
    """A cluster of nodes on this machine: the driver's, and those that a test adds."""

    def __init__(self, head_cpus: int = 1) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(initialize_head=True, head_node_args=self._options(head_cpus), connect=True)

    @property
    def address(self) -> str:
        """Where another process connects to it."""
        return str(self._cluster.address)

    def add(self, **environment: str) -> Any:
        added = self._cluster.add_node(**self._options(1), env_vars=environment)
        self._cluster.wait_for_nodes()
        return added

    def kill(self, node: Any) -> None:
        self._cluster.remove_node(node, allow_graceful=False)

    def stop(self) -> None:
        import ray

        ray.shutdown()
        self._cluster.shutdown()

    def _options(self, cpus: int) -> dict[str, Any]:
        return {"num_cpus": cpus, "object_store_memory": 80_000_000, "include_dashboard": False}
