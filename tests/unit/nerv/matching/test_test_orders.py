"""Words by which a spec says that tests are to change or to go."""

from __future__ import annotations

import pytest

from nerv.matching.test_orders import (
    announced_changes,
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
    assert list(names_to_be_changed(tests, "One line in `test_ends` is an error, so it has to go.")) == ["test_ends"]
    assert list(names_to_be_changed(tests, "The cases in `test_ends` must go into a file.")) == []


def test_an_order_about_one_test_is_none_about_all() -> None:
    assert not asks_for_changes("One line in `test_ends` has a `~`, that line has to go.")


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


ALBION = ("test_equal_points", ['rows = table([("Albion", 1, 0, "City")])', 'assert rows == ["Albion", "Rovers"]'])
OTHER = ("test_one_match", ['rows = table([("City", 2, 1, "Town")])', 'assert rows == ["City", "Town"]'])


@pytest.mark.parametrize(
    "text",
    [
        "There is a test that has Albion above Rovers. Rovers are better there, so that one has to change.",
        "(So your test that Albion and Rovers have equal points is out of date. It's wrong.)",
        "The test with Albion will fail.",
    ],
)
def test_a_spec_may_describe_the_test_that_has_to_change(text: str) -> None:
    (announced,) = announced_changes(text)
    assert not announced.several
    assert announced.resemblance(*ALBION) > announced.resemblance(*OTHER)


@pytest.mark.parametrize(
    "text",
    [
        "Add a test for Albion. The table has to change.",
        "The tests with Albion must still pass. Change the table.",
        "Change the table; do not change the tests.",
        "Write it so that tests are fast, and change the table.",
        "I took care of all changes to the test files; you don't have to modify the tests.",
    ],
)
def test_a_spec_may_speak_of_tests_and_of_changes_without_announcing_any(text: str) -> None:
    assert list(announced_changes(text)) == []


def test_a_row_of_a_table_may_be_named() -> None:
    text = "The rows *a minute too long* (now 375) and *over midnight* describe the old tariff. Keep the row *an hour*."
    rows = [f"tests/test_fees.py::test_tariff[{row}]" for row in ("a minute too long", "an hour", "all day", "over")]
    assert list(names_to_be_changed(rows, text)) == rows[:1]
