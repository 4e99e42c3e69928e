"""A bwrap that is killed from outside, at any moment: the machine's failure, and never the sample's or a bug."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgetest.errors import MachineryError
from forgetest.sandboxes.bubblewrap import Bubblewrap
from forgetest.sandboxes.process import start_gate
from forgetest.verdict import Step

WHOLE = '{ "child-pid": 7 }\n{ "exit-code": 0 }\n'
KILLED = """#!/bin/bash
# what bwrap does to its status, up to where it is killed
while [ "$1" != --json-status-fd ]; do shift; done
printf %s '{status}' >&"$2"
kill -KILL $$
"""


@pytest.mark.parametrize("status", ["", "{", '{ "child-pid"', '{ "child-pid": 1', '{ "child-pid": 12 }'])
def test_one_that_is_killed_before_it_has_said_its_first_line_did_not_run_the_step(status: str, tmp_path: Path) -> None:
    with pytest.raises(MachineryError, match="the sandbox did not run s"):
        _run(tmp_path, status)


@pytest.mark.parametrize("status", ["", "{ ", '{ "exit-code": 1', '{ "exit-code": 0 }'])
def test_one_that_is_killed_in_its_last_line_did_not_run_the_step(status: str, tmp_path: Path) -> None:
    with pytest.raises(MachineryError, match="the sandbox did not run s"):
        _run(tmp_path, '{ "child-pid": ' + _NOBODY + " }\n" + status)


def test_only_whole_lines_are_believed() -> None:
    for length in range(len(WHOLE) + 1):
        said = start_gate.told(WHOLE[:length].encode())
        lines = WHOLE[:length].count("\n")
        assert said == dict([("child-pid", 7), ("exit-code", 0)][:lines])


_NOBODY = str(2**22 + 1)
"""A process that there cannot be."""


def _run(folder: Path, status: str) -> None:
    folder.chmod(0o755)
    program = folder / "bwrap"
    program.write_text(KILLED.format(status=status))
    program.chmod(0o755)
    sandbox = Bubblewrap(str(program))
    try:
        sandbox.run(Step(name="s", argv=("/bin/true",)))
    finally:
        sandbox.close()
