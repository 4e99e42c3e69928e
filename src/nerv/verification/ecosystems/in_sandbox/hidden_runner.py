"""Hide from tests, and from the code that they call, who runs them: a plugin of pytest, and for our own runner."""

from __future__ import annotations

import contextlib
import os
import sys
import types
from collections.abc import Iterator, MutableMapping
from typing import Any

_RUNNERS = ("pytest", "_pytest", "unittest", "pluggy", "hidden_runner", "run_unittest")
_VARIABLES = ("PYTEST_CURRENT_TEST", "PYTEST_VERSION", "NERV_HIDE_RUNNER")


class _Modules(MutableMapping[str, Any]):
    """The loaded modules without the runner's; they can still be imported."""

    def __init__(self, modules: Any) -> None:
        self.modules = modules

    def __getitem__(self, name: str) -> Any:
        if _is_runner(name) and not _is_import():
            raise KeyError(name)
        return self.modules[name]

    def __contains__(self, name: object) -> bool:
        return name in self.modules and (_is_import() or not _is_runner(name))

    def get(self, name: str, default: Any = None) -> Any:
        return self.modules.get(name, default) if _is_import() or not _is_runner(name) else default

    def __setitem__(self, name: str, module: Any) -> None:
        self.modules[name] = module

    def __delitem__(self, name: str) -> None:
        del self.modules[name]

    def __iter__(self) -> Iterator[str]:
        return iter([name for name in list(self.modules) if not _is_runner(name)])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def pop(self, *words: Any) -> Any:
        return self.modules.pop(*words)

    def copy(self) -> dict[str, Any]:
        return dict(self)


def _is_runner(name: object) -> bool:
    return str(name).split(".")[0] in _RUNNERS


def _is_import() -> bool:
    return "importlib" in sys._getframe(2).f_code.co_filename


@contextlib.contextmanager
def hidden() -> Iterator[None]:
    """Hide the runner's variables, arguments and modules."""
    modules, arguments, environment = sys.modules, sys.argv, os.environ  # a test may exchange any of them
    kept = {name: environment.pop(name) for name in _VARIABLES if name in environment}
    sys.modules = _Modules(modules)  # type: ignore[assignment]
    sys.argv = ["program"]
    try:
        yield
    finally:
        sys.modules, sys.argv = modules, arguments
        environment.update(kept)


def _without_its_name(function: Any) -> None:
    """Give a test's code another name and file, which callers in the stack would show."""
    plain = getattr(function, "__func__", function)
    if isinstance(plain, types.FunctionType):
        plain.__code__ = plain.__code__.replace(co_name="run", co_filename="program.py")


def pytest_configure(config: Any) -> None:
    """Hide the runner while a test's own code runs, and its arguments also while this code is loaded."""
    import pytest

    import __main__

    sys.argv = ["program"]
    __main__.__file__ = "program.py"

    class Plugin:
        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_call(self, item: Any) -> None:
            run = item.runtest
            _without_its_name(getattr(item, "obj", None))

            def run_hidden() -> None:
                with hidden():
                    run()

            item.runtest = run_hidden

    config.pluginmanager.register(Plugin(), "hidden-runner")
