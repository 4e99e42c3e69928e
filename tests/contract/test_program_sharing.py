"""Programs that share launches are judged as they are alone, and find nothing of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.evalset import Case
from forgetest.evalset.io_tests import CheckerProgram, DataFile, IoTest, IoTests
from forgetest.executors import Judged, JudgeTask
from forgetest.verdict import Step

SUM = "import sys\n\ntotal = sum(map(int, sys.stdin.read().split()))\n"
RIGHT = SUM + "print(total)\n"
TESTS = (IoTest(name="small", input="1 2", output="3"), IoTest(name="large", input="100 200", output="300"))
SEARCH = """
import gc, os, sys
secret = "".join(["zq", "17"])
places = [str(os.environ), repr(sys.argv)]
for folder in ("/tmp", "/x", "/dev/shm"):
    for path, _, names in os.walk(folder):
        places += [open(os.path.join(path, name), errors="replace").read(1 << 20) for name in names]
places += [each for each in gc.get_objects() if isinstance(each, str)]
places += [repr(each) for each in gc.get_objects() if isinstance(each, (dict, list))][:20000]
places += [str(each.co_consts) for each in gc.get_objects() if hasattr(each, "co_consts")]
found = any(secret in place.replace(repr(secret), "") for place in places)
print("found" if found else sum(map(int, sys.stdin.read().split())))
"""


class CountingRunner:
    """Counts the steps that a judge runs."""

    def __init__(self, runner: Any) -> None:
        self._runner = runner
        self.names: list[str] = []

    def run(self, step: Step):
        self.names.append(step.name)
        return self._runner.run(step)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runner, name)


def io_case(tests: Sequence[IoTest] = TESTS, **given: Any) -> Case:
    return Case(
        id="-", name="-", prompt="-", language="python", timeout_secs=1.0, io=IoTests(tests=tuple(tests), **given)
    )


def judge_all(runner: Any, cases: Sequence[Case], codes: Sequence[str], *, sharing: bool = True) -> list[Judged]:
    judge = Judge(runner, PreparedCases(runner), "bubblewrap", sharing=sharing, audit_chance=0)
    tasks = [JudgeTask(number=i, case=case, code=code) for i, (case, code) in enumerate(zip(cases, codes, strict=True))]
    return sorted((each for some in judge.judge(tasks) for each in some), key=lambda each: each.number)


def statuses(judged: Sequence[Judged]) -> list[list[str]]:
    return [[test.status for test in each.verdict.tests] for each in judged if each.verdict]


def messages(judged: Sequence[Judged]) -> list[list[list[str]]]:
    return [[test.message.splitlines()[:1] for test in each.verdict.tests] for each in judged if each.verdict]


def test_a_group_needs_three_launches_and_no_sample_finds_the_code_of_another(step_runner):
    """One to parse, one to lint, one to run."""
    runner = CountingRunner(step_runner)
    codes = [RIGHT, "answer = 'zq17 zq17'\n" + RIGHT, SEARCH, SUM + "print(total + (total > 100))\n", "print(\n"]
    judged = judge_all(runner, [io_case()] * len(codes), codes)

    assert runner.names == ["parse", "lint", "run"]
    assert statuses(judged) == [["passed"] * 2] * 3 + [["passed", "failed"], ["failed"] * 2]
    assert all(each.verdict.verified for each in judged[:3])


def test_large_tests_share_nothing(step_runner, tmp_path):
    """Neither files nor long inputs: a launch's plan is held in memory."""
    path = tmp_path / "in"
    path.write_text("1 2")
    file = DataFile(name="in", sha256="", size=3, path=str(path))
    cases = [io_case(), io_case([IoTest(name="file", input=file, output="3")])]
    runner = CountingRunner(step_runner)

    assert statuses(judge_all(runner, cases, [RIGHT, RIGHT])) == [["passed"] * 2, ["passed"]]
    assert runner.names.count("run") == 2


AWKWARD = {
    "right": RIGHT,
    "exits": SUM + "print(total)\nsys.exit(3)\n",
    "endless": SUM + "print(total, flush=True)\nwhile total > 100:\n    pass\n",
    "floods": "while True:\n    print('1' * 1000)\n",
    "much": SUM + "print(total)\nprint(' ' * (2 << 20))\n",
    # `bytes` asks for zeroed memory without touching it: that takes no CPU time, of which there is little
    "hungry": SUM + "x = bytes(600 << 20)\nx = bytes(600 << 20) + x\nprint(total)\n",
    "littering": SUM + "import os\nprint(total if not os.listdir('.') else 0)\nopen('left', 'w').close()\n",
    "changing": SUM + "import builtins\nprint(total)\nbuiltins.print = None\nsys.modules.clear()\n",
    "crashing": "import ctypes\nctypes.string_at(0)\n",
    "last": RIGHT + "# last\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, -1])
def test_awkward_programs_are_judged_as_they_are_alone(step_runner, order):
    """In both orders, so that each comes after each."""
    codes = list(AWKWARD.values())[::order]
    together = judge_all(step_runner, [io_case()] * len(codes), codes)
    alone = judge_all(step_runner, [io_case()] * len(codes), codes, sharing=False)

    assert statuses(together) == statuses(alone)
    assert messages(together) == messages(alone)
    assert messages(alone)[list(AWKWARD)[::order].index("hungry")] == [["exit code 1"]] * 2
    assert [each.verdict.verified for each in together] == [each.verdict.verified for each in alone]


MULTIPLES_OF_THREE = """import sys
_, output, _ = (open(path).read() for path in sys.argv[1:])
print("accepted" if int(output) % 3 == 0 else "rejected no")
"""


@pytest.mark.slow
def test_a_checker_judges_programs_that_shared_a_launch(step_runner):
    """Calls share launches as well."""
    checker = CheckerProgram(language="python", code=MULTIPLES_OF_THREE)
    checked = io_case(checker="program", checker_program=checker)
    called = io_case([IoTest(name="a", input="[1, 2]", output="3")], call="add")
    codes = [RIGHT, SUM + "print(total + 1)\n", "def add(a, b):\n    return a + b\n", "def add(a, b):\n    return a\n"]
    judged = judge_all(step_runner, [checked, checked, called, called], codes)

    assert statuses(judged) == [["passed"] * 2, ["failed"] * 2, ["passed"], ["failed"]]
