"""Proxies: what stands in the tests' process for functions, iterators and coroutines of the sample."""

from __future__ import annotations

import collections.abc
import sys
import types
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from . import specials
from .connection import Connection, refuse_predicate

if TYPE_CHECKING:
    import inspect

_FRAMES = frozenset({"__code__", "__globals__", "__closure__", "__builtins__", "gi_frame", "cr_frame", "ag_frame"})
"""Attributes by which tests look into a sample; nothing of that kind can cross."""


class RemoteFunction:
    """A function, method or module of the sample."""

    __slots__ = ("__weakref__", "_connection", "_number")

    def __init__(self, connection: Connection, number: int) -> None:
        object.__setattr__(self, "_connection", connection)
        object.__setattr__(self, "_number", number)

    def __call__(self, /, *arguments: Any, **keywords: Any) -> Any:
        """Call the function, over there."""
        return self._connection.request("call", self, arguments, tuple(keywords.items()))

    def __getattr__(self, name: str) -> Any:
        if name in _FRAMES:
            self._connection.give_up_separation(f"the tests use {name} of a function of the sample")
        refuse_predicate(self._connection, name, "a function")
        return self._connection.request("get", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._connection.request("set", self, name, value)

    def __get__(self, instance: Any, owner: type | None = None) -> RemoteFunction:
        return self

    @property
    def __doc__(self) -> Any:  # type: ignore[override]
        return self._connection.request("get", self, "__doc__")

    @property
    def __signature__(self) -> inspect.Signature:
        described = self._connection.request("signature", self)
        if described is None:
            raise AttributeError("__signature__")
        return make_signature(described)

    def __repr__(self) -> str:
        return "<function of the sample>"


class RemotePlainFunction(RemoteFunction):
    """A function of the sample that becomes a method if it is an attribute of a class."""

    __slots__ = ()
    __doc__ = vars(RemoteFunction)["__doc__"]  # that of the function

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)


def make_signature(described: Any) -> inspect.Signature:
    """Return a signature from names, kinds and defaults of parameters."""
    import inspect

    parameters = [
        inspect.Parameter(name, inspect._ParameterKind(kind), **({"default": default[0]} if default else {}))
        for name, kind, *default in described
    ]
    return inspect.Signature(parameters)


class RemoteIterator:
    """An iterator of the sample."""

    __slots__ = ("__weakref__", "_connection", "_number")

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection, self._number = connection, number

    def __iter__(self) -> RemoteIterator:
        return self

    def __next__(self) -> Any:
        return self._connection.request("next", self)

    def __getattr__(self, name: str) -> Any:
        if name in _FRAMES:
            self._connection.give_up_separation(f"the tests use {name} of a generator of the sample")
        if name.startswith("__"):
            raise AttributeError(name)
        refuse_predicate(self._connection, name, "an iterator")
        found = self._connection.request("get", self, name)
        if name in specials.ITERATION:
            return lambda *arguments: self._connection.request("special", self, name, arguments)
        return found


class RemoteGenerator(RemoteIterator):
    """A generator of the sample."""

    __slots__ = ()

    @property
    def __class__(self) -> Any:
        """`isinstance(x, types.GeneratorType)` holds, as it does over there."""
        return types.GeneratorType

    @__class__.setter
    def __class__(self, kind: Any) -> None:
        raise TypeError("the class of a generator cannot be changed")


class RemoteCoroutine(collections.abc.Coroutine[Any, Any, Any]):
    """A coroutine of the sample. It runs to its end, over there, when it is first awaited."""

    __slots__ = ("__weakref__", "_connection", "_number")

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection, self._number = connection, number

    def send(self, _value: Any) -> Any:
        """Run it to its end."""
        self._note_other_tasks()
        raise StopIteration(self._connection.request("await", self))

    def throw(self, kind: Any, value: Any = None, _traceback: Any = None) -> Any:
        """End it with an exception."""
        raise kind if value is None else value

    def close(self) -> None:
        """Forget it."""
        self._connection.request("call", self._connection.request("get", self, "close"), (), ())

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from ()
        self._note_other_tasks()
        return self._connection.request("await", self)

    def _note_other_tasks(self) -> None:
        """Note that other tasks could run while this coroutine waits: here it holds them up."""
        asyncio = sys.modules.get("asyncio")
        if asyncio is not None and asyncio.events._get_running_loop() and len(asyncio.all_tasks()) > 1:
            self._connection.note_concurrency()


class RemoteAsyncGenerator:
    """An asynchronous generator of the sample."""

    __slots__ = ("__weakref__", "_connection", "_number")

    def __init__(self, connection: Connection, number: int) -> None:
        self._connection, self._number = connection, number

    def __aiter__(self) -> RemoteAsyncGenerator:
        return self

    async def __anext__(self) -> Any:
        return await self._advance("__anext__")

    async def asend(self, value: Any) -> Any:
        """Send a value, and return the next item."""
        return await self._advance("asend", value)

    async def athrow(self, *error: Any) -> Any:
        """Raise an exception where the generator waits, and return the next item."""
        return await self._advance("athrow", *error)

    async def aclose(self) -> None:
        """End the generator."""
        await self._advance("aclose")

    async def _advance(self, name: str, *arguments: Any) -> Any:
        return self._connection.request("await_next", self._connection.request("special", self, name, arguments))
