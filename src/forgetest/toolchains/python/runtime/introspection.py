"""Functions of the library by which tests look at what only the sample's process has: its source, warnings, logs.

Where a test uses one of them on the sample, separation is given up: it is run inside, and its pass is not verified.
The changes stay in the interpreter, so tests with these words have one of their own (`stateless_tests`).
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from .mirrors import MirrorType
from .proxies import RemoteAsyncGenerator, RemoteCoroutine, RemoteFunction, RemoteIterator

_REMOTE = (MirrorType, RemoteFunction, RemoteIterator, RemoteCoroutine, RemoteAsyncGenerator)
_OF_OBJECTS: Mapping[str, Sequence[str]] = {
    "dataclasses": ("asdict", "astuple", "fields", "replace"),
    "inspect": (
        *("getsource", "getsourcelines", "getsourcefile", "getfile", "getmembers", "isabstract", "isfunction"),
        *("isgeneratorfunction", "iscoroutinefunction", "isasyncgenfunction", "iscoroutine", "isasyncgen"),
    ),
    "asyncio": ("iscoroutinefunction", "iscoroutine"),
}
_OF_INTERPRETERS: Mapping[str, tuple[str, str]] = {
    # function: module, reason
    "chdir": ("os", "the tests change the working folder"),
    "setrecursionlimit": ("sys", "the tests change the recursion limit"),
    "setstate": ("random", "the tests set the state of the random numbers"),
    "getcontext": ("decimal", "the tests use the context of decimal numbers"),
    "setcontext": ("decimal", "the tests use the context of decimal numbers"),
    "localcontext": ("decimal", "the tests use the context of decimal numbers"),
    "collect": ("gc", "the tests collect garbage"),
}
"""Functions that change an interpreter, or look at it as a whole."""
_CONTEXTS: Mapping[str, tuple[str, str, str]] = {
    # word in the tests: module, class, reason
    "warn": ("warnings", "catch_warnings", "the tests look at the warnings of the sample"),
    "assertLogs": ("unittest._log", "_AssertLogsContext", "the tests look at what the sample logs"),
    "assertNoLogs": ("unittest._log", "_AssertLogsContext", "the tests look at what the sample logs"),
}


class _Separation(Protocol):
    def give_up_separation(self, reason: str) -> NoReturn: ...


def guard(source: str, link: _Separation) -> None:
    """Have functions that the tests name give up separation if they are given something of the sample."""
    for name, functions in _OF_OBJECTS.items():
        if name in source:
            module = __import__(name)
            for each in functions:
                vars(module)[each] = _guarded(vars(module)[each], f"{name}.{each}", link)
    for each, (name, reason) in _OF_INTERPRETERS.items():
        if each in source and name in source:
            vars(__import__(name))[each] = lambda *_, reason=reason, **__: link.give_up_separation(reason)
    if "argv" in source:
        _GuardedSys.refuse = staticmethod(lambda: link.give_up_separation("the tests set sys.argv"))
        sys.__class__ = _GuardedSys
    for word, (name, kind, reason) in _CONTEXTS.items():
        if word in source:
            owner = getattr(__import__(name, fromlist=[kind]), kind)
            owner.__enter__ = lambda _, reason=reason: link.give_up_separation(reason)


class _GuardedSys(types.ModuleType):
    """The module sys, whose arguments cannot be replaced."""

    refuse: Callable[[], NoReturn]

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "argv":
            self.refuse()
        super().__setattr__(name, value)


def _guarded(function: Callable[..., Any], name: str, link: _Separation) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(value: Any, *arguments: Any, **keywords: Any) -> Any:
        if isinstance(value, _REMOTE) or isinstance(type(value), MirrorType):
            link.give_up_separation(f"the tests use {name} on something of the sample")
        return function(value, *arguments, **keywords)

    return call
