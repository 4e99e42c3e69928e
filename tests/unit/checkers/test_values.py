"""Checker of what a function returned."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forgetest.checkers.difference import Difference, Tolerance
from forgetest.checkers.values import json_values

FEW = settings(max_examples=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


def compare(expected: object, found: object, tolerance: Tolerance | None = None) -> Difference | None:
    return json_values(json.dumps(expected).encode(), json.dumps(found).encode(), tolerance)


@FEW
@given(JSON)
def test_every_value_equals_itself(value):
    assert compare(value, value) is None
    assert compare(value, value, Tolerance()) is None


@FEW
@given(JSON, JSON)
def test_equality_is_symmetric(one, other):
    assert (compare(one, other) is None) == (compare(other, one) is None)


@FEW
@given(JSON)
def test_a_value_in_a_list_is_not_the_value(value):
    assert compare(value, [value]) is not None


@pytest.mark.parametrize(
    ("expected", "found", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (0, None, False),
        ("1", 1, False),
        ([], {}, False),
        ([1, 2], [2, 1], False),
        ([1, 2], [1, 2, 3], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (10**30, 10**30 + 1, False),
        (0.3, 0.1 + 0.2, False),
    ],
)
def test_which_values_are_equal(expected, found, equal):
    assert (compare(expected, found) is None) == equal


def test_with_a_tolerance_numbers_may_differ_a_little_at_any_depth():
    tolerance = Tolerance(absolute=1e-6, relative=1e-6)
    assert compare({"a": [0.3, 1e300]}, {"a": [0.1 + 0.2, 1.0000000001e300]}, tolerance) is None
    assert compare([[1.0]], [[1.1]], tolerance) == Difference(place="result[0][0]", expected="1.0", found="1.1")
    assert compare(10**400, 1.5, tolerance) is not None
    assert compare(10**400, 10**400 + 1, Tolerance(absolute=1.0, relative=0.0)) is None


@pytest.mark.parametrize("found", [b"", b"nope", b"[1", b"\xff", b"1 2", b"NaN", b"[" * 200_000, b"9" * 10_000])
def test_what_is_no_json_value_or_no_finite_number_is_rejected(found):
    assert json_values(b"1", found) is not None


def test_a_value_nested_as_deep_as_json_allows_is_compared_in_linear_time():
    deep = "[" * 900 + "]" * 900
    assert json_values(deep.encode(), deep.encode()) is None
    assert json_values(deep.encode(), ("[" * 900 + "1" + "]" * 900).encode()) is not None
