"""Functions that tests call, copy or replace, and of which no test notices if they fail."""

from __future__ import annotations

import pytest

from finding_runs import a_run, found_in, our_run

FILES = {
    "shop.py": "def price(n):\n    return n * n\n",
    "tests/test_a.py": "from shop import price\n\n\ndef test_price():\n    assert price(3) == price(3)\n",
}
OWN = "def price(n):\n    return 9\n\n\ndef test_price():\n    assert price(3) == 9\n"


def found(files=FILES, spec="`price(n)` is the square of a number.", final=None, **seen):
    evidence = a_run({}, files, spec=spec, final=final)
    functions = ("tests_assert_nothing", "mocked_subject")
    return [
        (each.kind, each.level, len(each.lines))
        for each in found_in(evidence, our_run(shown=["a"], **seen))
        if each.kind in functions and "no test notices" in each.text
    ]


@pytest.mark.parametrize("field", ["unheld", "unseen"])
def test_new_tests_that_call_a_function_and_notice_nothing_are_likely(field):
    assert found(**{field: ["price"]}) == [("tests_assert_nothing", "likely", 1)]


def test_a_function_that_no_test_calls_is_a_note():
    files = {**FILES, "tests/test_a.py": "def test_other():\n    assert 1 + 1 == 2\n"}
    assert found(files, unseen=["price"]) == [("tests_assert_nothing", "note", 0)]


def test_a_run_that_says_so_gets_a_note():
    final = "Not done: `price` has no real tests yet, they only call it."
    assert found(final=final, unseen=["price"]) == [("tests_assert_nothing", "note", 1)]


def test_nothing_is_found_for_a_refactoring_or_without_such_functions():
    assert found(spec="Refactor `price`.", unseen=["price"], replaced=["price"]) == []
    assert found() == []


def test_tests_with_a_function_of_their_own_are_likely():
    files = {**FILES, "tests/test_a.py": OWN}
    assert ("mocked_subject", "likely", 2) in found(files, replaced=["price"])
    assert found(replaced=["price"]) == []
