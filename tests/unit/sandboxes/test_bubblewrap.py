"""A bwrap that is killed from outside, at any moment: a failure of the machinery, never the sample's."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes import SandboxSettings
from forgetest.sandboxes.bubblewrap import Bubblewrap
from forgetest.sandboxes.process import start_gate
from forgetest.verdict import Step

WHOLE = '{ "child-pid": 7 }\n{ "exit-code": 0 }\n'
KILLED = """#!/bin/bash
# writes its status as bwrap does, up to the moment when it is killed
while [ "$1" != --json-status-fd ]; do shift; done
printf %s '{status}' >&"$2"
kill -KILL $$
"""


@pytest.mark.parametrize("status", ["", "{", '{ "child-pid"', '{ "child-pid": 1', '{ "child-pid": 12 }'])
def test_a_bwrap_killed_before_its_first_status_line_did_not_run_the_step(status: str, tmp_path: Path) -> None:
    with pytest.raises(MachineryError, match="the sandbox did not run s"):
        _run(tmp_path, status)


@pytest.mark.parametrize("status", ["", "{ ", '{ "exit-code": 1', '{ "exit-code": 0 }'])
def test_a_bwrap_killed_in_its_last_status_line_did_not_run_the_step(status: str, tmp_path: Path) -> None:
    with pytest.raises(MachineryError, match="the sandbox did not run s"):
        _run(tmp_path, '{ "child-pid": ' + _NOBODY + " }\n" + status)


def test_only_whole_status_lines_are_parsed() -> None:
    for length in range(len(WHOLE) + 1):
        status = start_gate.parse_status(WHOLE[:length].encode())
        lines = WHOLE[:length].count("\n")
        assert status == dict([("child-pid", 7), ("exit-code", 0)][:lines])


_NOBODY = str(2**22 + 1)
"""An id that no process can have."""


def _run(folder: Path, status: str) -> None:
    folder.chmod(0o755)
    program = folder / "bwrap"
    program.write_text(KILLED.format(status=status))
    program.chmod(0o755)
    sandbox = Bubblewrap(str(program), SandboxSettings(cache_folder=folder, engine_environment={}))
    try:
        sandbox.run(Step(name="s", argv=("/bin/true",)))
    finally:
        sandbox.close()
