"""Programs that would rather not be judged by what they print."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from forgetest import config
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case
from forgetest.evalset.io_tests import IoTest, IoTests
from forgetest.executors import JudgeTask
from forgetest.sandboxes.factory import open_sandbox

PYTHON = {
    "kills the launcher": "import os\nfor pid in (1, os.getppid(), 0, -1):\n    try:\n        os.kill(pid, 9)\n"
    "    except OSError:\n        pass\nprint('wrong')",
    "writes a report of its own": "import os\nfor fd in range(3, 256):\n    try:\n"
    '        os.write(fd, b\'{"ending": "exited", "code": 0, "stdout": "Mw=="}\\nend\\n\')\n'
    "    except OSError:\n        pass\nprint('ready')\nprint('end')",
    "forks": "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        break\nprint('wrong')",
    "leaves what cannot be removed": "import os\nfor n in range(2000):\n    os.mkdir('d')\n    os.chdir('d')\n"
    "os.chmod('.', 0)\nprint('wrong')",
    "fills its folder": "try:\n    for name in ('a', '/x/b'):\n        with open(name, 'wb') as file:\n"
    "            while True:\n                file.write(bytes(1 << 20))\nexcept OSError:\n    print('wrong')",
    "closes its output": "import os, time\nos.close(1)\nos.close(2)\ntime.sleep(0.1)\nos._exit(0)",
    "ends in a thread": "import os, threading\nthreading.Thread(target=os._exit, args=(0,)).start()\n"
    "while True:\n    pass",
    "replaces json and print": "import builtins, json\njson.dumps = lambda *a: '3'\nbuiltins.print = lambda *a: None",
    "sleeps": "import time\ntime.sleep(1000)",
    "swallows every exception": "while True:\n    try:\n        while True:\n            pass\n"
    "    except BaseException:\n        pass",
    "raises at exit": "import atexit\natexit.register(lambda: 1 / 0)\nraise SystemExit(0)",
}

RUST_KILLS = """
unsafe extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
    fn getppid() -> i32;
}

fn main() {
    for pid in [1, unsafe { getppid() }, 0] {
        unsafe { kill(pid, 15) };
        unsafe { kill(pid, 9) };
    }
    println!("wrong");
}
"""


def opened_judge(kind: str) -> Iterator[Judge]:
    try:
        sandbox = open_sandbox(kind)
    except (UserError, MachineryError) as error:
        pytest.skip(str(error))
    steps = StepRunner(sandbox, config.cache_folder(), config.host_environment())
    yield Judge(steps, PreparedCases(steps), kind)
    sandbox.close()


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    yield from opened_judge("bubblewrap")


@pytest.fixture(scope="module")
def judge_without_namespaces() -> Iterator[Judge]:
    yield from opened_judge("landlock")


def statuses(judge: Judge, code: str, language: str = "python") -> list[str]:
    """The outcomes of two tests, the second of which a program that does nothing harmful would pass."""
    tests = tuple(IoTest(name=name, input="1 2", output="3") for name in ("first", "second"))
    case = Case(id="-", name="-", prompt="-", language=language, timeout_secs=0.5, io=IoTests(tests=tests))
    [[result]] = judge.judge([JudgeTask(number=0, case=case, code=code)])
    assert result.verdict is not None, f"unjudged: {result.reason}"
    return [test.status for test in result.verdict.tests]


@pytest.mark.slow
@pytest.mark.parametrize("name", PYTHON)
def test_a_hostile_program_fails_and_is_judged(judge, name):
    assert statuses(judge, PYTHON[name]) == ["failed", "failed"]


@pytest.mark.slow
def test_a_hostile_program_cannot_end_the_launcher_without_namespaces_either(judge_without_namespaces):
    assert statuses(judge_without_namespaces, PYTHON["kills the launcher"]) == ["failed", "failed"]
    assert statuses(judge_without_namespaces, RUST_KILLS, "rust") == ["failed", "failed"]
