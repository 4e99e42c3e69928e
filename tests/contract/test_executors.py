"""The contract of executors, for each that is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgetest import plugins
from forgetest.executors import Executor
from forgetest.executors.ray.cluster import Cluster
from forgetest.testing.executors import SLOTS, ExecutorContract


def test_every_executor_is_held_to_the_contract() -> None:
    assert set(plugins.names("executors")) == {"local", "ray"}


class TestLocalExecutor(ExecutorContract):
    @pytest.fixture
    def executor(self) -> Iterator[Executor]:
        created: Executor = plugins.find("executors", "local")(SLOTS, {})
        yield created
        created.close()


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A cluster that this process is connected to; an executor uses it, and leaves it as it is."""
    started = Cluster(None, SLOTS)
    yield
    started.close()


@pytest.mark.slow
class TestRayExecutor(ExecutorContract):
    @pytest.fixture
    def executor(self, cluster: None) -> Iterator[Executor]:
        created: Executor = plugins.find("executors", "ray")(SLOTS, {})
        yield created
        created.close()
