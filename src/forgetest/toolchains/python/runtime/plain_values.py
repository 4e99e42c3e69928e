"""Values that do not change and cross as they are: numbers, text, tuples, dates, …; each with its tag."""

from __future__ import annotations

import binascii
import builtins
import collections
import functools
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from . import arrays

Node = Any
"""A value as JSON: None, a bool, number or string as it is; anything else a list that starts with a tag."""

CLASSES: dict[str, type] = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and not name.startswith("_") and value is not super
} | {"NoneType": type(None)}
"""The classes that have the same name on both sides."""
CLASS_NAMES = {value: name for name, value in reversed(CLASSES.items())}


class UnreadableError(Exception):
    """What arrived does not have the form that was agreed."""


class Coding(Protocol):
    """What the tables need of a codec, for the values inside of a value."""

    def encode(self, value: Any) -> Node:
        """Return a value as JSON."""

    def decode(self, node: Node) -> Any:
        """Return the value of a node."""

    def encode_all(self, values: Iterable[Any]) -> list[Node]:
        """Return values as JSON."""

    def decode_all(self, nodes: Any) -> list[Any]:
        """Return the values of a list of nodes."""

    def encode_container(self, value: Any) -> Node:
        """Return a container as a reference, or with its content if the other side does not know it."""

    def encode_other(self, value: Any) -> Node:
        """Return a value that is not plain data as JSON."""

    def decode_reference(self, number: Any) -> Any:
        """Return the shared container with this number."""


def encode_pairs(codec: Coding, value: Any) -> list[Node]:
    """Return the items of a mapping as JSON."""
    return [[codec.encode(key), codec.encode(item)] for key, item in value.items()]


def to_base64(value: Any) -> str:
    """Return bytes as text."""
    return binascii.b2a_base64(value, newline=False).decode()


def from_base64(text: str) -> bytes:
    """Return the bytes of such a text."""
    return binascii.a2b_base64(text, strict_mode=True)


_Encoder = Callable[[Coding, Any], Node]

_ENCODERS: dict[type, _Encoder] = {
    tuple: lambda codec, value: ["t", codec.encode_all(value)],
    frozenset: lambda codec, value: ["f", codec.encode_all(value)],
    bytes: lambda _, value: ["b", to_base64(value)],
    memoryview: lambda _, value: ["b", to_base64(bytes(value))],
    complex: lambda _, value: ["c", value.real, value.imag],
    range: lambda codec, value: ["rg", *codec.encode_all((value.start, value.stop, value.step))],
    slice: lambda codec, value: ["sl", *codec.encode_all((value.start, value.stop, value.step))],
    type(...): lambda _codec, _value: ["el"],
    type(NotImplemented): lambda _codec, _value: ["ni"],
    types.SimpleNamespace: lambda codec, value: ["ns", encode_pairs(codec, vars(value))],
    type({}.keys()): lambda codec, value: ["dk", codec.encode_all(value)],
    type({}.values()): lambda codec, value: ["dv", codec.encode_all(value)],
    type({}.items()): lambda codec, value: ["di", [codec.encode_all(pair) for pair in value]],
}

_LIBRARY: dict[tuple[str, str], _Encoder] = {
    ("decimal", "Decimal"): lambda _, value: ["dec", str(value)],
    ("fractions", "Fraction"): lambda codec, value: ["fr", *codec.encode_all((value.numerator, value.denominator))],
    ("uuid", "UUID"): lambda _, value: ["uuid", str(value)],
    ("pathlib", "PosixPath"): lambda _, value: ["path", str(value)],
    ("pathlib", "PurePosixPath"): lambda _, value: ["ppath", str(value)],
    ("datetime", "date"): lambda _, value: ["date", value.isoformat()],
    ("datetime", "datetime"): lambda codec, value: [
        "dt",
        value.replace(tzinfo=None).isoformat(),
        value.fold,
        codec.encode(value.tzinfo),
    ],
    ("datetime", "time"): lambda codec, value: [
        "time",
        value.replace(tzinfo=None).isoformat(),
        codec.encode(value.tzinfo),
    ],
    ("datetime", "timedelta"): lambda _, value: ["td", value.days, value.seconds, value.microseconds],
    ("datetime", "timezone"): lambda codec, value: ["tz", codec.encode(value.utcoffset(None))],
    ("zoneinfo", "ZoneInfo"): lambda codec, value: ["zi", value.key] if value.key else codec.encode_other(value),
}
"""Types of modules that are imported only if somebody has a value of them."""


