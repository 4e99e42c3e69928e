"""Words by which a spec says that tests are to change or to go."""

from __future__ import annotations

import pytest

from nerv.matching.test_orders import (
    asks_for_changes,
    calls_some_wrong,
    names_to_be_changed,
    orders_change_of,
    sentences,
)


def test_a_spec_asks_for_changes_of_tests_unless_it_forbids_them() -> None:
    assert asks_for_changes("Update the existing tests.")
    assert not asks_for_changes("Do not update the existing tests.")
    assert not asks_for_changes("Update the parser. The tests pass.")


def test_a_spec_may_say_that_tests_have_to_change() -> None:
    assert asks_for_changes("Halves are fractions (the old test of halves has to change).")
    assert asks_for_changes("Some expectations will need to be adapted, and two tests can go.")
    assert not asks_for_changes("Tests must not change. No existing test should be changed.")
    assert not asks_for_changes("New tests should go into tests/units.py. All tests must pass.")


def test_a_spec_may_call_tests_wrong_without_naming_them() -> None:
    assert calls_some_wrong("The test of the line ends is wrong.")
    assert not calls_some_wrong("A test shows that input fails.")


def test_tests_are_named_as_words_of_their_own() -> None:
    tests = ["test_ends", "test_ends_late", "ends"]
    assert list(names_to_be_changed(tests, "Change `test_ends`. Change the ends.")) == ["test_ends"]
    assert list(names_to_be_changed(tests, "Change the ends, and keep `test_ends`.")) == []


def test_points_of_a_list_are_sentences_of_their_own() -> None:
    assert sentences("One. Two:\n- three\n- four") == ["One.", "Two:", "- three", "- four"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Halves are fractions (`1 1/2`; the test with 0.5 onion has to change), others decimals.", True),
        ("The tests that expect `0.5 onion` are outdated.", True),
        ("Do not change the test with 0.5 onion.", False),
        ("It gives 0.5 onion. Some tests have to change.", False),
        ("The test with 10.5 onion has to change.", False),
    ],
)
def test_a_clause_may_name_a_test_by_a_value(text: str, orders: bool) -> None:
    assert orders_change_of(["1", "0.5 onion"], text) is orders
