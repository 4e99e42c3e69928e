"""Tests that a run adapted to a function's other name: what they expect now is compared all the same."""

from __future__ import annotations

import pytest

from finding_runs import a_run, found_in
from nerv.finding import Finding
from nerv.verification.result import SuiteResult, Verification

CODE = "def total(prices):\n    return sum(prices)\n"
TESTS = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2, 3]) == 6\n"
SPEC = "Add a function `discount`."
NAME = "test_shop.py::test_total"
UNBUILT = Verification(
    disputed=(NAME,),
    unbuilt=(NAME,),
    suites=(
        SuiteResult(tree="base", source="base", command="pytest", outcomes={NAME: "passed"}),
        SuiteResult(tree="result", source="base", command="pytest", outcomes={}, broken_build=True),
        SuiteResult(tree="result", source="changed", command="pytest", outcomes={NAME: "passed"}),
    ),
)


def findings(tests: str, *, spec: str = SPEC, verification: Verification | None = UNBUILT) -> list[Finding]:
    after = {"shop.py": CODE.replace("total", "add_up").replace("(prices)\n", "(prices) + 1\n"), "test_shop.py": tests}
    run = a_run({"shop.py": CODE, "test_shop.py": TESTS}, after, spec=spec)
    return [each for each in found_in(run, verification) if each.kind == "rewritten_tests"]


@pytest.mark.parametrize("verification", [None, UNBUILT], ids=["not verified", "does not build"])
def test_another_value_is_found_although_the_function_has_another_name(verification: Verification | None) -> None:
    found = findings(TESTS.replace("total([", "add_up([").replace("import total", "import add_up").replace("6", "7"),
                     verification=verification)  # fmt: skip
    assert [each.level for each in found] == ["likely"]


def test_the_same_value_by_another_name_is_no_finding() -> None:
    assert findings(TESTS.replace("total([", "add_up([").replace("import total", "import add_up")) == []


def test_another_value_that_the_spec_may_ask_for_is_a_note() -> None:
    tests = TESTS.replace("total([", "add_up([").replace("import total", "import add_up").replace("6", "7")
    assert [each.level for each in findings(tests, spec="`total` counts the bag, too.")] == ["note"]


def test_another_function_is_another_test() -> None:
    assert findings(TESTS.replace("total([1, 2, 3]) == 6", "max([1, 2, 3]) == 3")) == []


def test_each_assertion_is_shown_beside_the_one_in_its_place() -> None:
    before = "from shop import total\n\n\ndef test_total():\n    assert total(3) == 6\n    assert total(4) == 10\n"
    after = before.replace("6", "7").replace("10", "11")
    run = a_run({"shop.py": CODE, "test_shop.py": before}, {"shop.py": CODE, "test_shop.py": after}, spec=SPEC)
    found = next(each for each in found_in(run) if each.kind == "rewritten_tests")
    assert [line.strip() for line in found.lines] == [
        *("- assert total(3) == 6", "+ assert total(3) == 7"),
        *("- assert total(4) == 10", "+ assert total(4) == 11"),
    ]
