"""C: ctest's reports and failed builds, and the exit code of make."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import ctest_suite, make_suite
from verified_projects import execution_of, tree_of

CONTROL = "control_0123456789ab"


def test_a_failed_build_of_c_is_told_apart_from_a_missing_library():
    built = ctest_suite.read_report({}, execution_of("calc.c:2:37: error: 'c' undeclared\n", stage="build\n"), CONTROL)
    assert (built.broken_build, "undeclared" in built.problem) == (True, True)
    missing = ctest_suite.read_report({}, execution_of(stderr="Could NOT find ZLIB\n", stage="configure\n"), CONTROL)
    assert (missing.broken_build, missing.unavailable) == (False, True)


@pytest.mark.parametrize(
    ("makefile", "declared"), [("test: a\n\t./a\n", True), ("check:\n\t./a\n", True), ("test := x\nall:\n", False)]
)
def test_make_is_declared_by_a_target_for_tests(makefile, declared):
    assert make_suite.is_declared(tree_of({"Makefile": makefile})) is declared


def test_the_outcome_of_make_is_its_exit_code():
    tree = tree_of({"Makefile": "check:\n\t./a\n"})
    assert make_suite.read_report(tree, execution_of(exit_code=0), CONTROL).outcomes == {"make check": "passed"}
    failed = make_suite.read_report(tree, execution_of("cc a.c\na.c:2:1: error: x\n", exit_code=2), CONTROL)
    assert (failed.outcomes, failed.notes) == ({"make check": "failed"}, ("make check fails: a.c:2:1: error: x",))
    assert make_suite.read_report(
        tree, execution_of(stderr="sh: 1: cargo: not found", exit_code=2), CONTROL
    ).unavailable
