"""Broken tests with parts of the change taken back, in a project whose tests are a table."""

from __future__ import annotations

from typing import Any

import pytest

from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import SuiteReport
from nerv.verification.experiments import Experiments
from nerv.verification.repository import Trees
from nerv.verification.restored_code import find_restorations
from nerv.verification.surroundings import Surroundings
from nerv.verification.trees import Tree
from tabled_projects import BASE, Host, Memory, Project
from verified_projects import tree_of

OLD = "alpha\nbeta\ngamma\ndelta\n"
NEW = "alpha\nBETA\ngamma\nDELTA\nomega\n"
WITHOUT_BETA = "alpha\nbeta\ngamma\nDELTA\nomega\n"
WITHOUT_DELTA = "alpha\nBETA\ngamma\ndelta\n"


class Repeatable(Experiments):
    """Experiments whose repeated runs show the same, but for the tests that fail the second time."""

    failing_again: frozenset[str] = frozenset()

    def run(self, tree: Tree, surroundings: Surroundings | None = None, *, is_repeated: bool = False) -> SuiteReport:
        report = super().run(tree, surroundings)
        assert report is not None
        again = self.failing_again if is_repeated else ()
        return SuiteReport(outcomes={**report.outcomes, **dict.fromkeys(again, "failed")})


def experiments(memory: Memory, kind: type[Repeatable] = Repeatable, **given: Any) -> Experiments:
    base = {**BASE, **tree_of({"shop.py": OLD})}
    result = tree_of({"shop.py": NEW, "test_shop.py": "more tests\n"})
    fields: dict[str, Any] = {"project": Project(), "sandbox": None, "host": Host(), "slowest_s": 0.0, **given}
    runs = ProjectRuns(
        baseline=SuiteReport(outcomes={"test_old": "passed", "test_kept": "passed"}),
        own=SuiteReport(outcomes={"test_kept": "passed", "test_new": "passed"}),
    )
    return kind(trees=Trees(base=base, result=result), runs=runs, memory=memory, **fields)


@pytest.mark.parametrize(("test_new", "is_restored"), [("passed", True), ("failed", False)])
def test_a_broken_test_is_restorable_if_no_other_test_needs_what_breaks_it(test_new: str, is_restored: bool) -> None:
    memory = Memory()
    memory.add(WITHOUT_BETA, "tests\n", test_old="passed", test_kept="passed")
    memory.add(WITHOUT_BETA, test_kept="passed", test_new=test_new)
    memory.add(WITHOUT_DELTA, "tests\n", test_old="failed", test_kept="passed")
    found = find_restorations(experiments(memory), ["test_old"])["test_old"]
    assert (found is not None) == is_restored
    if found is not None:
        assert str(found) == "test_old passes once shop.py:2 is as it was (BETA)"


def test_a_test_that_passes_only_once_is_not_restorable() -> None:
    class Flaky(Repeatable):
        failing_again = frozenset({"test_old"})

    memory = Memory()
    memory.add(WITHOUT_BETA, "tests\n", test_old="passed", test_kept="passed")
    memory.add(WITHOUT_BETA, test_kept="passed", test_new="passed")
    memory.add(WITHOUT_DELTA, "tests\n", test_old="failed", test_kept="passed")
    assert find_restorations(experiments(memory, Flaky), ["test_old"]) == {"test_old": None}


def test_the_changed_version_of_the_test_itself_does_not_count_as_needing_it() -> None:
    memory = Memory()
    memory.add(WITHOUT_BETA, "tests\n", **{"test_new[1]": "passed"})
    memory.add(WITHOUT_BETA, test_kept="passed", test_new="failed")
    assert find_restorations(experiments(memory), ["test_new[1]"])["test_new[1]"] is not None


def test_nothing_is_known_where_the_tests_take_too_long() -> None:
    assert find_restorations(experiments(Memory(), slowest_s=99.0), ["test_old"]) == {}
