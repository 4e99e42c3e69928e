"""The codec between the tests' process and the sample's: JSON with tags, and a closed set of types, both ways.

Whatever arrives becomes an exact built-in or standard-library value that our own constructors make, a reference to a
container that both sides share, or a handle of an object that stays on the other side. None of it is executed.

Lists, dicts, sets and the like that have crossed once are *shared*: each has a number, and whichever side changed one
says so at the next crossing. So changes in place, aliasing and identity are as they would be in one process.
"""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from . import containers, plain_values
from .plain_values import Node, UnreadableError

TOO_DEEP = "deep"
"""The answer of a sample's process that cannot encode a result."""
ENDLESS = "endless"
"""The answer of a sample's process that would never have another."""

_encode_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decode_json = json.JSONDecoder().decode

_ATOMS = frozenset({bool, float, str, type(None)})
_LARGE_BITS = 8192
"""Larger integers are written in hexadecimal: CPython refuses to read more than 4300 decimal digits."""
_get_recursion_limit, _set_recursion_limit = sys.getrecursionlimit, sys.setrecursionlimit
_MORE_CALLS = 10_000
"""Enough for values with about 2,000 levels, and not too much for the stack of the JSON module."""
_UNREFERENCED = 2
"""References to a container that only the table holds: the table's entry, and the argument of `getrefcount`."""


class Codec(ABC):
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
        if kind in containers.CONTENTS:
            return self.encode_container(value)
        encoder = plain_values.encoder_of(kind)
        return self.encode_other(value) if encoder is None else encoder(self, value)

    def decode(self, node: Node) -> Any:
        """Return the value of a node. Raises UnreadableError, or whatever a constructor raises."""
        if type(node) is not list:
            if type(node) is dict:
                raise UnreadableError("an object")
            return node
        if not node or type(node[0]) is not str:
            raise UnreadableError("no tag")
        if node[0] in containers.FILLERS:
            return self._decode_container(node)
        decoder = plain_values.DECODERS.get(node[0])
        return self.decode_other(node) if decoder is None else decoder(self, node)

    @abstractmethod
    def encode_other(self, value: Any) -> Node:
        """Return a value that is not plain data as JSON."""

    @abstractmethod
    def decode_other(self, node: Node) -> Any:
        """Return the value of a node that is not plain data."""

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
        self._shared[number] = [value, containers.snapshot_of(value)]
        self._numbers[id(value)] = number
        tag, content = containers.encode_content(self, value)
        return [tag, number, content]

    def _decode_container(self, node: Node) -> Any:
        tag, number, content = node
        if type(number) is not int or number in self._shared:
            raise UnreadableError("a number that is taken")
        make, fill = containers.FILLERS[tag]
        value = make(content)
        entry = self._shared[number] = [value, None]  # before it is filled: it may contain itself
        self._numbers[id(value)] = number
        fill(self, value, content)
        entry[1] = containers.snapshot_of(value)
        return value

    def collect_changes(self) -> list[Node]:
        """Return what has changed here in shared containers since the other side last knew them."""
        changes = []
        for number, entry in list(self._shared.items()):
            value = entry[0]
            # no snapshot: it is being filled, and the hash of what it contains is asked for
            if entry[1] is not None and not containers.is_unchanged(value, entry[1]):
                entry[1] = containers.snapshot_of(value)
                changes.append([number, *containers.encode_content(self, value)])
        return changes

    def apply_changes(self, changes: Any) -> None:
        """Make the changes that the other side made in shared containers."""
        for number, tag, content in changes:
            entry = self._shared.get(number)
            make, fill = containers.FILLERS[tag]
            new = make(content)
            if entry is None or type(entry[0]) is not type(new):
                raise UnreadableError("a change of something that is not shared")
            value = entry[0]
            fill(self, new, content)  # before the old content goes: it may be referred to
            containers.replace_content(value, new)
            entry[1] = containers.snapshot_of(value)

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


class deep_recursion:  # noqa: N801  (a function to whoever calls it)
    """Allow the codec deeper recursion than the code of tests and sample: a level of nesting takes several calls.

    A class, because a generator takes longer than encoding most messages.
    """

    __slots__ = ("_limit",)

    def __enter__(self) -> None:
        self._limit = _get_recursion_limit()
        _set_recursion_limit(self._limit + _MORE_CALLS)

    def __exit__(self, *_: object) -> None:
        _set_recursion_limit(self._limit)


def pack(message: dict[str, Any]) -> bytes:
    """Return a message with its length in front."""
    body = _encode_json(message).encode("ascii")
    return len(body).to_bytes(4, "big") + body


def unpack(body: bytes) -> Any:
    """Return the message without its length."""
    return _decode_json(body.decode("ascii"))
