"""Tests that accept too much: a project whose tests are functions of Python, run here."""

from __future__ import annotations

from typing import Any

import pytest

from nerv.inspection.hollow_code import hollow_results, refuse_calls
from nerv.verification import comparison
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import SuiteReport
from nerv.verification.experiments import Experiments
from nerv.verification.lenient_tests import find_dulled_tests, find_slackened_tests, find_unmoved_tests
from nerv.verification.mutants import Mutation
from nerv.verification.repository import Trees
from nerv.verification.trees import Tree
from verified_projects import tree_of

OLD_CODE = "def add(a, b):\n    return a + b + 0\n"
CODE = "def add(a, b):\n    return a + b\n"
CHECK = "def check(a, b, want):\n    assert add(a, b) == want\n\n\n"
PATIENT = (
    "def check(a, b, want):\n    try:\n        assert add(a, b) == want\n    except RuntimeError:\n        pass\n\n\n"
)
TEST = "def test_add():\n    check(1, 2, 3)\n"


class Ecosystem:
    NAME = "python"


class Project:
    folder = ""
    ecosystem = Ecosystem

    @staticmethod
    def is_test_file(path: str) -> bool:
        return path.startswith("test")

    @staticmethod
    def files(tree: Tree) -> Tree:
        return tree


class Host:
    @staticmethod
    def say(_message: str) -> None: ...


def outcomes(tree: Tree) -> SuiteReport:
    names: dict[str, Any] = {}
    exec("\n\n".join(file.text for _, file in sorted(tree.items())), names)
    found = {}
    for name in [name for name in names if name.startswith("test_")]:
        try:
            names[name]()
            found[name] = "passed"
        except (AssertionError, RuntimeError):
            found[name] = "failed"
    return SuiteReport(outcomes=found)  # type: ignore[arg-type]


class Interpreted(Experiments):
    def run(self, tree: Any, *_: Any, **__: Any) -> SuiteReport:
        return outcomes(tree)


def experiments(base: dict[str, str], result: dict[str, str]) -> Experiments:
    trees = Trees(base=tree_of(base), result=tree_of(result))
    project: Any = Project()
    runs = ProjectRuns(
        baseline=outcomes(tree_of(base)),
        guarded=outcomes(trees.overlay(project, tree_of(result), tree_of(base))),
        own=outcomes(tree_of(result)),
        changed_files=trees.changed_files(project),
    )
    given: dict[str, Any] = {"project": project, "sandbox": None, "host": Host(), "slowest_s": 0.0}
    return Interpreted(trees=trees, runs=runs, **given)


@pytest.mark.parametrize(
    ("tests", "dulled"),
    [
        (PATIENT + TEST, ("test_add",)),
        (CHECK + TEST, ()),
        (CHECK + TEST.replace("check(1, 2, 3)", "check(2, 2, 4)"), ()),
    ],
)
def test_a_test_that_accepts_what_it_refused_is_dulled(tests, dulled):
    tried = experiments({"add.py": OLD_CODE, "test_add.py": CHECK + TEST}, {"add.py": CODE, "test_add.py": tests})
    assert find_dulled_tests(tried, refuse_calls) == dulled


def test_a_test_that_had_to_change_is_not_dulled():
    tests = PATIENT + TEST.replace("3", "4")
    result = {"add.py": CODE.replace("a + b", "a + b + 1"), "test_add.py": tests}
    tried = experiments({"add.py": OLD_CODE, "test_add.py": CHECK + TEST}, result)
    assert tried.runs.own is not None
    assert tried.runs.own.outcomes == {"test_add": "passed"}
    assert find_dulled_tests(tried, refuse_calls) == ()


@pytest.mark.parametrize(
    ("tests", "slackened"),
    [
        (TEST.replace("check(1, 2, 3)", "assert add(1, 2) > 0"), ("test_add",)),
        (TEST.replace("check(1, 2, 3)", "assert add(1, 2) > 2"), ()),
        (TEST.replace("check(1, 2, 3)", "assert add(1, 2) > 0") + "\n\ndef test_more():\n    check(4, 4, 8)\n", ()),
    ],
)
def test_a_test_that_noticed_a_small_change_that_no_test_notices_now_is_slackened(tests, slackened):
    base = {"add.py": OLD_CODE, "test_add.py": CHECK + TEST}
    tried = experiments(base, {"add.py": CODE, "test_add.py": CHECK + tests})
    found = [mutation for mutation, mutant in tried.try_mutants(change_the_sum, most=10) if mutant.status == "survived"]
    assert find_slackened_tests(tried, found) == slackened


def change_the_sum(path: str, text: str, _lines: Any) -> list[Mutation]:
    content = text.replace("a + b", "a * b").encode()
    return [Mutation(path=path, line=2, before="a + b", after="a * b", content=content)]


def test_new_tests_that_look_at_no_value_are_unmoved():
    tests = "def test_type():\n    assert isinstance(add(1, 2), int)\n\n\ndef test_sum():\n    assert add(1, 2) == 3\n"
    tried = experiments({"add.py": OLD_CODE}, {"add.py": CODE, "test_add.py": tests})
    assert comparison.new_tests(tried.runs) == ("test_sum", "test_type")
    assert find_unmoved_tests(tried, hollow_results) == ("test_type",)


def test_functions_that_no_test_names_stay_as_they_are():
    tests = "def test_sum():\n    assert add(1, 2) in (3, 4)\n"
    code = CODE + "\n\ndef other():\n    return 1\n"
    tried = experiments({"add.py": code}, {"add.py": code.replace("1", "2"), "test_add.py": tests})
    assert find_unmoved_tests(tried, hollow_results) == ()
