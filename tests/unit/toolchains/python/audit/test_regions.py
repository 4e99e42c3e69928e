"""Regions of Python programs, and the programs that end in them."""

from __future__ import annotations

import pytest

from forgetest.evalset import Case, Expectations
from forgetest.evalset.io_tests import IoTests
from forgetest.toolchains.python.audit.regions import regions
from forgetest.toolchains.reaching import Region

CODE = """\
import math

LIMIT = 3 if math else 4


def f(a):
    if a: return 1
    try:
        b = int(a)
    except ValueError:
        return None
    for _ in range(b):
        b -= 1
    return b
"""


def of(code: str, tests: str = "") -> list[Region]:
    case = Case(id="c", name="c", prompt="p", language="python", reference_solution=code)
    return regions(case if not tests else Case(
        id="c", name="c", prompt="p", language="python", reference_solution=code,
        expectations=Expectations(test_file=tests),
    ))  # fmt: skip


def test_blocks_and_what_follows_a_way_out_are_regions():
    assert [(each.line, each.last_line, each.is_branch, each.has_code) for each in of(CODE)] == [
        (7, 14, False, True),
        (7, 7, True, True),
        (7, 7, True, False),
        (8, 14, False, True),
        (9, 9, False, True),
        (11, 11, True, True),
        (12, 14, False, True),
        (13, 13, True, True),
    ]


def test_each_program_is_python_and_ends():
    for region in of(CODE):
        compile(region.ending_program, "program", "exec")
        assert region.ending_program.count('raise SystemExit("reached")') == 1


@pytest.mark.parametrize("tests", ["with pytest.raises(SystemExit):", "try:\n    f(1)\nexcept:\n    pass"])
def test_a_process_ends_where_an_exception_could_be_caught(tests: str):
    assert all("_exit(1)" in each.ending_program for each in of(CODE, tests))


def test_code_outside_of_functions_is_a_region_of_programs_only():
    code = "if input():\n    print(1)\n"
    assert of(code) == []
    case = Case(id="c", name="c", prompt="p", language="python", reference_solution=code, io=IoTests(tests=()))
    assert [each.line for each in regions(case)] == [2, 1]


def test_a_condition_tells_whether_its_branches_are_reached():
    inside, past = (each for each in of("def f(a):\n    if a > 1:\n        g()\n") if each.is_branch)
    assert (inside.decision and inside.decision.opposite, past.decision and past.decision.opposite) == ("False", "True")
