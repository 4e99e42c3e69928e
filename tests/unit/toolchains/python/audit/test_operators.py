"""Each operator for Python makes the changes that it is named after."""

from __future__ import annotations

import ast

import pytest

from forgetest.toolchains.python.audit.operators import OPERATORS, mutations


def changed(code: str, operator: str) -> set[str]:
    return {each.code for each in mutations(code) if each.operator == operator}


@pytest.mark.parametrize(
    ("operator", "code", "mutants"),
    [
        ("comparison", "a < b", {"a >= b"}),
        ("comparison", "a in b", {"a not in b"}),
        ("comparison", "a is not b", {"a is b"}),
        ("boundary", "a < b <= c", {"a <= b <= c", "a < b < c"}),
        ("arithmetic", "x = a + -b", {"x = a - -b", "x = a + (b)"}),
        ("arithmetic", "x += 1", {"x -= 1"}),
        ("constant", "x = 3", {"x = 4", "x = 2"}),
        ("constant", "x = 0", {"x = 1", "x = (-1)"}),
        ("constant", "x = True", {"x = False"}),
        ("constant", "x = 'a'", {"x = ''"}),
        ("constant", "x = b''", {"x = b'mutant'"}),
        ("boolean", "a and b", {"a or b", "a", "b"}),
        ("boolean", "x = not a", {"x = (a)"}),
        (
            "condition",
            "x = 1 if a else 2",
            {"x = 1 if False else 2", "x = 1 if True else 2", "x = 1 if not (a) else 2"},
        ),
        ("deleted statement", "if a:\n    f(1)", {"if a:\n    pass"}),
        ("deleted statement", "raise ValueError", {"pass"}),
        ("deleted statement", "x[0] = 1", {"pass"}),
        ("swapped arguments", "f(a, b, k=1)", {"f(b, a, k=1)"}),
        ("loop bound", "x[a:]", {"x[(a) + 1:]", "x[:]"}),
        ("loop bound", "range(n)", {"range(n + 1)", "range(n - 1)"}),
        ("error kind", "raise ValueError('x')", {"raise TypeError('x')"}),
        ("twin", "min(a)", {"max(a)"}),
        ("twin", "x = a.lstrip()", {"x = a.rstrip()"}),
    ],
)
def test_an_operator_makes_these_changes(operator: str, code: str, mutants: set[str]):
    assert changed(code, operator) == mutants


def test_an_early_return_ends_a_loop_after_or_before_its_first_round():
    code = "def f(xs):\n    for x in xs:\n        g(x)\n"
    assert changed(code, "early return") == {
        "def f(xs):\n    for x in xs:\n        g(x)\n        break\n",
        "def f(xs):\n    for x in xs:\n        return\n        g(x)\n",
    }


def test_a_return_value_becomes_a_constant_of_the_annotated_type():
    code = "def f(x) -> list[int]:\n    return [x]\n"
    assert changed(code, "return value") == {
        "def f(x) -> list[int]:\n    return []\n",
        "def f(x) -> list[int]:\n    return None\n",
    }


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n    """Some text, 1 < 2."""\n',
        "x: Literal[1]\n",
        "import a.b\n",
        "raise E('text 1')\n",
        "max(a, b)\n",
    ],
)
def test_what_changes_nothing_is_left_alone(code: str):
    assert {each.operator for each in mutations(code)} <= {"deleted statement", "twin"}


def test_every_mutant_of_a_larger_program_can_be_parsed_and_every_operator_finds_something():
    code = (
        "def f(xs: list[int], n: int) -> int:\n"
        "    total = 0\n"
        "    for i, x in enumerate(xs[1:n]):\n"
        "        if x < n and not i == 3:\n"
        "            total += max(x, 1) * pow(i, 2)\n"
        "        else:\n"
        "            raise ValueError('x')\n"
        "    return total\n"
    )
    found = mutations(code)
    for each in found:
        ast.parse(each.code)
    assert {each.operator for each in found} == set(OPERATORS)
