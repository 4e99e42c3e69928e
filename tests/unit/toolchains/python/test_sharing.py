"""Samples that are judged together get the verdicts that they get alone, whatever the others do."""

from __future__ import annotations

import json
import random
import shutil
from functools import cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from company import Table, comparable
from forgetest import config
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.verdict import Verdict
from grading import case_of

pytestmark = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("ruff", path=config.host_environment()["PATH"])),
    reason="bwrap or ruff is not installed: run scripts/setup --dev",
)

DOUBLE = case_of(
    "def check(candidate):\n    for n in (1, 2, 21):\n        assert candidate(n) == 2 * n, n\n",
    language="python",
    options={"entry_point": "double"},
    timeout_secs=3.0,
)
SEVERAL = case_of(
    "import pytest\nimport random\n\n\n"
    "@pytest.mark.parametrize('n', [1, 2])\ndef test_doubles(n):\n    assert double(n) == 2 * n\n\n\n"
    "def test_draws():\n    assert random.randrange(10**9) + double(1) > 0\n    assert double(0) == 0\n",
    ["def double(n)"],
    language="python",
    timeout_secs=0.2,
)
STATEFUL = case_of(
    "import sys\n\n\ndef test_state():\n    assert not hasattr(sys, 'seen')\n    sys.seen = True\n"
    "    assert double(2) == 4\n",
    language="python",
)
SAMPLES = {
    "right": "def double(n):\n    return n + n\n",
    "wrong": "def double(n):\n    return n\n",
    "not a program": "def double(n)\n    return n\n",
    "another name": "def triple(n):\n    return n\n",
    "raises": "def double(n):\n    raise KeyError([n, {'a': (n,)}])\n",
    "prints": "def double(n):\n    print('double of', n)\n    return n * 3\n",
    "fails when it is imported": "x = [][1]\n",
    "keeps what it has seen": "seen = []\ndef double(n, seen=seen):\n    seen.append(n)\n"
    "    return n + seen[0] - 1 + n\n",
    "its own built-ins": "def len(x):\n    return 7\nsorted = sum = print = len\ndef double(n):\n    return 2 * n\n",
    "changes a library": "import math, random\nrandom.seed(1)\nmath.pi = 3\ndef double(n):\n    return 2 * n\n",
    "uses a library": "import math\ndef double(n):\n    return math.prod([n, 2])\n",
    "changes a library through a copy": "import copy, math\nmeta = type(int)\n"
    "def reduce(self, protocol):\n    return (lambda: math, (), (None, {'prod': lambda n: 0}))\n"
    "copy.copy(meta('X', (), {'__reduce_ex__': reduce})())\ndef double(n):\n    return 2 * n\n",
    "changes the built-ins": "import builtins\nbuiltins.len = lambda _: 1\nbuiltins.range = None\n"
    "def double(n):\n    return 2 * n\n",
    "leaves files": "import os\nos.makedirs('/tmp/a/b')\nopen('/tmp/a/c', 'w').write('x')\n"
    "def double(n):\n    return 2 * n * len(os.listdir('/tmp'))\n",
    "counts files": "import os\ndef double(n):\n    return 2 * n + len(os.listdir('/tmp'))\n",
    "exits": "import os\ndef double(n):\n    os._exit(0)\n",
    "recurses": "def double(n):\n    return double(n + 1)\n",
    "recurses as deep as it may": "def depth(n):\n    return n and 1 + depth(n - 1)\ndef double(n):\n"
    "    return 2 * n + 0 * depth(900)\n",
    "takes much memory": "def double(n):\n    x = [0] * (60 << 20)\n    return 2 * n\n",
    "takes too much memory": "def double(n):\n    x = [0] * (1 << 30)\n    return 2 * n\n",
    "a generator left over": "def count():\n    while True:\n        yield 1\nleft = count()\nnext(left)\n"
    "def double(n):\n    return n * (next(left) + 1)\n",
    "an iterator": "def double(n):\n    return (2 * i for i in [n])\n",
    "a large answer": "def double(n):\n    return 'x' * (70 << 20)\n",
    "equals everything": "class E:\n    def __eq__(self, other):\n        return True\n"
    "def double(n):\n    return E()\n",
    "writes into the pipe": "import os\ndef double(n):\n    for d in range(3, 9):\n        try:\n"
    "            os.write(d, b'xxxxxxxx')\n"
    "        except OSError:\n            pass\n    return n\n",
    "loops": "def double(n):\n    while True:\n        pass\n",
}
CASES = [DOUBLE, SEVERAL, STATEFUL]


