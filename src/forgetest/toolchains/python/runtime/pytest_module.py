"""The part of pytest that tests import: a module of that name, for tests that run without pytest.

`raises`, `approx`, `warns`, `fixture`, `param`, `mark`, `skip`, `fail`, `importorskip`, `MonkeyPatch`. Everything else
that a test takes from pytest raises an AttributeError that says so.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import re
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from numbers import Number
from typing import Any, NoReturn

from .monkeypatch import MonkeyPatch

__all__ = [
    "ExceptionInfo",
    "Failed",
    "MonkeyPatch",
    "Parameters",
    "Skipped",
    "approx",
    "fail",
    "fixture",
    "importorskip",
    "mark",
    "param",
    "raises",
    "skip",
    "warns",
]


class Skipped(BaseException):
    """The test does not want to run."""


class Failed(AssertionError):  # noqa: N818  (pytest's name)
    """The test failed."""


class ExceptionInfo:
    """The exception that a `raises` block caught."""

    value: BaseException

    @property
    def type(self) -> type[BaseException]:
        """The exception's class."""
        return type(self.value)

    @property
    def typename(self) -> str:
        """The name of the exception's class."""
        return type(self.value).__name__

    def match(self, pattern: str) -> bool:
        """Fail unless the exception's text matches."""
        if not re.search(pattern, str(self.value)):
            raise Failed(f"{str(self.value)!r} does not match {pattern!r}")
        return True


class _Raises(contextlib.AbstractContextManager[ExceptionInfo]):
    def __init__(self, expected: Any, match: str | None) -> None:
        self._expected, self._match, self._info = expected, match, ExceptionInfo()

    def __enter__(self) -> ExceptionInfo:
        return self._info

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: types.TracebackType | None,
    ) -> bool:
        if error is None:
            raise Failed(f"did not raise {_names(self._expected)}")
        if not isinstance(error, self._expected):
            return False
        self._info.value = error
        if self._match is not None:
            self._info.match(self._match)
        return True


def _names(expected: Any) -> str:
    return " or ".join(each.__name__ for each in (expected if isinstance(expected, tuple) else (expected,)))


def raises(expected: Any, *arguments: Any, match: str | None = None, **keywords: Any) -> Any:
    """Expect an exception, in a `with` block or in a call."""
    if not arguments:
        return _Raises(expected, match)
    with _Raises(expected, match) as info:
        arguments[0](*arguments[1:], **keywords)
    return info


@contextlib.contextmanager
def warns(expected: type[Warning] = Warning, match: str | None = None) -> Iterator[list[warnings.WarningMessage]]:
    """Expect a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught
    fitting = [each for each in caught if issubclass(each.category, expected)]
    if not any(match is None or re.search(match, str(each.message)) for each in fitting):
        raise Failed(f"did not warn of {expected.__name__}")


class approx:  # noqa: N801  (pytest's name)
    """A number, or a collection of numbers, that values are compared with approximately."""

    __hash__ = None  # type: ignore[assignment]
    __array_ufunc__ = None

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None, nan_ok: bool = False) -> None:  # noqa: A002
        self._expected, self._relative, self._absolute, self._nan_ok = expected, rel, abs, nan_ok

    def __repr__(self) -> str:
        return f"approx({self._expected!r})"

    def __eq__(self, actual: object) -> bool:
        return self._is_close(actual, self._expected)

    def _is_close(self, actual: Any, expected: Any) -> bool:
        if isinstance(expected, Mapping):
            items = dict(actual) if isinstance(actual, Mapping) else {}
            return isinstance(actual, Mapping) and (
                set(items) == set(expected) and all(self._is_close(items[key], expected[key]) for key in expected)
            )
        if isinstance(expected, Sequence) and not isinstance(expected, (str, bytes)):
            if not isinstance(actual, Sequence) or isinstance(actual, (str, bytes)):
                return False
            each = list(actual)  # an object of the sample could say another length than it has
            return len(each) == len(expected) and all(map(self._is_close, each, expected))
        if isinstance(expected, (Set, bool)) or not isinstance(expected, Number):
            return bool(actual == expected)
        if isinstance(actual, bool) or not isinstance(actual, Number):
            return False
        return self._is_close_number(actual, expected)

    def _is_close_number(self, actual: Any, expected: Any) -> bool:
        if actual == expected:
            return True
        if math.isnan(abs(expected)):
            return self._nan_ok and math.isnan(abs(actual))
        if math.isinf(abs(expected)) or math.isinf(abs(actual)):
            return False
        absolute = 1e-12 if self._absolute is None else self._absolute
        default = 1e-6 if self._absolute is None else 0.0
        relative = (default if self._relative is None else self._relative) * float(abs(expected))
        return bool(float(abs(actual - expected)) <= max(absolute, relative))


class Parameters:
    """One set of parameters, with its id and marks."""

    def __init__(self, values: tuple[Any, ...], marks: Sequence[Any]) -> None:
        self.values, self.marks = values, marks


def param(*values: Any, marks: Any = (), id: str | None = None) -> Parameters:  # noqa: A002, ARG001
    """Return one set of parameters."""
    return Parameters(values, marks if isinstance(marks, (list, tuple)) else (marks,))


class _Mark:
    """A decorator of `pytest.mark`; those that we do not know change nothing."""

    def __init__(self, name: str, arguments: tuple[Any, ...] = (), keywords: Mapping[str, Any] | None = None) -> None:
        self.name, self.arguments, self.keywords = name, arguments, keywords or {}

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        is_plain_decorator = (
            len(arguments) == 1 and not keywords and isinstance(arguments[0], (types.FunctionType, type))
        )
        if not is_plain_decorator:
            return _Mark(self.name, arguments, keywords)
        target = arguments[0]
        target.__marks__ = [*getattr(target, "__marks__", ()), self]
        return target


class _Marks:
    def __getattr__(self, name: str) -> _Mark:
        return _Mark(name)


mark = _Marks()


def fixture(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Declare a fixture."""

    def declare(declared: Any) -> Any:
        declared.__fixture__ = options
        return declared

    return declare if function is None else declare(function)


def skip(reason: str = "", **_: Any) -> NoReturn:
    """Skip the test."""
    raise Skipped(reason)


def fail(reason: str = "", **_: Any) -> NoReturn:
    """Fail the test."""
    raise Failed(reason)


skip.Exception = Skipped  # type: ignore[attr-defined]
fail.Exception = Failed  # type: ignore[attr-defined]


def importorskip(name: str, **_: Any) -> Any:
    """Import a module, or skip the test."""
    try:
        return importlib.import_module(name)
    except ImportError:
        skip(f"{name} is not there")


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"pytest.{name} is not supported by this test runner")


def make_module() -> types.ModuleType:
    """Return a module to be imported as `pytest`."""
    module = types.ModuleType("pytest")
    vars(module).update({name: globals()[name] for name in (*__all__, "__getattr__")})
    return module
