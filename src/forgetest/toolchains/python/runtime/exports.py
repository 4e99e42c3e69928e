"""Objects of the tests that a sample may use: what it may ask of each, and what it gets.

A sample reaches nothing but what it was given, by number, and in the way that the object's tag allows.
"""

from __future__ import annotations

import builtins
import opcode
import sys
from collections.abc import Callable
from typing import Any

from . import specials
from .observations import Observations
from .plain_values import Node, UnreadableError

TESTS_MODULE = "tests"
"""The name of the module that the tests run in."""


class Exports:
    """The objects that one sample has been given, by number, with the tag that says how it may use each."""

    def __init__(self, new_number: Callable[[], int], observations: Observations) -> None:
        self._new_number = new_number
        self._observations = observations
        self._objects: dict[int, tuple[str, Any]] = {}
        self._numbers: dict[int, int] = {}
        """Number by id of the object."""

    def add(self, tag: str, value: Any, *more: Node) -> Node:
        """Let the sample use an object; return the node that says so."""
        number = self._numbers.get(id(value))
        if number is None:
            number = self._new_number()
            self._objects[number] = (tag, value)
            self._numbers[id(value)] = number
        return [tag, number, *more]

    def get(self, number: Any, tags: tuple[str, ...]) -> Any:
        """Return the object with this number, if it was given with one of these tags."""
        tag, value = self._objects.get(number, ("", None)) if type(number) is int else ("", None)
        if tag not in tags:
            raise UnreadableError("asks for an object that it was not given")
        return value

    def _answer_call(self, number: Any, arguments: Any, keywords: Any) -> Any:
        function = self.get(number, ("tf", "tc", "to"))
        if type(arguments) is not tuple or type(keywords) is not tuple:
            raise UnreadableError("no arguments")
        return function(*arguments, **dict(keywords))

    def _answer_next(self, number: Any) -> Any:
        return next(self.get(number, ("ti",)))

    def _object_with(self, number: Any, name: Any) -> Any:
        if type(name) is not str or (name.startswith("_") and name not in specials.ALL):
            raise AttributeError(name)
        target = self.get(number, ("to",))
        if type(target).__module__ == "unittest.mock" and name not in specials.ALL and hasattr(_mock_class(), name):
            raise AttributeError(f"{name}: what a mock has seen and will assert is the tests' business")
        return target

    def _answer_get(self, number: Any, name: Any) -> Any:
        return getattr(self._object_with(number, name), name)

    def _answer_set(self, number: Any, name: Any, value: Any) -> None:
        target = self._object_with(number, name)
        if name.startswith("_"):
            raise AttributeError(name)
        if callable(getattr(type(target), name, None)) or _has_child(target, name):
            self._observations.note("changed_test", f"{type(target).__name__}.{name}", is_doubtful=True)
        setattr(target, name, value)

    def _answer_special(self, number: Any, name: Any, arguments: Any) -> Any:
        target = self._object_with(number, name)
        if type(arguments) is not tuple or name not in specials.ALL:
            raise UnreadableError("no special method")
        return getattr(type(target), name)(target, *arguments)

    def _answer_input(self, prompt: Any) -> Any:
        return builtins.input(prompt)

    def _answer_stdin(self, what: Any, size: Any) -> Any:
        return sys.stdin.readline(size) if what == "readline" else sys.stdin.read(size)

    def answer(self, kind: str, asked: list[Any]) -> Any:
        """Do what the sample asks for, and return the result. Raises what the object raises, or UnreadableError."""
        answer = _ANSWERS.get(kind)
        if answer is None:
            raise UnreadableError(f"asks for {kind!r}"[:100])
        try:
            return answer(self, *asked)
        except UnreadableError:
            raise
        except BaseException as error:
            if isinstance(error, AssertionError) or (_is_call(kind, asked) and not _is_deliberate(error)):
                self._observations.hand_over(error)
            raise


def is_of_tests(kind: type) -> bool:
    """Return whether the tests define this class, or it is one of their mocks."""
    return kind.__module__ in (TESTS_MODULE, "unittest.mock")


def _mock_class() -> type:
    """Return the class of mocks; it is imported by tests that have one."""
    mock: type = sys.modules["unittest.mock"].NonCallableMock
    return mock


def _has_child(target: Any, name: str) -> bool:
    """Return whether a mock has a child of this name, which knows how it was used."""
    children = getattr(target, "__dict__", {}).get("_mock_children", {})
    return type(target).__module__ == "unittest.mock" and name in children


def _is_call(kind: str, asked: list[Any]) -> bool:
    """Return whether the sample calls something with arguments, on which the outcome may depend."""
    return (kind == "call" and bool(asked[1] or asked[2])) or (kind == "special" and asked[1] == "__call__")


def _is_deliberate(error: BaseException) -> bool:
    """Return whether a `raise` statement of the tests, or of a mock, raised this."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None:
        return False
    code = step.tb_frame.f_code
    is_of_tests = code.co_filename == f"{TESTS_MODULE}.py" or code.co_filename.endswith("unittest/mock.py")
    return is_of_tests and code.co_code[step.tb_lasti] == opcode.opmap["RAISE_VARARGS"]


_ANSWERS: dict[str, Callable[..., Any]] = {
    "call": Exports._answer_call,
    "next": Exports._answer_next,
    "get": Exports._answer_get,
    "set": Exports._answer_set,
    "special": Exports._answer_special,
    "input": Exports._answer_input,
    "stdin": Exports._answer_stdin,
}
