"""Problems that the text of Python tests shows."""

from __future__ import annotations

import pytest

from forgetest.evalset import Case, Expectations
from forgetest.toolchains.python.audit import inspect_tests


def remarks(tests: str) -> list[tuple[str, str, int]]:
    case = Case(id="c", name="c", prompt="p", language="python", expectations=Expectations(test_file=tests))
    return [(each.test, each.problem, each.line) for each in inspect_tests(case)]


@pytest.mark.parametrize(
    ("tests", "found"),
    [
        ("def test_a():\n    f(1)\n", ("test_a", "no_assertion", 1)),
        ("def check_a():\n    assert f(1)\n\n\ndef test_b():\n    assert f(2)\n", ("check_a", "never_runs", 1)),
        ("def test_a():\n    assert f(1)\n\n\ndef test_a():\n    assert f(2)\n", ("test_a", "never_runs", 1)),
        ("import pytest\n\n\n@pytest.mark.skip\ndef test_a():\n    assert f(1)\n", ("test_a", "never_runs", 5)),
        ("def test_a():\n    assert f(1)\n    return\n    assert f(2)\n", ("test_a", "never_runs", 1)),
        ("def test_a():\n    assert f(1)\n\n\ndef test_b():\n    assert  f(1)\n", ("test_b", "duplicate", 5)),
        ("class TestA:\n    def test_a(self):\n        f(1)\n", ("TestA.test_a", "no_assertion", 2)),
    ],
)
def test_a_problem_is_found(tests: str, found: tuple[str, str, int]):
    assert remarks(tests) == [found]


@pytest.mark.parametrize(
    "tests",
    [
        "def test_a():\n    with pytest.raises(ValueError):\n        f(1)\n",
        "def same(a, b):\n    assert a == b\n\n\ndef test_a():\n    same(f(1), 2)\n",
        "@pytest.fixture\ndef value():\n    assert f(1)\n    return 1\n\n\ndef test_a(value):\n    assert value\n",
        "class TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), 1)\n",
        "def check(candidate):\n    assert candidate(1) == 1\n",
        ">>> f(1)\n1\n",
    ],
)
def test_sound_tests_have_none(tests: str):
    assert remarks(tests) == []