@pytest.fixture(scope="module")
def table(step_runner: StepRunner) -> Table:
    return Table(step_runner, "python")


@pytest.fixture(scope="module")
def alone(table: Table):
    @cache
    def judge(name: str, index: int) -> Verdict:
        return comparable(table.alone(SAMPLES[name], CASES[index]))

    return judge


ALL = [(name, index) for name in SAMPLES for index in range(len(CASES))]


QUICK = (
    "changes a library through a copy",
    "uses a library",
    "right",
    "wrong",
    "not a program",
    "prints",
    "its own built-ins",
    "changes the built-ins",
    "leaves files",
    "loops",
)


def test_a_verdict_is_the_same_alone_and_among_others(table: Table, alone):
    found, _ = table.together([(SAMPLES[name], DOUBLE) for name in QUICK])
    for name, verdict in zip(QUICK, found, strict=True):
        assert verdict is None or comparable(verdict) == alone(name, 0), name
    endless = found[QUICK.index("loops")]
    assert endless is not None
    [outcome] = endless.tests
    assert (outcome.timed_out, outcome.cpu_ms < 1000) == ("cpu", True)
    assert outcome.message == "stopped: it never ends: the loop in line 3 comes back to where it was"


def test_plain_samples_share_a_process_and_others_have_their_own(table: Table):
    names = ("right", "leaves files", "wrong", "changes a library", "uses a library")
    _, [execution, *_] = table.together([(SAMPLES[name], DOUBLE) for name in names])
    ready, *lines, end = execution.stdout.splitlines()
    assert (ready, end) == (b"ready", b"end")
    assert [json.loads(line)["was_shared"] for line in lines] == [False, False, True, False, True]


@pytest.mark.slow
def test_a_verdict_is_the_same_alone_and_among_neighbours_of_every_kind(table: Table, alone):
    found, executions = table.together([(SAMPLES[name], CASES[index]) for name, index in ALL])
    verdicts = dict(zip(ALL, found, strict=True))
    for name in SAMPLES:
        verdict = verdicts.get((name, 0))
        assert verdict is None or comparable(verdict) == alone(name, 0), name
    separate = {name for (name, _), verdict in verdicts.items() if verdict is None}
    assert separate <= {
        *("exits", "changes the built-ins", "takes much memory", "takes too much memory"),
        *("a large answer", "writes into the pipe"),
    }
    assert [execution.step for execution in executions] == ["test", "lint"]


@pytest.mark.slow
@settings(max_examples=3, deadline=None, phases=[Phase.generate])
@given(order=st.randoms(use_true_random=False))
def test_a_verdict_is_the_same_in_any_order(table: Table, alone, order: random.Random):
    chosen = order.choices(ALL, k=40)
    found, _ = table.together([(SAMPLES[name], CASES[index]) for name, index in chosen])
    for (name, index), verdict in zip(chosen, found, strict=True):
        assert verdict is None or comparable(verdict) == alone(name, index), name


def test_a_launch_that_fails_is_divided_until_the_others_have_their_verdicts(table: Table):
    bomb = case_of(
        "def check(candidate):\n    assert [0] * candidate(1)\n", language="python", options={"entry_point": "f"}
    )
    bombs = ("def f(n):\n    return 1 << 32\n", bomb)
    found, _ = table.together([(SAMPLES["right"], DOUBLE), bombs, (SAMPLES["wrong"], DOUBLE)])
    assert [verdict and verdict.tests[0].status for verdict in found] in (
        ["passed", None, "failed"],
        ["passed", "failed", "failed"],
    )
