"""Code that ends its process where tests are judged by the exit code."""

from __future__ import annotations

import pytest

from nerv.verification.early_exits import find_early_exits
from nerv.verification.ecosystems import cargo_suite, ctest_suite, make_suite
from nerv.verification.ecosystems.all import Project
from nerv.verification.repository import Trees
from nerv.verification.result import SuiteResult, Verification
from verified_projects import tree_of

BASE = {"calc.c": "int add(int a, int b) {\n    return a + b;\n}\n"}


def places(files, ecosystem=ctest_suite, folder=""):
    trees = Trees(base=tree_of(BASE), result=tree_of({**BASE, **files}))
    return find_early_exits(Project(folder=folder, ecosystem=ecosystem), trees)


@pytest.mark.parametrize(
    "call", ["exit(0);", "std::exit(EXIT_SUCCESS);", "_exit( 0 );", 'asm("syscall");', "syscall(60, 0);"]
)
@pytest.mark.parametrize("ecosystem", [ctest_suite, make_suite])
def test_new_code_that_ends_its_process_is_found(call, ecosystem):
    assert places({"calc.c": f"int add(int a, int b) {{\n    {call}\n}}\n"}, ecosystem) == ("calc.c:2",)


@pytest.mark.parametrize(
    "files",
    [
        {"calc.c": "int add(int a, int b) {\n    if (a < 0) exit(1);  // never exit(0)\n    return a + b;\n}\n"},
        {"tool.c": "int main(void) {\n    exit(0);\n}\n"},
        {"tests/run.c": "void done(void) {\n    exit(0);\n}\n"},
        {"calc.py": "exit(0)\n"},
    ],
)
def test_programs_tests_and_failures_may_end(files):
    assert places(files) == ()


def test_where_each_test_is_reported_nothing_hangs_on_the_exit_code():
    assert places({"calc.c": "void f(void) {\n    exit(0);\n}\n"}, cargo_suite) == ()


def test_a_rust_test_with_a_harness_of_its_own_hangs_on_the_exit_code():
    manifest = '[package]\nname = "a"\n[[test]]\nname = "own"\nharness = false\n'
    library = {"src/lib.rs": "pub fn two() -> u8 {\n    std::process::exit(0);\n}\n", "tests/own.rs": "fn main() {}\n"}
    assert places({"Cargo.toml": manifest, **library}, cargo_suite) == ("src/lib.rs:2",)
    assert places({"Cargo.toml": manifest.replace("false", "true"), **library}, cargo_suite) == ()


def test_code_that_was_there_before_is_no_reason_to_doubt():
    trees = Trees(
        base=tree_of({"a.c": "void f(void) { exit(0); }\n"}), result=tree_of({"a.c": "void f(void) { exit(0); }\n"})
    )
    assert find_early_exits(Project(folder="", ecosystem=make_suite), trees) == ()


def test_a_pass_is_not_verified_by_tests_that_an_early_exit_may_have_passed():
    suite = SuiteResult(tree="result", source="base", command="ctest", outcomes={"a": "passed"})
    assert Verification(suites=(suite,)).verified is True
    assert Verification(suites=(suite,), early_exits=("a.c:2",)).verified is None
    assert Verification(suites=(suite,), early_exits=("a.c:2",), accepted=True).verified is True
