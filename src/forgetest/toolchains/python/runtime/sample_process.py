"""The process that a sample runs in. Nothing here is trusted any more once the sample's first line has run."""

from __future__ import annotations

import builtins
import enum
import functools
import linecache
import os
import resource
import signal
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from . import plain_values, specials, wire
from .endless import Watch
from .operations import Operations
from .plain_values import Node
from .streams import PrintedText, TestInput
from .stubs import make_stub

_ITERATORS = (map, filter, zip, enumerate, reversed)
_PLAIN_FUNCTIONS = (types.FunctionType, type(functools.lru_cache(len)))
"""Become methods if they are attributes of a class."""
_FLAG_METHODS = frozenset({"__contains__", "__iter__", "__len__", "__bool__", "__invert__"})
"""Methods of `enum.Flag` that its members inherit."""
_MOST_CAUSES = 8
_CALLABLE_MODULES = frozenset({"builtins", "functools", "operator", "types", "re"})
_NOT_OF_THE_SAMPLE = frozenset({object, enum.Enum, enum.IntEnum, enum.Flag, enum.IntFlag, *plain_values.CLASS_NAMES})
_TRACE_LINES = 8
_LOOK_S = (0.03, 0.1)
"""Loops are looked at after this much CPU time, and again each time after that much."""
_MOST_KB = 200 << 10
"""A process that has once used more memory serves no other sample."""


class DisconnectedError(BaseException):
    """The tests' process has gone."""


