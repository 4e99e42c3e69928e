"""The codec between the tests' process and the sample's: JSON with tags, and a closed set of types, both ways.

Whatever arrives becomes an exact built-in or standard-library value that our own constructors make, a reference to a
container that both sides share, or a handle of an object that stays on the other side. None of it is executed.

Lists, dicts, sets and the like that have crossed once are *shared*: each has a number, and whichever side changed one
says so at the next crossing. So changes in place, aliasing and identity are as they would be in one process.
"""

from __future__ import annotations

import binascii
import builtins
import collections
import contextlib
import functools
import json
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from operator import is_
from typing import Any

from . import arrays

Node = Any
"""A value as JSON: None, a bool, number or string as it is; anything else a list that starts with a tag."""

TOO_DEEP = "deep"
"""The answer of a sample's process that cannot encode a result."""

_encode_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decode_json = json.JSONDecoder().decode

_ATOMS = frozenset({bool, float, str, type(None)})
_LARGE_BITS = 8192
"""Larger integers are written in hexadecimal: CPython refuses to read more than 4300 decimal digits."""
_ORDERED = (list, set, collections.deque)
"""A set that nobody changed is iterated in the same order; to look into it, a sample's `__hash__` would be asked."""
_get_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit
_MORE_CALLS = 10_000
"""Enough for values with about 2,000 levels, and not too much for the stack of the JSON module."""
_UNREFERENCED = 2
"""References to a container that only the table holds: the table's entry, and the argument of `getrefcount`."""

CLASSES: dict[str, type] = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, type) and not name.startswith("_") and value is not super
} | {"NoneType": type(None)}
"""The classes that have the same name on both sides."""
CLASS_NAMES = {value: name for name, value in reversed(CLASSES.items())}


class UnreadableError(Exception):
    """What arrived does not have the form that was agreed."""


