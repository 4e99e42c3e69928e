"""Stubs: what stands in the sample's process for functions and objects of its tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Ask = Callable[..., Any]
Decode = Callable[[Any], Any]


def make_stub(node: Any, ask: Ask, decode: Decode) -> Any:
    """Return a stub for an object of the tests."""
    tag, number = node[0], node[1]
    if tag == "tf":
        return _function(ask, number, node[2])
    if tag == "ti":
        return _TestIterator(ask, number)
    if tag == "tc":
        return _test_class(ask, number, node[2], [decode(base) for base in node[3]])
    if tag == "to":
        return _test_object(ask, number, node[2], node[3])
    raise ValueError(tag)


def _function(ask: Ask, number: int, name: str) -> Any:
    def call_test(*arguments: Any, **keywords: Any) -> Any:
        return ask("call", number, arguments, tuple(keywords.items()))

    call_test.__name__ = call_test.__qualname__ = name
    return call_test


def _test_class(ask: Ask, number: int, name: str, bases: list[Any]) -> Any:
    """Return an exception class that can be raised and caught; for any other class, what makes an object."""
    if any(isinstance(base, type) and issubclass(base, BaseException) for base in bases):
        return type(name, tuple(bases), {"__module__": "tests"})
    return _function(ask, number, name)


class _TestIterator:
    def __init__(self, ask: Ask, number: int) -> None:
        self._ask, self._number = ask, number

    def __iter__(self) -> _TestIterator:
        return self

    def __next__(self) -> Any:
        return self._ask("next", self._number)


def _test_object(ask: Ask, number: int, name: str, special: list[str]) -> Any:
    def method(special_name: str) -> Callable[..., Any]:
        return lambda _self, *arguments: ask("special", number, special_name, arguments)

    def call(_self: Any, /, *arguments: Any, **keywords: Any) -> Any:
        return ask("call", number, arguments, tuple(keywords.items()))

    body: dict[str, Any] = {each: method(each) for each in special}
    if "__call__" in body:
        body["__call__"] = call
    body["__getattr__"] = lambda _self, attribute: ask("get", number, attribute)
    body["__setattr__"] = lambda _self, attribute, value: ask("set", number, attribute, value)
    return type(name, (), body)()