class SampleProcess(Operations, wire.Codec):
    """The sample's end of the wire: does what the tests ask for."""

    def __init__(self, reader: int, writer: int) -> None:
        super().__init__(first_number=1)
        self._reader, self._writer = reader, writer
        self._objects: dict[int, Any] = {}
        """Objects of which the tests hold a handle."""
        self._object_numbers: dict[int, int] = {}
        self._described: set[int] = set()
        """Numbers of the classes that the tests' process knows."""
        self._stubs: dict[int, Any] = {}
        """What stands here for objects of the tests, by number."""
        self._stub_numbers: dict[int, int] = {}
        self._raised_by_tests: dict[int, tuple[BaseException, int]] = {}
        self._nonce = ""
        self._printed = (PrintedText(), PrintedText())
        self.module = types.ModuleType("solution")

    # messages

    def serve(self) -> None:
        """Do what the tests ask for, until they want another sample in this process."""
        sys.stdout, sys.stderr = self._printed
        sys.stdin = TestInput(self.ask)
        sys.__stdout__, sys.__stderr__, sys.__stdin__ = sys.stdout, sys.stderr, sys.stdin  # type: ignore[misc,assignment]
        builtins.input = lambda prompt="", /: self.ask("input", str(prompt))
        while (message := self._receive())["o"] != "leave":
            self._serve(message)
        self._leave()

    def _leave(self) -> None:
        """Remove the sample. It was found to be plain, so nothing else is left of it."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        sys.modules.pop(self.module.__name__, None)
        vars(self.module).clear()
        if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > _MOST_KB:
            raise DisconnectedError

    def _receive(self) -> dict[str, Any]:
        size = int.from_bytes(self._read(4), "big")
        data = self._read(size)
        with wire.deep_recursion():
            message: dict[str, Any] = wire.unpack(data)
        return message

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._reader, min(size, 1 << 20))
            if not part:
                raise DisconnectedError
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _send(self, kind: str, make_values: Callable[[], list[Node]]) -> None:
        first = self.next_number
        try:
            with wire.deep_recursion():
                message = {"o": kind, "n": self._nonce, "u": self.collect_changes(), "v": make_values()}
                del make_values  # its values are now in the message only
                message["g"] = self.collect_unreferenced()
                data = memoryview(wire.pack(message | {"w": [stream.take() for stream in self._printed]}))
        except BaseException:
            self.forget_since(first)
            raise
        while data:
            data = data[os.write(self._writer, data) :]

    def _absorb(self, message: dict[str, Any]) -> list[Any]:
        with wire.deep_recursion():
            self.apply_changes(message["u"])
            values = self.decode_all(message["v"])
        self.drop(message["g"])
        return values

    def _serve(self, message: dict[str, Any]) -> None:
        outer, self._nonce = self._nonce, message["n"]
        try:
            is_running = True
            try:
                result = [getattr(self, f"do_{message['o']}")(*self._absorb(message))]
                is_running = False
                self._send("ret", lambda: [self.encode(result.pop())])
            except DisconnectedError:
                raise
            except BaseException as error:
                if isinstance(error, RecursionError) and not is_running:  # ours, not the sample's
                    self._send(wire.TOO_DEEP, list)
                else:
                    self._send("exc", lambda error=error: self._describe_exception(error))  # type: ignore[misc]
        finally:
            self._nonce = outer

    def ask(self, kind: str, *values: Any) -> Any:
        """Ask the tests' process for something while it waits for us."""
        self._send(kind, lambda: self.encode_all(values))
        while (reply := self._receive())["o"] not in ("ret", "exc"):
            self._serve(reply)
        [value] = self._absorb(reply)
        if reply["o"] == "ret":
            return value
        raise value

    # operations

    def do_load(self, source: str, name: str, wanted: Iterable[str], is_plain: bool) -> list[Any]:
        """Execute the sample's module, and return the values that it has for some names; ... for a missing one."""
        self.module = types.ModuleType(name)
        sys.modules[name] = self.module
        filename = self.module.__file__ = f"{name}.py"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        if is_plain:
            self._watch_loops(Watch(source, filename, self._end_endless))
        exec(compile(source, filename, "exec", dont_inherit=True), vars(self.module))  # noqa: S102  (its only purpose)
        return [vars(self.module).get(each, ...) for each in wanted]

    def _watch_loops(self, watch: Watch) -> None:
        """Look at a sample that computes for long."""
        signal.signal(signal.SIGPROF, lambda _, frame: watch.look(frame))
        signal.setitimer(signal.ITIMER_PROF, *_LOOK_S)

    def _end_endless(self, line: int) -> NoReturn:
        """Answer in place of a loop that never ends, and end this process."""
        answer = {"o": wire.ENDLESS, "n": self._nonce, "u": [], "v": [line], "g": [], "w": ["", ""]}
        os.write(self._writer, wire.pack(answer))
        os._exit(0)

    # values on their way out

    def _handle(self, value: Any) -> int:
        number = self._object_numbers.get(id(value))
        if number is None:
            number = self.new_number()
            self._objects[number] = value
            self._object_numbers[id(value)] = number
        return number

    def encode_other(self, value: Any) -> Node:
        """Return a handle of a value, with what the tests' process needs to know about it."""
        number = self._stub_numbers.get(id(value))
        if number is not None:
            return ["o", number]
        kind = type(value)
        if isinstance(value, type):
            return self._describe_class(value)
        if kind is types.GeneratorType:
            return ["ge", self._handle(value)]
        if kind in _ITERATORS or (kind.__module__ == "builtins" and hasattr(kind, "__next__")):
            return ["it", self._handle(value)]
        if kind is types.CoroutineType:
            return ["co", self._handle(value)]
        if kind is types.AsyncGeneratorType:
            return ["ag", self._handle(value)]
        if isinstance(value, BaseException):
            return ["ex", *self._describe_exception(value)]
        if kind is types.ModuleType or (callable(value) and kind.__module__ in _CALLABLE_MODULES):
            return ["pf" if kind in _PLAIN_FUNCTIONS else "fn", self._handle(value)]
        if kind.__bases__ == (tuple,) and hasattr(kind, "_fields") and kind.__module__ != self.module.__name__:
            return ["nt", kind.__name__, list(kind._fields), self.encode_all(tuple.__iter__(value))]
        for base in specials.BUILTIN_BASES:
            if isinstance(value, base):
                is_fixed = base is bool or base in specials.IMMUTABLE_BASES
                content = [self.encode(_as_base(value, base))] if is_fixed else []
                return ["h", self._handle(value), self._describe_class(kind), content]
        return ["h", self._handle(value), self._describe_class(kind), []]

    def _describe_class(self, kind: type) -> Node:
        name = plain_values.CLASS_NAMES.get(kind)
        if name is not None:
            return ["B", name]
        number = self._handle(kind)
        if number in self._described:
            return ["k", number]
        self._described.add(number)
        bases = [self._describe_class(base) for base in kind.__bases__]
        own = {
            name
            for base in kind.__mro__
            if base not in _NOT_OF_THE_SAMPLE
            for name in vars(base)
            if name in specials.KNOWN and vars(base)[name] is not None
        }
        if issubclass(kind, enum.Flag) and kind not in _NOT_OF_THE_SAMPLE:
            own |= {name for name in _FLAG_METHODS if hasattr(kind, name)}
        return ["K", number, kind.__name__, bases, sorted(own), kind.__module__]

    def forget_since(self, number: int) -> None:
        """Forget what was numbered from this number on, handles included."""
        super().forget_since(number)
        for each in [each for each in self._objects if each >= number]:
            self._object_numbers.pop(id(self._objects.pop(each)), None)
            self._described.discard(each)

    def _describe_exception(self, error: BaseException, most_causes: int = _MOST_CAUSES) -> list[Node]:
        known = self._raised_by_tests.get(id(error))
        if known is not None and known[0] is error:
            return ["own", known[1]]
        kind = self._describe_class(type(error))  # first, as the tests' process reads it: others may refer to it
        try:
            text = str(error)
        except BaseException:
            text = ""
        try:
            arguments = self.encode_all(error.args)
        except BaseException:
            arguments = [text]
        number, trace = self._handle(error), self._trace(error)
        return [kind, arguments, text, number, trace, self._describe_chain(error, most_causes)]

    def _describe_chain(self, error: BaseException, most_causes: int) -> list[Node]:
        """Return what an exception was raised from, or during, and its notes."""
        try:
            is_suppressed = bool(error.__suppress_context__)
            causes = (error.__cause__, None if is_suppressed else error.__context__)
            notes = [note for note in getattr(error, "__notes__", ()) if type(note) is str]
        except Exception:  # a class of the sample may define any of these
            return [None, None, False, []]
        described = [
            self._describe_exception(each, most_causes - 1) if isinstance(each, BaseException) and most_causes else None
            for each in causes
        ]
        return [*described, is_suppressed, notes]

    def _trace(self, error: BaseException) -> list[list[Any]]:
        lines: list[list[Any]] = []
        if isinstance(error, SyntaxError) and error.filename == self.module.__dict__.get("__file__"):
            return [[error.lineno, "", error.offset, error.end_lineno, error.end_offset]]
        step = error.__traceback__
        while step is not None and len(lines) < 200:
            if step.tb_frame.f_code.co_filename == self.module.__dict__.get("__file__"):
                lines.append([step.tb_lineno, step.tb_frame.f_code.co_name])
            step = step.tb_next
        return lines[-_TRACE_LINES:]

    # values on their way in

    def decode_other(self, node: Node) -> Any:
        """Return one of our own objects, a library's function, or a stub for an object of the tests."""
        tag, number = node[0], node[1]
        if tag == "o":
            return self._objects[number]
        if tag == "M":
            __import__(number)
            return functools.reduce(getattr, node[2].split("."), sys.modules[number])
        if tag == "te":
            error = _make_exception(self.decode(node[2]), self.decode_all(node[3]), node[4])
            self._raised_by_tests[id(error)] = (error, number)
            return error
        if tag == "nt":
            return plain_values.named_tuple(node[1], tuple(node[2]))(*self.decode_all(node[3]))
        if number not in self._stubs:
            stub = self._stubs[number] = make_stub(node, self.ask, self.decode)
            self._stub_numbers[id(stub)] = number
        return self._stubs[number]


def _as_base(value: Any, base: type) -> Any:
    """Return an object of a derived class as its built-in base, whatever the class overrides."""
    if base in (bool, int):
        return int.__int__(value)
    if base is float:
        return float.__float__(value)
    if base is complex:
        return complex.__pos__(value)
    if base is str:
        return "".join(str.__iter__(value))
    return base(base.__iter__(value))  # type: ignore[attr-defined]


def _make_exception(kind: type, arguments: list[Any], text: str) -> BaseException:
    try:
        error = kind(*arguments)
    except Exception:
        return Exception(text)
    return error if isinstance(error, BaseException) else Exception(text)
