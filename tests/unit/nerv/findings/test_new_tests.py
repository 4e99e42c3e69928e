"""New tests that our own run shows to prove nothing."""

from __future__ import annotations

from finding_runs import a_run, kinds, our_run

FILES = {
    "shop.py": "def price(n):\n    return n * n\n",
    "tests/test_a.py": "from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n",
}


def test_new_tests_that_all_pass_without_the_change_are_likely() -> None:
    idle = our_run(idle=["tests/test_a.py::test_price"])
    assert kinds(a_run({}, FILES), verification=idle) == {"tests_assert_nothing"}


def test_tests_for_a_refactoring_may_pass_without_it() -> None:
    idle = our_run(idle=["tests/test_a.py::test_price"])
    assert kinds(a_run({}, FILES, spec="Refactor the prices."), verification=idle) == set()


def test_one_test_that_shows_the_change_is_enough() -> None:
    assert kinds(a_run({}, FILES), verification=our_run(idle=["a"], shown=["b"])) == set()
