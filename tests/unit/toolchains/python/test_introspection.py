"""Tests that look at what only the sample's process has: they are judged right, inside, and not verified."""

from __future__ import annotations

import shutil

import pytest

from company import Table
from forgetest import config
from forgetest.engine.judging.step_runner import StepRunner
from grading import case_of

pytestmark = pytest.mark.skipif(
    not (shutil.which("bwrap") and shutil.which("ruff", path=config.host_environment()["PATH"])),
    reason="bwrap or ruff is not installed: run scripts/setup --dev",
)

WARNS = """
import pytest

def test_it():
    with pytest.warns(DeprecationWarning, match="old"):
        assert f(1) == 2
"""
LOGS = """
import unittest

class Logging(unittest.TestCase):
    def test_it(self):
        with self.assertLogs("shop", level="WARNING") as seen:
            self.assertEqual(f(3), 3)
        self.assertIn("bought 3", seen.output[0])
"""
DATA = """
from dataclasses import asdict, astuple, fields, replace

def test_it():
    assert asdict(P(1)) == {"x": 1, "y": 2}
    assert astuple(P(1)) == (1, 2)
    assert replace(P(1), x=5) == P(5)
    assert [each.name for each in fields(P)] == ["x", "y"]
"""
SOURCE = "import inspect\n\ndef test_it():\n    assert 'for ' not in inspect.getsource(f)\n    assert f(5) == 120\n"
TASKS = """
import asyncio

def test_it():
    async def both():
        return (await asyncio.gather(get(), put(7)))[0]
    assert asyncio.run(asyncio.wait_for(both(), 2)) == 7
"""
WAITING = """
import asyncio

seen = []

async def put(n):
    await asyncio.sleep(0.01)
    seen.append(n)

async def get():
    while not seen:
        await asyncio.sleep(0.005)
    return seen.pop()
"""
SAMPLES = {
    "warnings": (
        WARNS,
        "import warnings\ndef f(n):\n    warnings.warn('old', DeprecationWarning, stacklevel=2)\n    return n + 1\n",
        "def f(n):\n    return n + 1\n",
    ),
    "logs": (
        LOGS,
        "import logging\ndef f(n):\n    logging.getLogger('shop').warning('bought %d', n)\n    return n\n",
        "def f(n):\n    return n\n",
    ),
    "data classes": (
        DATA,
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 2\n",
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 3\n",
    ),
    "source": (
        SOURCE,
        "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n",
        "def f(n):\n    r = 1\n    for i in range(2, n + 1):\n        r *= i\n    return r\n",
    ),
    "tasks": (
        TASKS,
        WAITING,
        "seen = []\nasync def put(n):\n    seen.append(n)\nasync def get():\n    return seen and seen.pop()\n",
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "warnings" else [pytest.mark.slow]) for name in SAMPLES]
)
def test_it_is_judged_inside_and_not_verified(step_runner: StepRunner, name: str):
    tests, right, wrong = SAMPLES[name]
    table, case = Table(step_runner, "python"), case_of(tests, language="python", timeout_secs=1.0)
    verdict = table.alone(right, case)
    assert [test.status for test in verdict.tests] == ["passed"], verdict.tests
    assert [finding.kind for finding in verdict.integrity] == ["shared_interpreter"]
    assert not verdict.verified
    assert [test.status for test in table.alone(wrong, case).tests] == ["failed"]
