"""Test files that only the configuration of their runner tells from code."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import SuiteReport, cargo_suite, node_suite, pytest_suite
from nerv.verification.ecosystems.all import Project
from nerv.verification.repository import Trees
from verified_projects import tree_of

BASE = tree_of({"calc.py": "two = 2\n", "checks/check_add.py": "from calc import two\n"})


def project_with(ecosystem=pytest_suite, *files: str) -> Project:
    report = SuiteReport(outcomes=dict.fromkeys(files, "passed"), files={file: file for file in files})
    return Project(folder="", ecosystem=ecosystem).with_reported(report, BASE)


def test_a_file_with_reported_tests_is_taken_from_the_side_whose_tests_are_run():
    """Otherwise a run could weaken such tests unseen."""
    project = project_with(pytest_suite, "checks/check_add.py")
    weakened = {**BASE, **tree_of({"calc.py": "two = 3\n", "checks/check_add.py": "weaker\n"})}
    trees = Trees(base=BASE, result=weakened)
    overlay = trees.overlay(project, weakened, BASE)
    assert (overlay["calc.py"].text, overlay["checks/check_add.py"].text) == ("two = 3\n", "from calc import two\n")
    assert trees.changed_files(project) == {"checks/check_add.py"}


@pytest.mark.parametrize("file", ["calc.py", "gone.py"])
def test_code_with_tests_in_it_stays_code(file):
    assert project_with(pytest_suite, file).reported == frozenset()


@pytest.mark.parametrize(("ecosystem", "is_told"), [(node_suite, True), (cargo_suite, False)])
def test_a_runner_that_reports_the_sources_of_the_code_tells_nothing(ecosystem, is_told):
    assert bool(project_with(ecosystem, "checks/check_add.py").reported) is is_told
