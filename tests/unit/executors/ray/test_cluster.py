"""Connecting to a Ray cluster, without one."""

from __future__ import annotations

import pytest

from forgetest.errors import UserError
from forgetest.executors.ray.cluster import Cluster


class SilentRay:
    """Ray on a machine that is too busy to start a cluster."""

    def is_initialized(self) -> bool:
        return False

    def init(self, **_: object) -> None:
        raise Exception("The current node timed out during startup.\nA second line.")


def test_a_local_cluster_that_does_not_start_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forgetest.executors.ray.cluster.import_ray", SilentRay)
    with pytest.raises(UserError, match=r"^a local Ray cluster could not be started: The current node timed out"):
        Cluster(None, 2)