class Codec:
    """One end of the wire. Subclasses encode and decode what is not plain data."""

    def __init__(self, first_number: int) -> None:
        """The two sides number what they share with odd and even numbers."""
        self._next_number = first_number
        self._shared: dict[int, list[Any]] = {}
        """By number: the container, and what it held when both sides last knew the same."""
        self._numbers: dict[int, int] = {}
        """Number by id of the container."""

    @property
    def next_number(self) -> int:
        """The number that comes next."""
        return self._next_number

    def new_number(self) -> int:
        """Return a number that neither side has used."""
        number = self._next_number
        self._next_number += 2
        return number

    def encode(self, value: Any) -> Node:
        """Return a value as JSON."""
        kind = type(value)
        if kind in _ATOMS:
            return value
        if kind is int:
            return value if value.bit_length() < _LARGE_BITS else ["I", hex(value)]
        if kind in _CONTENTS:
            return self.encode_container(value)
        encoder = _ENCODERS.get(kind) or _library_encoder(kind)
        return self.encode_other(value) if encoder is None else encoder(self, value)

    def decode(self, node: Node) -> Any:
        """Return the value of a node. Raises UnreadableError, or whatever a constructor raises."""
        if type(node) is not list:
            if type(node) is dict:
                raise UnreadableError("an object")
            return node
        if not node or type(node[0]) is not str:
            raise UnreadableError("no tag")
        if node[0] in _FILLERS:
            return self._decode_container(node)
        decoder = _DECODERS.get(node[0])
        return self.decode_other(node) if decoder is None else decoder(self, node)

    def encode_other(self, value: Any) -> Node:
        """Return a value that is not plain data as JSON."""
        raise NotImplementedError

    def decode_other(self, node: Node) -> Any:
        """Return the value of a node that is not plain data."""
        raise NotImplementedError

    def encode_all(self, values: Iterable[Any]) -> list[Node]:
        """Return values as JSON."""
        encode = self.encode
        return [value if type(value) in _ATOMS else encode(value) for value in values]

    def decode_all(self, nodes: Any) -> list[Any]:
        """Return the values of a list of nodes."""
        if type(nodes) is not list:
            raise UnreadableError("no list")
        decode = self.decode
        return [node if type(node) is not list and type(node) is not dict else decode(node) for node in nodes]

    # shared containers

    def encode_container(self, value: Any) -> Node:
        """Return a container as a reference, or with its content if the other side does not know it."""
        number = self._numbers.get(id(value))
        if number is not None:
            return ["r", number]
        number = self.new_number()
        self._shared[number] = [value, _snapshot(value)]
        self._numbers[id(value)] = number
        tag, content = _encode_content(self, value)
        return [tag, number, content]

    def _decode_container(self, node: Node) -> Any:
        tag, number, content = node
        if type(number) is not int or number in self._shared:
            raise UnreadableError("a number that is taken")
        make, fill = _FILLERS[tag]
        value = make(content)
        entry = self._shared[number] = [value, None]  # before it is filled: it may contain itself
        self._numbers[id(value)] = number
        fill(self, value, content)
        entry[1] = _snapshot(value)
        return value

    def collect_changes(self) -> list[Node]:
        """Return what has changed here in shared containers since the other side last knew them."""
        changes = []
        for number, entry in list(self._shared.items()):
            value = entry[0]
            # no snapshot: it is being filled, and the hash of what it contains is asked for
            if entry[1] is not None and not _is_unchanged(value, entry[1]):
                entry[1] = _snapshot(value)
                changes.append([number, *_encode_content(self, value)])
        return changes

    def apply_changes(self, changes: Any) -> None:
        """Make the changes that the other side made in shared containers."""
        for number, tag, content in changes:
            entry = self._shared.get(number)
            make, fill = _FILLERS[tag]
            new = make(content)
            if entry is None or type(entry[0]) is not type(new):
                raise UnreadableError("a change of something that is not shared")
            value = entry[0]
            fill(self, new, content)  # before the old content goes: it may be referred to
            if type(value) is bytearray:
                value[:] = new
            elif tag == arrays.TAG:
                arrays.replace_content(value, new)
            else:
                value.clear()
                (value.extend if type(value) in (list, collections.deque) else value.update)(new)
            entry[1] = _snapshot(value)

    def collect_unreferenced(self) -> list[int]:
        """Stop sharing containers that nobody here refers to any more, and return their numbers."""
        gone = [number for number, entry in self._shared.items() if sys.getrefcount(entry[0]) <= _UNREFERENCED]
        self.drop(gone)
        return gone

    def drop(self, numbers: Any) -> None:
        """Stop sharing containers that nobody on the other side refers to any more."""
        for number in numbers:
            entry = self._shared.pop(number, None)
            if entry is not None:
                del self._numbers[id(entry[0])]

    def forget_since(self, number: int) -> None:
        """Forget what was numbered from this number on: the message for the other side was not sent."""
        self.drop([each for each in self._shared if each >= number and each % 2 == number % 2])
        self._next_number = number

    def decode_reference(self, number: Any) -> Any:
        """Return the shared container with this number."""
        entry = self._shared.get(number)
        if entry is None:
            raise UnreadableError("a reference to nothing")
        return entry[0]


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow the codec deeper recursion than the code of tests and sample: a level of nesting takes several calls."""
    limit = _get_recursion_limit()
    _set_recursion_limit(limit + _MORE_CALLS)
    try:
        yield
    finally:
        _set_recursion_limit(limit)


def pack(message: dict[str, Any]) -> bytes:
    """Return a message with its length in front."""
    body = _encode_json(message).encode("ascii")
    return len(body).to_bytes(4, "big") + body


def unpack(body: bytes) -> Any:
    """Return the message without its length."""
    return _decode_json(body.decode("ascii"))


def _snapshot(value: Any) -> Any:
    kind = type(value)
    if kind in _ORDERED:
        return tuple(value)
    if kind is bytearray:
        return bytes(value)
    if arrays.is_array(kind):
        return arrays.content(value)
    return tuple(value), tuple(value.values())


def _is_unchanged(value: Any, snapshot: Any) -> bool:
    kind = type(value)
    if kind in _ORDERED:
        return len(value) == len(snapshot) and all(map(is_, value, snapshot))
    if kind is bytearray:
        return bool(value == snapshot)
    if arrays.is_array(kind):
        return bool(arrays.content(value) == snapshot)
    keys, values = snapshot
    return len(value) == len(keys) and all(map(is_, value, keys)) and all(map(is_, value.values(), values))


# Containers: (tag, content) on the way out; on the way in an empty one, and how it is filled.


def _pairs(codec: Codec, value: Any) -> list[Node]:
    return [[codec.encode(key), codec.encode(item)] for key, item in value.items()]


def _encode_defaultdict(codec: Codec, value: Any) -> tuple[str, Node]:
    factory = value.default_factory
    known = factory is None or (isinstance(factory, type) and factory in CLASS_NAMES)
    return "dd", [CLASS_NAMES[factory] if known and factory is not None else None, _pairs(codec, value)]


_CONTENTS: dict[type, Callable[[Codec, Any], tuple[str, Node]]] = {
    list: lambda codec, value: ("l", codec.encode_all(value)),
    set: lambda codec, value: ("s", codec.encode_all(value)),
    dict: lambda codec, value: ("d", _pairs(codec, value)),
    collections.OrderedDict: lambda codec, value: ("od", _pairs(codec, value)),
    collections.Counter: lambda codec, value: ("ct", _pairs(codec, value)),
    collections.defaultdict: _encode_defaultdict,
    collections.deque: lambda codec, value: ("dq", [value.maxlen, codec.encode_all(value)]),
    bytearray: lambda _, value: ("ba", _base64(value)),
}


def _encode_content(codec: Codec, value: Any) -> tuple[str, Node]:
    kind = type(value)
    return (arrays.TAG, arrays.encode(value)) if arrays.is_array(kind) else _CONTENTS[kind](codec, value)


def _fill_sequence(codec: Codec, value: Any, content: Node) -> None:
    value.extend(codec.decode_all(content))


def _fill_mapping(codec: Codec, value: Any, content: Node) -> None:
    for key, item in content:
        value[codec.decode(key)] = codec.decode(item)


def _make_defaultdict(content: Node) -> Any:
    return collections.defaultdict(None if content[0] is None else CLASSES[content[0]])


def _make_deque(content: Node) -> Any:
    maxlen = content[0]
    if maxlen is not None and type(maxlen) is not int:
        raise UnreadableError("no length")
    return collections.deque(maxlen=maxlen)


_FILLERS: dict[str, tuple[Callable[[Node], Any], Callable[[Codec, Any, Node], None]]] = {
    "l": (lambda _: [], _fill_sequence),
    "s": (lambda _: set(), lambda codec, value, content: value.update(codec.decode_all(content))),
    "d": (lambda _: {}, _fill_mapping),
    "od": (lambda _: collections.OrderedDict(), _fill_mapping),
    "ct": (lambda _: collections.Counter(), _fill_mapping),
    "dd": (_make_defaultdict, lambda codec, value, content: _fill_mapping(codec, value, content[1])),
    "dq": (_make_deque, lambda codec, value, content: _fill_sequence(codec, value, content[1])),
    "ba": (lambda content: bytearray(_from_base64(content)), lambda _codec, _value, _content: None),
    arrays.TAG: (arrays.decode, lambda _codec, _value, _content: None),
}


# Values that do not change.


def _base64(value: Any) -> str:
    return binascii.b2a_base64(value, newline=False).decode()


def _from_base64(text: str) -> bytes:
    return binascii.a2b_base64(text, strict_mode=True)


_Encoder = Callable[[Codec, Any], Node]

_ENCODERS: dict[type, _Encoder] = {
    tuple: lambda codec, value: ["t", codec.encode_all(value)],
    frozenset: lambda codec, value: ["f", codec.encode_all(value)],
    bytes: lambda _, value: ["b", _base64(value)],
    memoryview: lambda _, value: ["b", _base64(bytes(value))],
    complex: lambda _, value: ["c", value.real, value.imag],
    range: lambda codec, value: ["rg", *codec.encode_all((value.start, value.stop, value.step))],
    slice: lambda codec, value: ["sl", *codec.encode_all((value.start, value.stop, value.step))],
    type(...): lambda _codec, _value: ["el"],
    type(NotImplemented): lambda _codec, _value: ["ni"],
    types.SimpleNamespace: lambda codec, value: ["ns", _pairs(codec, vars(value))],
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
}
"""Types of modules that are imported only if somebody has a value of them."""


def _library_encoder(kind: type) -> _Encoder | None:
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


_DECODERS: dict[str, Callable[[Codec, Node], Any]] = {
    "r": lambda codec, node: codec.decode_reference(node[1]),
    "t": lambda codec, node: tuple(codec.decode_all(node[1])),
    "f": lambda codec, node: frozenset(codec.decode_all(node[1])),
    "b": lambda _, node: _from_base64(node[1]),
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
    arrays.SCALAR_TAG: lambda _, node: arrays.decode(node[1])[()],
    "B": lambda _, node: CLASSES[node[1]],
}


@functools.cache
def named_tuple(name: str, fields: tuple[str, ...]) -> Any:
    """Return the named tuple with this name and these fields; the same one each time."""
    return collections.namedtuple(name, fields, rename=True)
