"""Probes of Python programs, and the tests for what they find."""

from __future__ import annotations

import sys
import types
from dataclasses import replace

import pytest

from forgetest.evalset import Case, Expectations
from forgetest.toolchains.probing import difference
from forgetest.toolchains.python.audit import probe_case, probes, with_test

REFERENCE = "def f(a, b):\n    return a < b\n"


def a_case(tests: str) -> Case:
    expectations = Expectations(test_file=tests)
    return Case(
        id="c", name="c", prompt="p", language="python", reference_solution=REFERENCE, expectations=expectations
    )


@pytest.mark.parametrize(
    "tests",
    ["def test_it():\n    assert f(1, 2)\n    assert f(x, 1)\n", "def check(candidate):\n    assert candidate(1, 2)\n"],
)
def test_probes_are_like_the_calls_of_the_tests(tests: str):
    found = probes(a_case(tests), 50, 0)
    assert {"f(1, 2)", "f(2, 2)"} <= set(found)
    assert not any("x" in call or "candidate" in call for call in found)


def test_a_probe_fails_for_the_first_call_that_differs(monkeypatch: pytest.MonkeyPatch):
    tests = probe_case(a_case(""), ["f(1, 2)", "f(2, 2)", "f(3, 3)"]).expectations.test_file
    sample = types.ModuleType("solution")
    monkeypatch.setitem(sys.modules, "solution", sample)
    scope: dict[str, object] = {}
    exec(compile(tests or "", "tests", "exec"), scope)

    sample.f = lambda a, b: a < b  # type: ignore[attr-defined]
    scope["test_probe"]()  # type: ignore[operator]
    sample.f = lambda a, b: a <= b  # type: ignore[attr-defined]
    with pytest.raises(AssertionError) as failure:
        scope["test_probe"]()  # type: ignore[operator]
    found = difference(str(failure.value))
    assert found is not None
    assert (found.call, found.expected) == (1, "False")


@pytest.mark.parametrize(
    ("tests", "written"),
    [
        (
            "def test_a():\n    assert f(1, 2)\n",
            "\n\ndef test_f_tells_mutants_apart_1():\n    assert f(2, 2) == False\n",
        ),
        ("def check(candidate):\n    assert candidate(1, 2)\n", "    assert candidate(2, 2) == False\n"),
        ("def check(f):\n    assert f(1, 2)\n", "    assert f(2, 2) == False\n"),
        ("assert f(1, 2)\n", "assert f(2, 2) == False\n"),
    ],
)
def test_a_test_is_written_in_the_style_of_the_others(tests: str, written: str):
    assert with_test(a_case(tests), "f(2, 2)", "False", 1) == [tests + written]


def test_functions_that_no_test_calls_with_plain_data_are_called_by_their_types():
    solution = "def encode(text: str, n: int):\n    return text * n\n\n\ndef other(x):\n    return x\n"
    tests = "from solution import encode\n\n\ndef test_some():\n    text = 'a'\n    assert encode(text, 2)\n"
    case = replace(a_case(tests), reference_solution=solution)
    found = probes(case, 50, 0)
    assert "encode('a', 1)" in found
    assert not any(call.startswith("other") for call in found)
