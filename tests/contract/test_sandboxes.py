"""Every registered sandbox that this machine can run passes the contract suite. A new one joins by its entry point."""

from __future__ import annotations

import pytest

from forgetest import plugins
from forgetest.testing.sandboxes import Create, SandboxContract

SLOW = {"none", "docker", "podman"}
"""The slow lane has those that isolate nothing, and containers; of these, `test_container_ends.py` and
`tests/hostile/test_containers.py` show the main promises in the default lane."""
KINDS = [pytest.param(kind, marks=pytest.mark.slow if kind in SLOW else ()) for kind in plugins.names("sandboxes")]


class TestSandboxes(SandboxContract):
    @pytest.fixture(scope="class", params=KINDS)
    @classmethod
    def create(cls, request: pytest.FixtureRequest) -> Create:
        create: Create = plugins.find("sandboxes", request.param)
        return create


def test_the_kinds_of_the_command_line_are_registered() -> None:
    assert {"bubblewrap", "docker", "landlock", "none", "podman"} <= set(plugins.names("sandboxes"))
