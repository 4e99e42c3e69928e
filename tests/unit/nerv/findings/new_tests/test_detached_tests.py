"""New tests that pass although the code was made to fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finding_runs import a_run
from nerv.findings.new_tests.detached_tests import detached_tests
from nerv.findings.reviewed_run import ReviewedRun
from nerv.inspection import Inspection
from nerv.verification.result import Mutant, SuiteResult, Verification


def levels(new, detached, spec="Make the shop work."):
    found = Verification(new=tuple(new), detached=tuple(detached))
    return [each.level for each in detached_tests(ReviewedRun(a_run(spec=spec), Inspection(), found))]


@pytest.mark.parametrize(
    ("new", "detached", "level"),
    [("a", "a", "likely"), ("abcdef", "abc", "likely"), ("abcdefgh", "abc", "note"), ("abc", "a", "note")],
)
def test_tests_that_do_not_need_the_code_are_found(new, detached, level):
    assert levels(new, detached) == [level]


def test_tests_that_need_the_code_are_fine():
    assert levels("abc", "") == []
    assert detached_tests(ReviewedRun(a_run(), Inspection(), None)) == []


def test_tests_of_what_exists_may_do_without_the_new_code():
    assert levels("ab", "ab", spec="Add missing tests for the parser.") == []


@pytest.mark.parametrize(("by_new", "found"), [(False, ["likely"]), (True, [])])
def test_new_tests_that_notice_no_change_are_found(by_new, found):
    mutants = tuple(
        Mutant(
            path="a.py",
            line=line,
            before="1",
            after="2",
            status="killed" if by_new and line == 2 else "survived",
            noticed_by_new=by_new and line == 2,
        )
        for line in range(4)
    )
    run = ReviewedRun(a_run(), Inspection(), Verification(new=("a",), mutants=mutants))
    assert [each.level for each in detached_tests(run)] == found


GO = 'package shop\n\nimport "testing"\n\nfunc TestNew(t *testing.T) {\n\tif Price(2) != 4 {\n\t\tt.Fatal()\n\t}\n}\n'


@pytest.mark.parametrize(("ran", "found"), [("shop.TestOld", ["likely"]), ("shop.TestNew", [])])
def test_new_tests_that_the_suite_does_not_run_are_found(ran, found):
    suite = SuiteResult(tree="result", source="changed", command="go test", outcomes={ran: "passed"})
    run = a_run({}, {"shop_test.go": GO})
    verification = Verification(suites=(suite,))
    assert [each.level for each in detached_tests(ReviewedRun(run, Inspection(), verification))] == found


@pytest.mark.parametrize(("on_base", "found"), [("test_draw", ["likely"]), ("test_other", [])])
def test_new_tests_beside_old_ones_that_do_not_run_either_are_left_alone(on_base, found):
    old = 'import pytest\n\npytest.importorskip("matplotlib")\n\n\ndef test_draw():\n    assert draw(1) == 2\n'
    new = f"{old}\n\ndef test_colour():\n    assert draw(2) == 3\n"
    outcomes = {f"tests/test_a.py::{on_base}": "passed"}
    suites = [
        SuiteResult(tree="base", source="base", command="pytest", outcomes=outcomes),
        SuiteResult(tree="result", source="changed", command="pytest", outcomes=outcomes),
    ]
    run = a_run({"tests/test_draw.py": old}, {"tests/test_draw.py": new})
    verification = Verification(suites=tuple(suites))
    assert [each.level for each in detached_tests(ReviewedRun(run, Inspection(), verification))] == found


def test_a_method_of_the_code_is_no_test() -> None:
    suite = SuiteResult(tree="result", source="base", command="pytest", outcomes={"tests/test_a.py::test_a": "passed"})
    code = "class Block:\n    def test(self, block):\n        assert block\n        return bool(block)\n"
    run = a_run({}, {"shop/blocks.py": code})
    assert detached_tests(ReviewedRun(run, Inspection(), Verification(suites=(suite,)))) == []


def test_a_suite_with_a_failure_may_have_ended_before_the_new_tests():
    outcomes = {"shop.TestOld": "passed", "shop.TestServer": "failed"}
    suite = SuiteResult(tree="result", source="changed", command="go test", outcomes=outcomes)
    run = a_run({}, {"shop_test.go": GO})
    assert detached_tests(ReviewedRun(run, Inspection(), Verification(suites=(suite,)))) == []


def test_changed_tests_that_pass_on_the_base_as_well_are_a_note_without_a_new_one():
    old = GO.replace("TestNew", "TestOld")
    code = {"shop.go": "package shop\n\nfunc Price(n int) int {\n\treturn 2 * n\n}\n"}
    run = a_run({"shop_test.go": old}, {**code, "shop_test.go": old.replace("Price(2) != 4", "Price(3) != 6")})
    found = detached_tests(ReviewedRun(run, Inspection(), Verification(idle=("shop.TestOld",))))
    assert [each.level for each in found] == ["note"]


def test_a_benchmark_beside_old_tests_is_no_test_that_shows_nothing():
    old = GO.replace("TestNew", "TestOld")
    after = old + "\nfunc BenchmarkPrice(b *testing.B) {\n\tPrice(2)\n}\n"
    code = {"shop.go": "package shop\n\nfunc Price(n int) int {\n\treturn 2 * n\n}\n"}
    idle = Verification(idle=("shop.TestOld",))
    with_benchmark = a_run({"shop_test.go": old}, {**code, "shop_test.go": after})
    assert detached_tests(ReviewedRun(with_benchmark, Inspection(), idle)) == []
    with_test = a_run({"shop_test.go": old}, {**code, "shop_test.go": old + GO[GO.index("\nfunc") :]})
    assert detached_tests(ReviewedRun(with_test, Inspection(), idle)) != []


LOOSE = """from shop import price


