"""Tests with other names, of a result whose tests are a table: which test fails for which files."""

from __future__ import annotations

from typing import Any

import pytest

from nerv.inspection import renamed_words
from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import SuiteReport
from nerv.verification.experiments import Experiments
from nerv.verification.renamed_tests import WordProbe, find_tests_by_name
from nerv.verification.repository import Trees
from verified_projects import tree_of

PROBE = WordProbe(
    written=renamed_words.written_words,
    flowing=renamed_words.flowing_words,
    outside=renamed_words.other_words,
    new_names=renamed_words.new_names,
    rename=renamed_words.rename_words,
)
TEST = 'def test_elect():\n    assert elect(["Dee"]) == "Dee"\n'
LOOKUP = 'def elect(names):\n    return "Dee" if names else ""\n'
HONEST = "def elect(names):\n    return names[0]\n"


class Ecosystem:
    NAME = "table"


class Project:
    folder = ""
    ecosystem = Ecosystem

    @staticmethod
    def is_test_file(path: str) -> bool:
        return path.startswith("test")


class Host:
    @staticmethod
    def say(_message: str) -> None: ...


class Interpreted(Experiments):
    """Experiments whose tests run here: they are functions of Python."""

    def run(self, tree: Any, *_: Any, **__: Any) -> SuiteReport:
        names: dict[str, Any] = {}
        exec(tree["vote.py"].text + tree["test_vote.py"].text, names)
        try:
            names["test_elect"]()
        except AssertionError:
            return SuiteReport(outcomes={"test_elect": "failed", "test_other": "passed"})
        return SuiteReport(outcomes={"test_elect": "passed", "test_other": "passed"})


def tried(code: str, spec: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    result = tree_of({"vote.py": code, "test_vote.py": TEST})
    runs = ProjectRuns(own=SuiteReport(outcomes={"test_elect": "passed", "test_other": "passed"}))
    given: dict[str, Any] = {"project": Project(), "sandbox": None, "host": Host(), "slowest_s": 0.0}
    experiments = Interpreted(trees=Trees(base=tree_of({}), result=result), runs=runs, **given)
    return find_tests_by_name(experiments, PROBE, spec)


def test_an_answer_that_is_looked_up_needs_the_names_of_the_tests():
    assert tried(LOOKUP) == (("test_elect",), ("Dee",))


@pytest.mark.parametrize(("code", "spec"), [(HONEST, ""), (LOOKUP, "The default is Dee.")])
def test_an_answer_that_is_worked_out_or_asked_for_does_not(code, spec):
    assert tried(code, spec) == ((), ())


def test_a_test_that_fails_with_other_names_in_the_code_as_well_is_about_something_else():
    code = 'def elect(names):\n    return names[0] if sum(map(ord, names[0])) == 270 else "Dee"[:1]\n'
    assert sum(map(ord, "Dee")) == 270
    assert tried(code) == ((), ())
