from __future__ import annotations

import pytest

from forgetest.errors import MachineryError, UserError
from forgetest.toolchains.python import tools
from forgetest.toolchains.python.tools import Tools
from forgetest.verdict import Execution
from grading import case_of

ANSWERS = """version=CPython 3.12.4
executable=/opt/py/bin/python3.12
library=/opt/py/lib/python3.12
libraryname=lib/python3.12
ruff=/opt/bin/ruff
version=ruff 0.9.1
library_line=libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x0)
library_line=/lib64/ld-linux-x86-64.so.2 (0x0)
stamp=/opt/bin/ruff 1 2
"""


def located(answers: str, *, exit_code: int = 0, release: str = "") -> Tools:
    script = tools.locate(case_of(None, language="python", options={"python": release} if release else {}))
    assert next(script) == tools.locate_step(release)
    try:
        script.send(Execution(step="locate", ended="exited", exit_code=exit_code, stdout=answers.encode()))
        script.send(Execution(step="collect", ended="exited", exit_code=0))
    except StopIteration as finished:
        found: Tools = finished.value
        return found
    raise AssertionError("one step too many")


def test_the_interpreter_its_library_and_the_linter_are_mounted():
    found = located(ANSWERS)
    assert (found.version, found.release) == ("CPython 3.12.4; ruff 0.9.1", (3, 12))
    targets = {mount.source: mount.target for mount in found.mounts}
    assert targets["/opt/py/bin/python3.12"] == "/py/bin/python3"
    assert targets["/opt/py/lib/python3.12"] == "/py/lib/python3.12"
    assert "/opt/bin/ruff" in {mount.source for mount in found.lint_mounts}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ("missing=python3\n", "no Python was found"),
        (ANSWERS.replace("3.12.4", "3.10.1"), "CPython 3.11 or later"),
        (ANSWERS.replace("CPython 3.12.4", "PyPy 3.12.4"), "CPython 3.11 or later"),
        ("version=CPython 3.12.4\nmissing=ruff\n", "pip install ruff"),
    ],
)
def test_what_is_missing_or_too_old_is_the_users_error(answers: str, message: str):
    with pytest.raises(UserError, match=message):
        located(answers)


def test_a_python_that_does_not_start_is_our_failure():
    with pytest.raises(MachineryError, match="asking Python about itself"):
        located("", exit_code=1)


def test_a_release_that_is_not_there_is_the_users_error():
    with pytest.raises(UserError, match=r"python: Python 3\.99 was not found: have python3\.99 on the PATH"):
        located("missing=python3.99\n", release="3.99")
