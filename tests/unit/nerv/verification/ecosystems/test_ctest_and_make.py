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
    ("output", "reason"),
    [
        ('CMake Error: Could not find a package configuration file provided by\n  "Boost" with', 'provided by "Boost"'),
        ("CMake 3.99 or higher is required.  You are running version 3.25", "CMake 3.99 or higher is required"),
    ],
)
def test_what_the_machine_lacks_for_a_build_of_c_is_named(output, reason):
    report = ctest_suite.read_report({}, execution_of(stderr=output, stage="configure\n"), CONTROL)
    assert (report.unavailable, report.broken_build, reason in report.problem) == (True, False, True)


def test_a_build_that_downloads_what_it_needs_is_not_the_run_s_failure():
    tree = tree_of({"CMakeLists.txt": "include(FetchContent)\nFetchContent_Declare(fmt GIT_REPOSITORY x)\n"})
    failed = execution_of(stderr="CMake Error at CMakeLists.txt:7 (target_link_libraries):\n", stage="configure\n")
    report = ctest_suite.read_report(tree, failed, CONTROL)
    assert (report.unavailable, report.problem) == (True, "its build downloads fmt, and there is no network")
    assert ctest_suite.read_report({}, failed, CONTROL).broken_build


def test_tests_that_are_off_by_default_are_built():
    lists = 'option(CALC_BUILD_TESTS "tests" OFF)\noption(CALC_DOCS "docs" OFF)\noption(TESTS_ON "x" ON)\n'
    tree = tree_of({"CMakeLists.txt": lists})
    argv = ctest_suite.command(tree, tree, CONTROL).argv
    assert [word for word in argv if word.startswith("-D") and word.endswith("=ON")] == ["-DCALC_BUILD_TESTS=ON"]


def test_tests_of_googletest_that_end_before_the_last_one_have_failed():
    def case(name, text):
        return f'<testcase name="{name}" status="run"><system-out>{text}</system-out></testcase>'

    started = "[==========] Running 1 test from 1 test suite.\n"
    control = f'<testcase name="{CONTROL}" status="fail"><failure message=""/></testcase>'
    cases = case("whole", f"{started}[  PASSED  ] 1 test.") + case("early", started) + case("plain", "fine")
    report = ctest_suite.read_report({}, execution_of(ctest_xml=f"<testsuite>{cases}{control}</testsuite>"), CONTROL)
    assert report.outcomes == {"whole": "passed", "early": "failed", "plain": "passed"}
    assert report.notes == ("counted as failed, because they ended before their last test did: early",)


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


BASE = "test: unit lib\n\t./run\n\nunit: check-all\ncheck-all:\n\t# all\n\t./check\nlib: a.c\n\tcc a.c\n"


def test_the_base_s_rules_for_tests_are_kept_beside_the_result_s_others():
    weakened = "test:\n\ttrue\ncheck-all:\n\ttrue\nlib: a.c b.c\n\tcc a.c b.c\nunit: check-all\n"
    command = make_suite.command(tree_of({"Makefile": weakened}), tree_of({"Makefile": BASE}), CONTROL)
    (added,) = command.added.values()
    assert added.text.startswith(weakened)
    kept = added.text.removeprefix(weakened)
    assert "test: unit lib\n\t./run\n" in kept
    assert "cc" not in kept
    same = tree_of({"Makefile": BASE})
    assert make_suite.command(same, same, CONTROL).added == {}


def test_a_program_that_make_does_not_find_is_the_machine_s_lack():
    tree = tree_of({"Makefile": "check:\n\tvalgrind ./a\n"})
    failed = execution_of(stderr="make: valgrind: No such file or directory\nmake: *** [check] Error 127", exit_code=2)
    report = make_suite.read_report(tree, failed, CONTROL)
    assert (report.unavailable, report.problem) == (True, "make: valgrind: No such file or directory")
