from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from forgetest.errors import UserError
from forgetest.toolchains.python import discovery
from forgetest.toolchains.python.discovery import TestFile
from grading import case_of


def read(source: str, **further: Any) -> TestFile:
    return discovery.read(case_of(dedent(source), language="python", **further))


def names_and_kinds(source: str, **further: Any) -> list[tuple[str, str]]:
    return [(test.name, test.kind) for test in read(source, **further).tests]


def test_functions_methods_and_test_cases_are_found_in_their_order():
    source = """
        import unittest
        def helper(): ...
        def test_a(): ...
        async def test_b(): ...
        class TestC:
            def test_d(self): ...
            def helper(self): ...
        class Other:
            def test_no(self): ...
        class E(unittest.TestCase):
            def test_f(self): ...
        assert helper
    """
    assert names_and_kinds(source) == [
        ("test_a", "function"),
        ("test_b", "function"),
        ("TestC.test_d", "method"),
        ("E.test_f", "unittest"),
    ]


@pytest.mark.parametrize(
    ("decorators", "names"),
    [
        ('@pytest.mark.parametrize("a", [1, "x"])', ["test[1]", "test[x]"]),
        ('@pytest.mark.parametrize("a,b", [(1, 2), ([], 3)])', ["test[1-2]", "test[1]"]),
        ('@pytest.mark.parametrize("a", [pytest.param(1, id="one"), pytest.param(2)])', ["test[one]", "test[2]"]),
        (
            '@pytest.mark.parametrize("a", [1, 2])\n@pytest.mark.parametrize("b", "x")',
            ["test"],
        ),
        (
            '@pytest.mark.parametrize("a", [1, 2])\n@pytest.mark.parametrize("b", (3, 4))',
            ["test[1-3]", "test[1-4]", "test[2-3]", "test[2-4]"],
        ),
        ('@pytest.mark.parametrize("a", [1, 1])', ["test[1]", "test[1]#2"]),
        ('@pytest.mark.parametrize("a", ROWS)', ["test"]),
        ('@pytest.mark.parametrize("a", [*ROWS, 3])', ["test"]),
        ('@pytest.mark.parametrize("a", [])', []),
    ],
)
def test_each_set_of_parameters_that_is_written_out_is_a_test(decorators: str, names: list[str]):
    found = read(f"import pytest\n{decorators}\ndef test(a, b=0): ...\n")
    assert [test.name for test in found.tests] == names


@pytest.mark.parametrize("decorator", ["pytest.mark.skip", "pytest.mark.skip(reason='x')", "unittest.skip('x')"])
def test_what_is_always_skipped_is_ignored(decorator: str):
    [test] = read(f"@{decorator}\ndef test(): ...").tests
    assert test.is_ignored
    [method] = read(f"@{decorator}\nclass TestX:\n    def test(self): ...").tests
    assert method.is_ignored


@pytest.mark.parametrize(
    ("source", "tests"),
    [
        ("assert f(1) == 2", [("assertions", "module")]),
        ("for n in (1, 2):\n    assert f(n)", [("assertions", "module")]),
        ("def check(c):\n    assert c(1)\ncheck(f)", [("check", "module")]),
        ("def check(c):\n    assert c(1)", [("check", "check")]),
        ("'''Text.\n\n>>> f(1)\n2\n'''", [("doctest", "doctest")]),
        ("f of one:\n\n>>> f(1)\n2\n", [("doctest", "text")]),
        ("", []),
        ("import math", []),
    ],
)
def test_other_files_are_one_test_or_none(source: str, tests: list[tuple[str, str]]):
    assert names_and_kinds(source, options={"entry_point": "f"}) == tests


def test_names_that_the_tests_do_not_define_are_the_samples():
    source = """
        import math
        from solution import g
        LIMIT = 3
        def helper(x): return x + LIMIT + late
        class Local:
            field = 1
        def test():
            y = f(helper(1)) + g(math.pi) + len([z for z in h])
            global late
            late = Local.field
            '''>>> ignored(1)'''
    """
    assert read(source).names == ("f", "h")


def test_names_in_examples_are_the_samples_too():
    assert read('def documented():\n    """\n    >>> f(1)\n    2\n    """').names == ("f",)
    assert read("Text\n\n>>> x = f(1)\n>>> g(x)\n2\n").names == ("f", "g")


def test_check_is_called_with_the_entry_point_or_the_first_expected_function():
    source = "def check(candidate):\n    assert candidate(1)"
    assert read(source, options={"entry_point": "f"}).entry == "f"
    found = read(source, functions=["async def g(x) -> int", "h"])
    assert (found.entry, found.names) == ("g", ("g",))
    with pytest.raises(UserError, match="entry_point"):
        read(source)


def test_classes_are_names_in_capitals_and_expected_types():
    found = read("from solution import Point, area\nassert area(Point(1), Circle(2))", expected_types=("class shape",))
    assert set(found.comparable) == {"Point", "Circle", "shape"}


def test_tests_that_cannot_be_read_are_the_users_error():
    with pytest.raises(UserError, match="test_file: line 1: invalid syntax"):
        read("def test(:\n    pass")


def test_tests_that_nobody_asks_for_are_not_read():
    assert read("def test(:", should_pass_tests=False).tests == ()