def encoder_of(kind: type) -> _Encoder | None:
    """Return what encodes values of exactly this type, if they are plain data."""
    if kind in _ENCODERS:
        return _ENCODERS[kind]
    if arrays.is_array(kind):
        return lambda codec, value: (
            codec.encode_container(value) if arrays.is_data(value) else codec.encode_other(value)
        )
    if arrays.is_scalar(kind):
        return lambda codec, value: (
            [arrays.SCALAR_TAG, arrays.encode(value)] if arrays.is_data(value) else codec.encode_other(value)
        )
    key = (kind.__module__, kind.__qualname__)
    encoder = _LIBRARY.get(key)
    if encoder is None or vars(sys.modules.get(key[0], types)).get(key[1]) is not kind:
        return None
    _ENCODERS[kind] = encoder
    return encoder


def _library(module: str) -> Any:
    return __import__(module)


DECODERS: dict[str, Callable[[Coding, Node], Any]] = {
    "r": lambda codec, node: codec.decode_reference(node[1]),
    "t": lambda codec, node: tuple(codec.decode_all(node[1])),
    "f": lambda codec, node: frozenset(codec.decode_all(node[1])),
    "b": lambda _, node: from_base64(node[1]),
    "I": lambda _, node: int(node[1], 16),
    "c": lambda _, node: complex(node[1], node[2]),
    "rg": lambda codec, node: range(*codec.decode_all(node[1:4])),
    "sl": lambda codec, node: slice(*codec.decode_all(node[1:4])),
    "el": lambda _codec, _node: ...,
    "ni": lambda _codec, _node: NotImplemented,
    "ns": lambda codec, node: types.SimpleNamespace(**{str(key): codec.decode(item) for key, item in node[1]}),
    "dk": lambda codec, node: dict.fromkeys(codec.decode_all(node[1])).keys(),
    "dv": lambda codec, node: dict(enumerate(codec.decode_all(node[1]))).values(),
    "di": lambda codec, node: {codec.decode(key): codec.decode(item) for key, item in node[1]}.items(),
    "dec": lambda _, node: _library("decimal").Decimal(str(node[1])),
    "fr": lambda codec, node: _library("fractions").Fraction(*codec.decode_all(node[1:3])),
    "uuid": lambda _, node: _library("uuid").UUID(node[1]),
    "path": lambda _, node: _library("pathlib").PosixPath(str(node[1])),
    "ppath": lambda _, node: _library("pathlib").PurePosixPath(str(node[1])),
    "date": lambda _, node: _library("datetime").date.fromisoformat(node[1]),
    "dt": lambda codec, node: (
        _library("datetime").datetime.fromisoformat(node[1]).replace(tzinfo=codec.decode(node[3]), fold=node[2])
    ),
    "time": lambda codec, node: _library("datetime").time.fromisoformat(node[1]).replace(tzinfo=codec.decode(node[2])),
    "td": lambda _, node: _library("datetime").timedelta(node[1], node[2], node[3]),
    "tz": lambda codec, node: _library("datetime").timezone(codec.decode(node[1])),
    "zi": lambda _, node: _library("zoneinfo").ZoneInfo(node[1]),
    arrays.SCALAR_TAG: lambda _, node: arrays.decode(node[1])[()],
    "B": lambda _, node: CLASSES[node[1]],
}


@functools.cache
def named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    """Return the named tuple with this name and these fields; the same one each time."""
    return collections.namedtuple(name, fields, rename=True)
