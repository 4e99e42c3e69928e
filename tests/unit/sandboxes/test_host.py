"""Trusted steps of preparation run on the host itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgetest.errors import UserError
from forgetest.sandboxes import host
from forgetest.verdict import Limits, Step


def test_a_step_gets_the_hosts_environment_and_its_own_variables_win() -> None:
    step = Step(name="s", argv=("/bin/sh", "-c", "echo $A $B"), env={"B": "own"}, on_host=True)
    execution = host.run_on_host(step, {"A": "host", "B": "host"})
    assert (execution.succeeded, execution.stdout) == (True, b"host own\n")


def test_a_step_that_keeps_a_folder_runs_in_it(tmp_path: Path) -> None:
    step = Step(
        name="s",
        argv=("/bin/sh", "-c", "cat in/file >out"),
        files={"in/file": b"content"},
        outputs=("out",),
        keep=str(tmp_path),
        on_host=True,
    )
    assert host.run_on_host(step, {"PATH": "/usr/bin:/bin"}).outputs == {"out": b"content"}
    assert (tmp_path / "out").read_bytes() == b"content"


def test_a_step_is_stopped_by_the_clock() -> None:
    step = Step(name="s", argv=("/bin/sleep", "600"), limits=Limits(wall_s=0.1), on_host=True)
    assert host.run_on_host(step, {}).ended == "wall_limit"


def test_a_missing_program_is_the_users_to_install() -> None:
    with pytest.raises(UserError, match="no-such-program was not found"):
        host.run_on_host(Step(name="s", argv=("/no-such-program",), on_host=True), {})
