"""What the tests can ask a sample's process to do with the sample's objects."""

from __future__ import annotations

import os
import types
from typing import Any


class Operations:
    """The operations of a sample's process, by the names that they have on the wire."""

    module: types.ModuleType
    """The sample."""
    _loop: Any = None
    """An event loop, once something has been awaited."""
    _log: Any = None
    """What the sample logs, once the tests have asked for it."""

    def do_global(self, name: str) -> Any:
        """Return an attribute of the sample's module."""
        return getattr(self.module, name)

    def do_get(self, value: Any, name: str) -> Any:
        """Return an attribute."""
        return getattr(value, name)

    def do_set(self, value: Any, name: str, new: Any) -> None:
        """Set an attribute."""
        setattr(value, name, new)

    def do_delete(self, value: Any, name: str) -> None:
        """Delete an attribute."""
        delattr(value, name)

    def do_call(self, function: Any, arguments: tuple[Any, ...], keywords: tuple[tuple[str, Any], ...]) -> Any:
        """Call a function, class or object."""
        return function(*arguments, **dict(keywords))

    def do_special(self, value: Any, name: str, arguments: tuple[Any, ...]) -> Any:
        """Call a special method as the interpreter would: that of the type."""
        if name == "__getitem__" and isinstance(value, type) and not hasattr(type(value), name):
            found = value[arguments[0]]  # type: ignore[index]
            return getattr(found, "__origin__", found)  # `Stack[int]` makes what `Stack` makes
        return getattr(type(value), name)(value, *arguments)

    def do_next(self, iterator: Any) -> Any:
        """Return the next item."""
        return next(iterator)

    def do_text(self, value: Any, kind: str) -> str:
        """Return `str` or `repr` of a value."""
        return str(value) if kind == "str" else repr(value)

    def do_plain(self, value: Any) -> Any:
        """Return the content of an object whose class derives from a mutable built-in type."""
        for base in (list, set, bytearray):
            if isinstance(value, base):
                return base(base.__iter__(value))  # type: ignore[arg-type]
        return dict(dict.items(value))

    def do_copy(self, value: Any, is_deep: bool) -> Any:
        """Return a copy."""
        import copy

        return copy.deepcopy(value) if is_deep else copy.copy(value)

    def do_dir(self, value: Any) -> list[str]:
        """Return the names of the attributes."""
        return dir(value)

    def do_signature(self, function: Any) -> Any:
        """Return names, kinds and defaults of the parameters; None where that is not known."""
        import inspect

        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            return None
        return [
            (each.name, int(each.kind), *((each.default,) * (each.default is not each.empty))) for each in parameters
        ]

    def do_await(self, awaitable: Any) -> Any:
        """Run a coroutine to its end, in an event loop of our own."""
        import asyncio

        async def wait() -> Any:
            return await awaitable

        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self._loop)
        return self._loop.run_until_complete(wait())

    def do_await_next(self, awaitable: Any) -> Any:
        """Do the same for the next item of an asynchronous iteration, which may be over."""
        return self.do_await(awaitable)

    def do_environment(self, name: str, value: str | None) -> None:
        """Set or remove an environment variable, as the tests did."""
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

    def do_seed(self, *arguments: Any) -> None:
        """Seed the random numbers, as the tests did."""
        import random

        random.seed(*arguments)

    def do_inside(self, plan: dict[str, Any], test: dict[str, Any]) -> Any:
        """Run a test in this process: for tests that cannot be separated. The result proves nothing."""
        from .run_test import run_inside

        run_inside(plan, test, self.module)

    def do_logs(self, action: str, *arguments: Any) -> Any:
        """Keep what the sample logs, for pytest's `caplog`."""
        from . import captured_logs

        if self._log is None:
            self._log = captured_logs.RecordKeeper()
        return captured_logs.serve(self._log, action, *arguments)
