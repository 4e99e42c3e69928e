"""The state of a plain sample, as one of its frames sees it: a list of parts that can be compared.

Two equal states are the same to the sample: values and their types, and which containers are one object. What cannot be
compared exactly, or holds a state that nobody sees, has no state here.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping, Sequence
from typing import Any

_MOST_PARTS = 5_000
"""A state with more parts is not compared."""
_VALUES = frozenset({int, bool, str, bytes, type(None), type(...), range})
_CONSTANTS = (types.ModuleType, types.BuiltinFunctionType, types.MethodDescriptorType, type, re.Pattern)


class UnknownStateError(Exception):
    """The state has a part that cannot be compared."""


def read_state(frame: types.FrameType, counters: frozenset[str], moduli: Mapping[str, Sequence[int]]) -> list[Any]:
    """Return everything that the code of a frame can reach, in a form that can be compared."""
    variables: dict[str, Any] = {}
    if frame.f_locals is not frame.f_globals:
        hidden = frozenset(frame.f_code.co_cellvars + frame.f_code.co_freevars)
        for name, value in frame.f_locals.items():
            divisors = moduli.get(name, ())
            # a float stops growing some time, and then its remainder stays the same
            if name in counters - hidden and type(value) in ((int,) if divisors else (int, float)):
                variables[name] = ("counter", type(value).__name__, *(value % each for each in divisors))
            else:
                variables[name] = value
    return _State(frame.f_globals).read(variables)


class _State:
    def __init__(self, names: dict[str, Any]) -> None:
        self._globals = names
        self._parts: list[Any] = []
        self._numbers: dict[int, int] = {}

    def read(self, variables: dict[str, Any]) -> list[Any]:
        """Return the parts of variables and of all that they and the module refer to, each object once."""
        own = {name: value for name, value in self._globals.items() if not name.startswith("__")}
        waiting = [len(variables), *_flat(variables), *_flat(own)]
        waiting.reverse()
        while waiting:
            if len(self._parts) > _MOST_PARTS:
                raise UnknownStateError
            value = waiting.pop()
            waiting += reversed(self._describe(value))
        return self._parts

    def _describe(self, value: Any) -> list[Any]:
        """Add a value to the parts, and return what it refers to."""
        kind = type(value)
        if kind in _VALUES:
            self._parts.append((kind, value))
            return []
        if kind in (float, complex):
            self._parts.append((kind, repr(value)))  # tells 0.0 from -0.0
            return []
        if isinstance(value, _CONSTANTS) or kind.__module__ == "typing":
            owner = getattr(value, "__self__", None) if kind is types.BuiltinFunctionType else None
            if owner is not None and not isinstance(owner, (types.ModuleType, type)):
                raise UnknownStateError
            self._parts.append(id(value))
            return []
        if id(value) in self._numbers:
            self._parts.append(("again", self._numbers[id(value)]))
            return []
        self._numbers[id(value)] = len(self._numbers)
        if kind in (list, tuple):
            self._parts.append((kind, len(value)))
            return list(value)
        if kind is dict:
            self._parts.append((kind, len(value)))
            return _flat(value)
        if kind is types.FunctionType:
            return self._describe_function(value)
        raise UnknownStateError

    def _describe_function(self, function: types.FunctionType) -> list[Any]:
        if function.__globals__ is not self._globals:  # of a module without state
            self._parts.append(id(function))
            return []
        self._parts.append(id(function.__code__))
        held: list[Any] = [function.__defaults__, function.__kwdefaults__]
        for cell in function.__closure__ or ():
            try:
                held.append(cell.cell_contents)
            except ValueError:
                held.append(id)  # no value yet; a plain sample cannot have this one
        return held


def _flat(mapping: dict[Any, Any]) -> list[Any]:
    return [each for pair in mapping.items() for each in pair]
