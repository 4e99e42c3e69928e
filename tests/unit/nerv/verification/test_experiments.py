"""Experiments with a result whose tests are a table: which test fails for which file content."""

from __future__ import annotations

from typing import Any

import pytest

from nerv.verification.comparison import ProjectRuns
from nerv.verification.ecosystems import SuiteReport
from nerv.verification.experiments import Experiments, FunctionProbe
from nerv.verification.mutants import Mutation
from nerv.verification.repository import Trees
from nerv.verification.result import Mutant
from nerv.verification.trees import Tree
from tabled_projects import BASE, RESULT, Host, Memory, Project
from verified_projects import tree_of

NAMES = frozenset({"one", "two"})


def disable(_path: str, text: str, lines: Any) -> bytes | None:
    kept = [line if number not in lines else f"{line} fails" for number, line in enumerate(text.splitlines(), 1)]
    return "\n".join(kept).encode()


def locate(_path: str, text: str) -> list[tuple[str, range]]:
    return [(line, range(number, number + 1)) for number, line in enumerate(text.splitlines(), 1)]


def experiments(memory: Memory, result: Tree = RESULT) -> Experiments:
    runs = ProjectRuns(
        baseline=SuiteReport(outcomes={"test_old": "passed"}),
        own=SuiteReport(outcomes={"test_old": "passed", "test_new": "passed", "test_mock": "passed"}),
    )
    given: dict[str, Any] = {"project": Project(), "sandbox": None, "host": Host(), "slowest_s": 0.0}
    return Experiments(trees=Trees(base=BASE, result=result), runs=runs, memory=memory, **given)


def test_new_tests_that_pass_on_disabled_code_are_detached():
    memory = Memory()
    memory.add("one fails\ntwo fails", test_old="passed", test_new="failed", test_mock="passed")
    assert experiments(memory).find_detached_tests(disable) == ("test_mock",)


@pytest.mark.parametrize(("outcome", "unheld"), [("passed", ("two",)), ("failed", ())])
def test_a_function_whose_failure_no_test_notices_is_unheld(outcome, unheld):
    memory = Memory()
    memory.add("one fails\ntwo", test_old="failed", test_new="passed", test_mock="passed")
    memory.add("one\ntwo fails", test_old="passed", test_new=outcome, test_mock="passed")
    probe = FunctionProbe(disable=disable, locate=locate, names=NAMES)
    assert experiments(memory).find_unheld_functions(probe, ()) == unheld


def change_each_line(path: str, text: str, lines: Any) -> list[Mutation]:
    return [
        Mutation(path=path, line=number, before="", after="", content=f"{text}changed {number}".encode())
        for number in sorted(lines)
    ]


@pytest.mark.parametrize(("outcome", "tried"), [("failed", 4), ("passed", 6)])
def test_changes_are_tried_until_a_new_test_notices_one(outcome, tried):
    text = "".join(f"line {number}\n" for number in range(6))
    memory = Memory()
    for number in range(1, 7):
        memory.add(f"{text}changed {number}", test_old="failed", test_new=outcome, test_mock="passed")
    found = experiments(memory, {**RESULT, **tree_of({"shop.py": text})}).try_mutants(change_each_line, 6)
    assert [each.status for _, each in found] == ["killed"] * tried


def test_changes_that_do_not_build_are_replaced():
    text = "".join(f"line {number}\n" for number in range(8))
    memory = Memory()
    for number in range(1, 9):
        if number > 3:
            memory.add(f"{text}changed {number}", test_old="passed", test_new="passed", test_mock="passed")
        else:
            memory.add_broken_build(f"{text}changed {number}")
    found = experiments(memory, {**RESULT, **tree_of({"shop.py": text})}).try_mutants(change_each_line, 4)
    statuses = [each.status for _, each in found]
    assert statuses.count("invalid") > 0
    assert len(statuses) - statuses.count("invalid") == 4


def test_a_function_in_which_a_change_was_noticed_is_held():
    killed = [
        Mutant(path="shop.py", line=line, before="1", after="2", status="killed", noticed_by_new=True)
        for line in (1, 2)
    ]
    probe = FunctionProbe(disable=disable, locate=locate, names=NAMES)
    assert experiments(Memory()).find_unheld_functions(probe, killed) == ()