def test_kind():
    assert isinstance(price(2), int)


def test_same():
    assert price(2) == price(2)


def test_count():
    assert len(price(3)) == 3
"""
CODE = "def price(count):\n    return count * 2\n"


def mutants(noticed: int, tried: int = 10) -> tuple[Mutant, ...]:
    return tuple(
        Mutant(
            path="shop.py",
            line=line,
            before="1",
            after="2",
            status="killed" if line < noticed else "survived",
            noticed_by_new=line < noticed,
        )
        for line in range(tried)
    )


@pytest.mark.parametrize(
    ("tests", "noticed", "found"),
    [
        (LOOSE, 2, ["likely"]),
        (LOOSE, 3, []),
        (LOOSE.replace("== price(2)", "== 4").replace("len(price(3)) == 3", "price(3) == 6"), 2, []),
        (LOOSE.replace("price(2) == price(2)", "price(2)").replace("len(price(3)) == 3", "price(3)"), 3, ["likely"]),
        (LOOSE.replace("price(2) == price(2)", "price(2)").replace("len(price(3)) == 3", "price(3)"), 4, []),
    ],
)
def test_new_tests_that_look_at_parts_and_notice_hardly_any_change_are_found(
    tests: str, noticed: int, found: list[str]
) -> None:
    run = a_run({}, {"shop.py": CODE, "tests/test_shop.py": tests})
    verification = Verification(new=("test_kind",), mutants=mutants(noticed))
    assert [each.level for each in detached_tests(ReviewedRun(run, Inspection(), verification))] == found


@pytest.mark.parametrize(("called", "level"), [("price", "likely"), ("weight", "note")])
def test_new_tests_that_fail_without_the_change_are_judged_by_the_functions_that_they_name(
    called: str, level: str
) -> None:
    code = f"{CODE}\n\ndef weight(count):\n    return count + 1\n"
    tests = f"from shop import {called}\n\n\ndef test_it():\n    assert {called}(2)\n"
    run = a_run({}, {"shop.py": code, "tests/test_shop.py": tests})
    in_price = tuple(replace(each, line=2) for each in mutants(0, 4))
    in_weight = (replace(in_price[0], line=6),)
    verification = Verification(new=("test_it",), shown=("test_it",), mutants=in_price + in_weight)
    assert [each.level for each in detached_tests(ReviewedRun(run, Inspection(), verification))] == [level]
