"""Stubs: what stands in the sample's process for functions and objects of its tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import plain_values
from .proxies import make_signature

Ask = Callable[..., Any]
Decode = Callable[[Any], Any]


def make_stub(node: Any, ask: Ask, decode: Decode) -> Any:
    """Return a stub for an object of the tests."""
    tag, number = node[0], node[1]
    if tag == "tf":
        return _function(ask, number, *node[2:])
    if tag == "ti":
        return _TestIterator(ask, number)
    if tag == "tc":
        return _test_class(ask, number, node[2], [decode(base) for base in node[3]])
    if tag == "to":
        return _test_object(ask, number, node[2], node[3])
    raise ValueError(tag)


def _function(
    ask: Ask,
    number: int,
    name: str,
    doc: str | None = None,
    parameters: list[Any] | None = None,
    annotations: dict[str, str] | None = None,
) -> Any:
    """`parameters`: their names, or names, kinds and defaults if not all of them are plainly positional."""

    def call_test(*arguments: Any, **keywords: Any) -> Any:
        return ask("call", number, arguments, tuple(keywords.items()))

    is_plain = parameters is not None and all(isinstance(each, str) for each in parameters)
    stub: Any = _with_parameters(call_test, parameters) if parameters is not None and is_plain else call_test
    if parameters is not None and not is_plain:
        stub.__signature__ = make_signature(parameters)
    stub.__name__ = stub.__qualname__ = name
    stub.__doc__ = doc
    stub.__module__ = "tests"
    stub.__annotations__ = {key: plain_values.CLASSES[kind] for key, kind in (annotations or {}).items()}
    return stub


def _with_parameters(call: Callable[..., Any], names: list[str]) -> Any:
    """Return a function with parameters of these names, for samples that look at how many there are."""
    given = ", ".join(names)
    made: Any = eval(f"lambda __call: lambda {given}: __call({given})", {})  # noqa: S307  (in the sample's process)
    return made(call)


def _test_class(ask: Ask, number: int, name: str, bases: list[Any]) -> Any:
    """Return an exception class that can be raised and caught; for any other class, what makes an object."""
    if any(isinstance(base, type) and issubclass(base, BaseException) for base in bases):
        return type(name, tuple(bases), {"__module__": "tests"})
    return type.__new__(_TestClass, name, (), {"__module__": "tests", "_ask": ask, "_number": number})


class _TestClass(type):
    """The class of what stands here for classes of the tests. A sample that does more than make objects is told off.

    The test is then run inside this process, where the class is.
    """

    def __new__(mcs, _name: str, bases: tuple[Any, ...], _body: dict[str, Any], **_: Any) -> Any:
        """Refuse to let the sample derive a class from one of the tests."""
        _run_inside(bases[0])

    def __call__(cls, /, *arguments: Any, **keywords: Any) -> Any:
        """Make an object, over there."""
        own = type.__getattribute__(cls, "__dict__")
        return own["_ask"]("call", own["_number"], arguments, tuple(keywords.items()))

    def __getattribute__(cls, name: str) -> Any:
        if name not in _OF_CLASSES:
            _run_inside(cls)
        return super().__getattribute__(name)

    def __setattr__(cls, name: str, value: Any) -> None:
        _run_inside(cls)

    def __delattr__(cls, name: str) -> None:
        _run_inside(cls)

    def __instancecheck__(cls, instance: Any) -> bool:
        return bool(_run_inside(cls))

    def __subclasscheck__(cls, subclass: Any) -> bool:
        return bool(_run_inside(cls))


_OF_CLASSES = frozenset({"__name__", "__qualname__", "__module__", "__doc__", "__class__", "__hash__", "__wrapped__"})


def _run_inside(stub: Any) -> Any:
    """Ask for the test to be run inside this process."""
    own = type.__getattribute__(stub, "__dict__")
    return own["_ask"]("inside", own["_number"])


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
