from __future__ import annotations

import collections
import contextlib
import datetime
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetest.toolchains.python.runtime.plain_values import UnreadableError
from forgetest.toolchains.python.runtime.wire import Codec, pack, unpack

REFUSALS = (UnreadableError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What decoding may raise; the link takes any of them for a forgery."""


class PlainCodec(Codec):
    """A codec for nothing but data."""

    def encode_other(self, value: Any) -> Any:
        raise TypeError(type(value).__name__)

    def decode_other(self, node: Any) -> Any:
        raise UnreadableError(node[0])


def cross(codec: PlainCodec, other: PlainCodec, value: Any) -> Any:
    """A value as it arrives on the other side."""
    return other.decode(unpack(pack({"v": codec.encode(value)})[4:])["v"])


ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False)
    | st.fractions()
    | st.datetimes()
    | st.dates()
    | st.times()
    | st.timedeltas()
    | st.uuids()
)
HASHABLE = st.recursive(ATOMS, lambda inner: st.tuples(inner, inner) | st.frozensets(inner), max_leaves=5)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner)
        | st.dictionaries(HASHABLE, inner)
        | st.sets(HASHABLE)
        | st.lists(inner).map(collections.deque)
        | st.dictionaries(HASHABLE, inner).map(collections.OrderedDict)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_data_arrives_equal_and_of_exactly_the_same_type(value: Any):
    arrived = cross(PlainCodec(1), PlainCodec(2), value)
    assert arrived == value
    assert type(arrived) is type(value)
    assert repr(arrived) == repr(value) or isinstance(value, (set, frozenset, dict, list, tuple, collections.deque))


@pytest.mark.parametrize(
    "value",
    [
        10**6000,
        -(10**6000),
        "\ud800",
        math.inf,
        -0.0,
        range(1, 10, 3),
        slice(1, None),
        ...,
        NotImplemented,
        bytearray(b"x"),
        collections.Counter("abca"),
        collections.defaultdict(list, {1: [2]}),
        datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
        Decimal("1.50"),
        Fraction(1, 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_special_values_arrive(value: Any):
    arrived = cross(PlainCodec(1), PlainCodec(2), value)
    assert (arrived, type(arrived)) == (value, type(value))
    assert math.copysign(1, arrived) == math.copysign(1, value) if value == 0 else True


def test_nan_arrives_as_nan():
    assert math.isnan(cross(PlainCodec(1), PlainCodec(2), math.nan))


def test_a_container_that_holds_itself_arrives():
    value: list[Any] = [1]
    value.append(value)
    arrived = cross(PlainCodec(1), PlainCodec(2), value)
    assert arrived[0] == 1
    assert arrived[1] is arrived


def test_the_same_container_is_the_same_on_the_other_side():
    inner = [1]
    first, second = cross(PlainCodec(1), PlainCodec(2), (inner, inner))
    assert first is second


def test_a_container_that_comes_back_is_the_one_that_was_sent():
    ours, theirs = PlainCodec(1), PlainCodec(2)
    value = {"a": [1]}
    arrived = cross(ours, theirs, value)
    assert cross(theirs, ours, arrived) is value
    assert cross(theirs, ours, arrived["a"]) is value["a"]


@given(st.lists(st.integers()), st.lists(st.integers()))
def test_changes_on_either_side_reach_the_other(before: list[int], after: list[int]):
    ours, theirs = PlainCodec(1), PlainCodec(2)
    value = [before, set(before), {1: before}, bytearray(b"x")]
    arrived = cross(ours, theirs, value)
    arrived[0][:] = after
    arrived[1].clear()
    arrived[2][2] = [*after]
    arrived[3][:] = b"yz"
    arrived.append("new")
    ours.apply_changes(theirs.collect_changes())
    assert value == [after, set(), {1: after, 2: after}, bytearray(b"yz"), "new"]
    assert value[2][1] is before  # type: ignore[index]
    value.clear()
    theirs.apply_changes(ours.collect_changes())
    assert arrived == []
    assert theirs.collect_changes() == []


def test_a_container_that_nobody_refers_to_is_forgotten_on_both_sides():
    ours, theirs = PlainCodec(1), PlainCodec(2)
    value = [1, 2]
    arrived = cross(ours, theirs, value)
    assert ours.collect_unreferenced() == []
    del value
    gone = ours.collect_unreferenced()
    assert len(gone) == 1
    theirs.drop(gone)
    arrived.append(3)
    assert theirs.collect_changes() == []


def test_what_was_not_sent_is_forgotten():
    ours, theirs = PlainCodec(1), PlainCodec(2)
    value = [1]
    first = ours.next_number
    ours.encode(value)
    ours.forget_since(first)
    assert cross(ours, theirs, value) == [1]


@pytest.mark.parametrize(
    "node",
    [
        {},
        [],
        [1],
        [["l", 1, []]],
        ["x", 1],
        ["l", 1],
        ["l", "1", []],
        ["l", 1, "text"],
        ["l", 1, [{}]],
        ["d", 1, [[1]]],
        ["d", 1, [[["l", 2, []], 1]]],
        ["r", 1],
        ["r", [1]],
        ["b", "!"],
        ["I", 3],
        ["B", "eval"],
        ["B", "__build_class__"],
        ["dd", 1, ["open", []]],
        ["dq", 1, ["x", []]],
        ["c", "1", "2"],
        ["td", 1],
        ["dec", []],
    ],
    ids=str,
)
def test_anything_else_is_refused(node: Any):
    with pytest.raises(REFUSALS):
        PlainCodec(2).decode(node)


def test_a_number_is_used_once():
    codec = PlainCodec(2)
    codec.decode(["l", 1, []])
    with pytest.raises(UnreadableError):
        codec.decode(["l", 1, []])


def test_only_what_is_shared_can_be_changed_and_its_type_stays():
    codec = PlainCodec(2)
    codec.decode(["l", 1, [1]])
    for change in ([3, "l", []], [1, "s", []], [1, "d", []]):
        with pytest.raises(UnreadableError):
            codec.apply_changes([change])


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), st.lists, max_leaves=20))
def test_no_node_does_anything_but_make_a_value_or_raise(node: Any):
    with contextlib.suppress(*REFUSALS):
        PlainCodec(2).decode(node)