def skew(path: str, text: str, lines: Any, names: Any) -> bytes | None:
    return disable(path, text, lines) if NAMES.intersection(names) else None


@pytest.mark.parametrize(("outcome", "unseen"), [("passed", ("two",)), ("failed", ())])
def test_a_function_that_may_give_other_values_is_unseen(outcome, unseen):
    memory = Memory()
    memory.add("one fails\ntwo", test_old="failed", test_new="passed", test_mock="passed")
    memory.add("one\ntwo fails", test_old="passed", test_new=outcome, test_mock="passed")
    probe = FunctionProbe(disable=disable, locate=locate, names=NAMES, skew=skew)
    assert experiments(memory).find_unseen_functions(probe, (), ()) == unseen
    assert experiments(memory).find_unseen_functions(probe, ("two",), ()) == ()
    assert experiments(memory).find_unseen_functions(FunctionProbe(disable=disable, locate=locate), (), ()) == ()


def test_new_tests_that_pass_although_all_comparisons_fail_are_silent():
    def break_them(path: str, text: str, lines: Any) -> bytes | None:
        return b"broken" if path == "test_shop.py" and lines is None else None

    memory = Memory()
    memory.add("one\ntwo\n", "broken", test_old="passed", test_new="failed", test_mock="passed")
    assert experiments(memory).find_silent_tests(break_them) == ("test_mock",)
    assert experiments(Memory()).find_silent_tests(lambda *_: None) == ()


def test_new_tests_that_fail_with_the_code_in_the_place_of_its_double_are_doubled():
    def undo(path: str, text: str, names: Any) -> bytes | None:
        return b"undone" if path == "test_shop.py" and names == {"one"} else None

    memory = Memory()
    memory.add("one\ntwo\n", "undone", test_old="failed", test_new="passed", test_mock="failed")
    assert experiments(memory).find_doubled_tests(undo, lambda _: {"one"}) == ("test_mock",)
    assert experiments(Memory()).find_doubled_tests(undo, lambda _: frozenset()) == ()


def test_where_tests_take_long_a_function_with_a_noticed_change_is_taken_as_seen():
    killed = Mutant(path="shop.py", line=2, before="1", after="2", status="killed", noticed_by_new=True)
    memory = Memory()
    memory.add("one fails\ntwo", test_old="failed")
    memory.add("one\ntwo fails", test_old="passed", test_new="passed", test_mock="passed")
    probe = FunctionProbe(disable=disable, locate=locate, names=NAMES, skew=skew)
    quick = experiments(memory)
    assert quick.find_unseen_functions(probe, (), [killed]) == ("two",)
    slow = Experiments(**{**_fields(quick), "slowest_s": 20.0})
    assert slow.find_unseen_functions(probe, (), [killed]) == ()


@pytest.mark.parametrize(("outcome", "replaced"), [("passed", ("two",)), ("failed", ())])
def test_a_function_that_tests_define_as_well_is_replaced_if_it_may_fail(outcome, replaced):
    memory = Memory()
    memory.add("one\ntwo fails", "two\n", test_old="passed", test_new=outcome, test_mock="passed")
    with_copy = Trees(base=BASE, result={**RESULT, **tree_of({"test_shop.py": "two\n"})})
    tried = Experiments(**{**_fields(experiments(memory)), "trees": with_copy})
    probe = FunctionProbe(disable=disable, locate=locate)
    assert tried.find_replaced_functions(probe) == replaced
    assert tried.find_replaced_functions(FunctionProbe(disable=disable, locate=locate, names=NAMES)) == ()


def test_slow_suites_and_suites_without_passes_are_not_tried():
    tried = experiments(Memory())
    assert tried.are_possible
    assert not Experiments(**{**_fields(tried), "slowest_s": 99.0}).are_possible
    assert not Experiments(**{**_fields(tried), "runs": ProjectRuns(own=SuiteReport())}).are_possible


def _fields(value: Experiments) -> dict[str, Any]:
    return {name: getattr(value, name) for name in Experiments.__slots__}
