from __future__ import annotations

import ast

import pytest

from forgetest.toolchains.python.stateless_tests import is_stateless

STATELESS = [
    "def check(candidate):\n    assert candidate([1]) == 1",
    "import math\nimport random\nrng = random.Random(1)\nassert math.isclose(f(rng.random()), 1)",
    "import pytest\nfrom solution import f\n\ndef test_f():\n    with pytest.raises(ValueError):\n        f(1)",
    "import unittest\n\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = 1",
]
NOT_STATELESS = [
    "import sys\nsys.setrecursionlimit(10)",
    "import random\nrandom.seed(1)",
    "import solution\nsolution.LIMIT = 3",
    "def test_f(monkeypatch): ...",
    "def test_f(tmp_path): ...",
    "from unittest import mock",
    "import typing\ntyping.sys.path.append('x')",
    "async def test_f(): ...",
    "def test_f():\n    open('/tmp/x', 'w')",
    "import decimal\ndecimal.getcontext().prec = 3",
]


@pytest.mark.parametrize("source", STATELESS)
def test_tests_that_only_compute_leave_nothing_behind(source: str):
    assert is_stateless(ast.parse(source), source, "solution")


@pytest.mark.parametrize("source", NOT_STATELESS)
def test_tests_that_may_change_their_interpreter_have_their_own(source: str):
    assert not is_stateless(ast.parse(source), source, "solution")


def test_a_sample_with_the_name_of_a_library_module_is_never_shared():
    assert not is_stateless(ast.parse("from string import f"), "from string import f", "string")
