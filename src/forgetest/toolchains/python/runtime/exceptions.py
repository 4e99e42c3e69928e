"""Exceptions of a sample in the tests' process: the same class where it is built in or the library's, else a mirror."""

from __future__ import annotations

import sys
from typing import Any

from . import specials
from .connection import Connection
from .plain_values import UnreadableError

_TEST_RUNNERS = frozenset({"unittest", "doctest", "bdb", "pdb", "pytest", "_pytest"})
"""Modules whose exceptions say something to a test runner; a sample has no say there."""

_MOST_LINES = 8


class ExceptionMirror(type):
    """The class of what stands here for exception classes of the sample: made there, raised here."""

    def __call__(cls, /, *arguments: Any, **keywords: Any) -> Any:
        """Make an exception, over there."""
        if "_mirrored_number" not in vars(cls):  # a class that the tests derive from it
            return super().__call__(*arguments, **keywords)
        return cls._mirror_connection.request("call", cls, arguments, tuple(keywords.items()))

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_") or "_mirrored_number" not in vars(cls):
            raise AttributeError(name)
        return cls._mirror_connection.request("get", cls, name)


def make_exception_class(
    connection: Connection,
    number: int,
    name: str,
    bases: list[type],
    module: str,
    packages: frozenset[str] = frozenset(),
) -> type:
    """Return the class for an exception class of the sample."""
    exceptions = [base for base in bases if issubclass(base, BaseException)]  # a proxy's class would not fit with them
    return _library_class(module, name, exceptions, packages) or _mirror(connection, number, name, exceptions)


def _library_class(module: str, name: str, bases: list[type], packages: frozenset[str]) -> type | None:
    """Return the library's own class, if it has been imported here and says nothing to a test runner."""
    top = module.partition(".")[0]
    if not (top in sys.stdlib_module_names or top in packages) or top in _TEST_RUNNERS or module not in sys.modules:
        return None
    found = vars(sys.modules[module]).get(name)
    return found if isinstance(found, type) and issubclass(found, tuple(bases)) else None


def _mirror(connection: Connection, number: int, name: str, bases: list[type]) -> type:
    def get_attribute(self: BaseException, attribute: str) -> Any:
        if attribute.startswith("_") or attribute in specials.PREDICATES or "_remote_number" not in vars(self):
            raise AttributeError(attribute)
        return connection.request("get", self, attribute)

    def text(self: BaseException) -> str:
        return str(vars(self).get("_remote_text") or BaseException.__str__(self))

    body = {
        "_mirrored_number": number,
        "_mirror_connection": connection,
        "__getattr__": get_attribute,
        "__str__": text,
        "__module__": "solution",
    }
    return ExceptionMirror(name, tuple(bases), body)


def make_exception(kind: Any, arguments: tuple[Any, ...], text: Any, number: Any, trace: Any) -> BaseException:
    """Return an exception that the sample raised."""
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        raise UnreadableError("no exception class")
    if type(text) is not str or type(number) is not int or type(trace) is not list:
        raise UnreadableError("no exception")
    if isinstance(kind, ExceptionMirror):
        error = _without_constructor(kind, arguments)
    else:
        try:
            error = kind(*arguments)
        except Exception:
            error = _without_constructor(kind, arguments)
    lines = [_line(each) for each in trace[:_MOST_LINES]]
    vars(error).update(_remote_number=number, _remote_text=text, _remote_trace=[each for each in lines if each])
    return error


def _line(given: Any) -> list[Any] | None:
    """Return an entry of a trace: the line, the function, and perhaps the place of a syntax error."""
    if type(given) is not list or not 1 < len(given) < 6 or type(given[1]) is not str:
        return None
    line, name, *place = given
    numbers = [line, *(each for each in place if each is not None)]
    is_readable = all(type(each) is int and 0 <= each < 1 << 31 for each in numbers)
    return [line, name[:200], *place] if is_readable else None


def _without_constructor(kind: Any, arguments: tuple[Any, ...]) -> BaseException:
    error: BaseException = kind.__new__(kind)
    error.args = arguments
    return error


def number_of_exception(value: Any) -> int | None:
    """Return the number of the exception, or exception class, that this stands for; None if it is the tests' own."""
    if isinstance(value, ExceptionMirror):
        number = vars(value).get("_mirrored_number")
    else:
        number = getattr(value, "__dict__", {}).get("_remote_number")
    return number if isinstance(number, int) else None
