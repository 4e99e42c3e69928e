"""Every registered sandbox that this machine can run passes the contract suite. A new one joins by its entry point."""

from __future__ import annotations

import pytest

from forgetest import plugins
from forgetest.sandboxes import Sandbox
from forgetest.testing.sandboxes import Create, SandboxContract, run_shell

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

    def test_the_cpu_time_of_all_processes_together_is_told(self, sandbox: Sandbox) -> None:
        loop = "(i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done)"
        execution = run_shell(sandbox, f"{loop} & {loop} & wait; sleep 0.3")
        assert 300 < execution.cpu_ms < 30_000
        assert run_shell(sandbox, "sleep 1").cpu_ms < 300


def test_the_kinds_of_the_command_line_are_registered() -> None:
    assert {"bubblewrap", "docker", "landlock", "none", "podman"} <= set(plugins.names("sandboxes"))
