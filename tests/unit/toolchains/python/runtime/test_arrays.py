from __future__ import annotations

from typing import Any

import pytest

from forgetest.toolchains.python.runtime.plain_values import UnreadableError
from forgetest.toolchains.python.runtime.wire import Codec, pack, unpack

numpy = pytest.importorskip("numpy")


class PlainCodec(Codec):
    """A codec for nothing but data."""

    def encode_other(self, value: Any) -> Any:
        raise TypeError(type(value).__name__)

    def decode_other(self, node: Any) -> Any:
        raise UnreadableError(node[0])


def sides() -> tuple[PlainCodec, PlainCodec]:
    return PlainCodec(first_number=1), PlainCodec(first_number=2)


def cross(codec: PlainCodec, other: PlainCodec, value: Any) -> Any:
    """A value as it arrives on the other side."""
    return other.decode(unpack(pack({"v": codec.encode(value)})[4:])["v"])


@pytest.mark.parametrize(
    "array",
    [
        numpy.arange(6.0).reshape(2, 3),
        numpy.array([[True], [False]]),
        numpy.array(3 + 4j),
        numpy.array(["a", "bcd"]),
        numpy.array(["2020-01-01"], dtype="datetime64[D]"),
        numpy.zeros((0, 3), dtype=">i2"),
        numpy.arange(12).reshape(3, 4).T[::-1],
        numpy.array([numpy.nan, -0.0, numpy.inf]),
    ],
)
def test_an_array_arrives_with_its_type_its_shape_and_its_content(array: Any):
    found = cross(*sides(), array)
    assert type(found) is numpy.ndarray
    assert (found.dtype, found.shape, found.tobytes()) == (array.dtype, array.shape, array.tobytes())
    assert found.flags.writeable


@pytest.mark.parametrize("value", [numpy.float64(0.1), numpy.int8(-3), numpy.bool_(True), numpy.str_("a")])
def test_a_scalar_keeps_its_type(value: Any):
    found = cross(*sides(), value)
    assert (type(found), found) == (type(value), value)


def test_changes_in_place_arrive_on_either_side():
    one, other = sides()
    array = numpy.zeros(3)
    copy = cross(one, other, array)
    copy[:] = [1, 2, 3]
    one.apply_changes(other.collect_changes())
    assert array.tolist() == [1, 2, 3]
    assert one.collect_changes() == []


def test_an_array_of_objects_is_no_data():
    with pytest.raises(TypeError, match="ndarray"):
        cross(*sides(), numpy.array([object()]))


@pytest.mark.parametrize(
    "node",
    [
        ["np", 1, ["|O8", [1], "AAAAAAAAAAA="]],
        ["np", 1, ["<f8", [2], "AAAAAAAAAAA="]],
        ["np", 1, ["<f8", [-1], "AAAAAAAAAAA="]],
        ["np", 1, ["<f8,<f8", [1], "AAAAAAAAAAA="]],
        ["nv", ["<f8", [], "AAAA"]],
        ["np", 1, [["<f8"], [1], "AAAAAAAAAAA="]],
    ],
)
def test_whatever_is_no_array_is_refused(node: Any):
    with pytest.raises((ValueError, TypeError)):
        sides()[0].decode(node)
