"""Lazy answers and forgeries in Python have the names of the reference solution, and can be parsed."""

from __future__ import annotations

import ast
from typing import Any

from forgetest.evalset import Case, Expectations
from forgetest.evalset.io_tests import IoTest, IoTests
from forgetest.toolchains.python.audit import impostors

REFERENCE = """
class Counter:
    def __init__(self, start: int = 0):
        self.n = start

    def next(self) -> int:
        self.n += 1
        return self.n


def twice(x, y=1): return x * 2
"""


def a_case(reference: str = REFERENCE, tests: str = "", prompt: str = "Write it.", **further: Any) -> Case:
    expectations = Expectations(test_file=tests)
    return Case(
        id="c",
        name="c",
        prompt=prompt,
        language="python",
        reference_solution=reference,
        expectations=expectations,
        **further,
    )


def lazy(case: Case) -> dict[str, str]:
    return {each.name: each.code for each in impostors(case) if each.kind == "lazy"}


def test_all_of_them_can_be_parsed_and_define_the_same_names():
    for each in impostors(a_case()):
        names = {node.name for node in ast.parse(each.code).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        assert names - {"_Everything"} == {"Counter", "twice"}


def test_a_function_returns_constants_of_its_type_or_of_any_type_without_annotation():
    found = lazy(a_case("def f(a) -> bool:\n    return bool(a)\n"))
    assert {"returns True", "returns False"} <= set(found)
    assert "returns 0" not in found
    assert "returns 0" in lazy(a_case("def f(a):\n    return a\n"))


def test_an_argument_is_returned():
    assert "return y" in lazy(a_case())["returns argument 2"]


def test_the_value_that_the_first_test_expects_is_returned():
    tests = "def test_it():\n    assert f(x) == helper()\n    assert f([1]) == [2, 'b']\n"
    assert "return [2, 'b']" in lazy(a_case(tests=tests))["returns what the first test expects"]


def test_the_examples_of_the_prompt_become_a_table():
    prompt = "Examples: `twice(2) == 4`, twice('a') -> 'aa'.\n>>> twice(3)\n6\n"
    code = lazy(a_case(prompt=prompt))["the prompt's examples as a table"]
    scope: dict[str, Any] = {}
    exec(compile(code, "code", "exec"), scope)
    assert [scope["twice"](x) for x in (2, "a", 3, 5)] == [4, "aa", 6, None]


def test_a_program_prints_what_the_first_test_expects():
    case = a_case("print(int(input()) * 2)", io=IoTests(tests=(IoTest(name="1", input="2\n", output="4\n"),)))
    assert lazy(case)["prints what the first test expects"] == "print('4\\n', end='')\n"


def test_a_reference_solution_without_functions_has_none():
    assert impostors(a_case("X = 1\n")) == []
