"""Containers that both sides share: how their content crosses, and how a change is noticed and made."""

from __future__ import annotations

import collections
from collections.abc import Callable
from operator import is_
from typing import Any

from . import arrays
from .plain_values import CLASS_NAMES, CLASSES, Coding, Node, UnreadableError, encode_pairs, from_base64, to_base64

_ORDERED = (list, set, collections.deque)
"""A set that nobody changed is iterated in the same order; to look into it, a sample's `__hash__` would be asked."""


def snapshot_of(value: Any) -> Any:
    """Return what a container holds now, by which a later change can be told."""
    kind = type(value)
    if kind in _ORDERED:
        return tuple(value)
    if kind is bytearray:
        return bytes(value)
    if arrays.is_array(kind):
        return arrays.content(value)
    return tuple(value), tuple(value.values())


def is_unchanged(value: Any, snapshot: Any) -> bool:
    """Return whether a container holds the same objects as when the snapshot was taken."""
    kind = type(value)
    if kind in _ORDERED:
        return len(value) == len(snapshot) and all(map(is_, value, snapshot))
    if kind is bytearray:
        return bool(value == snapshot)
    if arrays.is_array(kind):
        return bool(arrays.content(value) == snapshot)
    keys, values = snapshot
    return len(value) == len(keys) and all(map(is_, value, keys)) and all(map(is_, value.values(), values))


def replace_content(value: Any, new: Any) -> None:
    """Make a container hold what a new one of the same type holds."""
    if type(value) is bytearray:
        value[:] = new
    elif arrays.is_array(type(value)):
        arrays.replace_content(value, new)
    else:
        value.clear()
        (value.extend if type(value) in (list, collections.deque) else value.update)(new)


def _encode_defaultdict(codec: Coding, value: Any) -> tuple[str, Node]:
    factory = value.default_factory
    known = factory is None or (isinstance(factory, type) and factory in CLASS_NAMES)
    return "dd", [CLASS_NAMES[factory] if known and factory is not None else None, encode_pairs(codec, value)]


CONTENTS: dict[type, Callable[[Coding, Any], tuple[str, Node]]] = {
    list: lambda codec, value: ("l", codec.encode_all(value)),
    set: lambda codec, value: ("s", codec.encode_all(value)),
    dict: lambda codec, value: ("d", encode_pairs(codec, value)),
    collections.OrderedDict: lambda codec, value: ("od", encode_pairs(codec, value)),
    collections.Counter: lambda codec, value: ("ct", encode_pairs(codec, value)),
    collections.defaultdict: _encode_defaultdict,
    collections.deque: lambda codec, value: ("dq", [value.maxlen, codec.encode_all(value)]),
    bytearray: lambda _, value: ("ba", to_base64(value)),
}


def encode_content(codec: Coding, value: Any) -> tuple[str, Node]:
    """Return the tag of a container, and what it holds as JSON."""
    kind = type(value)
    return (arrays.TAG, arrays.encode(value)) if arrays.is_array(kind) else CONTENTS[kind](codec, value)


def _fill_sequence(codec: Coding, value: Any, content: Node) -> None:
    value.extend(codec.decode_all(content))


def _fill_mapping(codec: Coding, value: Any, content: Node) -> None:
    for key, item in content:
        value[codec.decode(key)] = codec.decode(item)


def _make_defaultdict(content: Node) -> Any:
    return collections.defaultdict(None if content[0] is None else CLASSES[content[0]])


def _make_deque(content: Node) -> Any:
    maxlen = content[0]
    if maxlen is not None and type(maxlen) is not int:
        raise UnreadableError("no length")
    return collections.deque(maxlen=maxlen)


FILLERS: dict[str, tuple[Callable[[Node], Any], Callable[[Coding, Any, Node], None]]] = {
    "l": (lambda _: [], _fill_sequence),
    "s": (lambda _: set(), lambda codec, value, content: value.update(codec.decode_all(content))),
    "d": (lambda _: {}, _fill_mapping),
    "od": (lambda _: collections.OrderedDict(), _fill_mapping),
    "ct": (lambda _: collections.Counter(), _fill_mapping),
    "dd": (_make_defaultdict, lambda codec, value, content: _fill_mapping(codec, value, content[1])),
    "dq": (_make_deque, lambda codec, value, content: _fill_sequence(codec, value, content[1])),
    "ba": (lambda content: bytearray(from_base64(content)), lambda _codec, _value, _content: None),
    arrays.TAG: (arrays.decode, lambda _codec, _value, _content: None),
}
