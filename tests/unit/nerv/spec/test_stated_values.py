"""Inputs that a spec gives in words."""

from __future__ import annotations

import pytest

from nerv.spec.stated_values import stated_values


@pytest.mark.parametrize(
    ("phrase", "values"),
    [
        ("an empty text", ("",)),
        ("an empty list of names", ([],)),
        ("a blank name", ("   ",)),
        ("a negative amount", (-1,)),
        ("a width below 1", (0,)),
        ("more than 100 points", (101,)),
        ("a level outside 1 to 5", (0, 6)),
        ("a quantity that is not a positive whole number", (0, -1, 1.5)),
        ("the count is zero", (0,)),
        ("anything but a string", (5, None)),
    ],
)
def test_words_give_values(phrase, values):
    assert stated_values(phrase) == values


@pytest.mark.parametrize("phrase", ["an unknown unit", "a non-empty list", "a unit given twice", "unless it is empty"])
def test_other_words_give_none(phrase):
    assert stated_values(phrase) == ()
