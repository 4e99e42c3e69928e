from __future__ import annotations

import json
from typing import Any

import pytest

from forgetest.errors import MachineryError
from forgetest.toolchains.python import launch
from forgetest.toolchains.python.discovery import ExpectedTest, TestFile
from forgetest.toolchains.python.launch import TestRun
from forgetest.toolchains.python.preparation import PreparedCase
from forgetest.toolchains.python.tools import Tools
from forgetest.verdict import Execution

TOOLS = Tools(version="CPython 3.11.0; ruff 1", release=(3, 11), mounts=(), lint_mounts=())
PREPARED = PreparedCase(
    tools=TOOLS,
    runtime="kept:python-runtime-x",
    module="solution",
    test_file=TestFile(source="def test(): ...", tests=()),
    expected=("f",),
)
RUN = TestRun(prepared=PREPARED, code="x = '\ud800'", test=ExpectedTest(name="test", kind="function"), cpu_s=2.0)
LINE = {"ending": "passed", "message": "", "output": "", "status": 9, "wall_ms": 3.0, "cpu_ms": 1.0, "loaded": True}
LINE |= {"notes": {}, "doubts": {}, "is_clean": True}


def execution(*lines: Any, ended: Any = "exited", first: str = "ready", last: str = "end") -> Execution:
    text = "\n".join([first, *map(json.dumps, lines), last, ""])
    return Execution(step="test", ended=ended, exit_code=0, stdout=text.encode())


def test_the_plan_names_each_case_once_and_holds_any_text():
    plan = json.loads(launch.run_step([RUN, RUN]).stdin)
    assert (len(plan["cases"]), len(plan["runs"])) == (1, 2)
    assert plan["runs"][1]["code"] == RUN.code


def test_every_run_may_take_its_time():
    one, three = launch.run_step([RUN]).limits, launch.run_step([RUN] * 3).limits
    assert three.wall_s - one.wall_s >= 2 * 2 * 10 * RUN.cpu_s
    assert three.cpu_s - one.cpu_s >= 2 * 2 * RUN.cpu_s


def test_results_come_in_the_order_of_the_runs():
    results = launch.read_results(execution(LINE, LINE | {"ending": "failed"}), [RUN, RUN])
    assert [result and result.ending for result in results] == ["passed", "failed"]


def test_a_run_that_was_not_made_has_no_result():
    assert launch.read_results(execution(LINE | {"is_clean": False}), [RUN, RUN])[1] is None


@pytest.mark.parametrize(
    "broken",
    [
        execution(LINE, ended="wall_limit"),
        execution(LINE, first="x"),
        execution(LINE, last="x"),
        execution(LINE | {"ending": "broken"}),
    ],
)
def test_a_launcher_that_did_not_finish_is_our_own_failure(broken: Execution):
    with pytest.raises(MachineryError):
        launch.read_results(broken, [RUN])
