"""The tests' end of the wire. It believes nothing but data; anything unexpected ends the test as failed."""

from __future__ import annotations

import _thread
import builtins
import functools
import io
import opcode
import os
import select
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from . import specials, wire
from .exceptions import ExceptionMirror, make_exception, make_exception_class, number_of_exception
from .proxies import (
    MirrorType,
    RemoteAsyncGenerator,
    RemoteCoroutine,
    RemoteFunction,
    RemoteIterator,
    make_mirror,
    make_object,
    number_of,
)
from .wire import Node, UnreadableError

READY = b"ready"
"""What the sample's process writes before it does anything else."""
MOST_BYTES = 64 << 20
"""The longest message that is accepted from a sample."""
TESTS_MODULE = "tests"
"""The name of the module that the tests run in."""

_PROXIES = (RemoteFunction, RemoteIterator, RemoteCoroutine, RemoteAsyncGenerator)
_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType)
_MOST_NOTES = 20
_READY_S = 60.0


def _mock_class() -> type:
    """Return the class of mocks; it is imported by tests that have one."""
    mock: type = sys.modules["unittest.mock"].NonCallableMock
    return mock


Finish = Callable[[str, str], NoReturn]
"""Reports how the test ended, and ends this process: nothing that the test catches can undo it.

Before the sample is loaded, when no code of the tests runs, it may raise NotLoadedError instead.
"""


class NotLoadedError(BaseException):
    """The test is over, with this ending and message, before the sample was loaded."""


class Link(wire.Codec):
    """The connection to a sample's process."""

    def __init__(self, reader: int, writer: int, finish: Finish, comparable: frozenset[str]) -> None:
        """`comparable`: names of classes that tests compare with values of their own."""
        super().__init__(first_number=2)
        self._reader, self._writer = reader, writer
        self.finish = finish
        self._comparable = comparable
        self._owner = (os.getpid(), _thread.get_ident())
        self._proxies: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._kept: dict[int, Any] = {}
        """Proxies that cannot be referred to weakly: those that are ints, tuples, …"""
        self._classes: dict[int, type] = {}
        self._object_class: MirrorType | None = None
        """Stands for the class of `object()`."""
        self._exports: dict[int, tuple[str, Any]] = {}
        """Objects of the tests that the sample may use, by number, with the tag that says how."""
        self._export_numbers: dict[int, int] = {}
        self.wait: Callable[[], object] = lambda: None
        """Called before the sample's answer is read."""
        self.packages: frozenset[str] = frozenset()
        """Modules of the packages that the case names."""
        self.on_loaded: Callable[[], object] = lambda: None
        """Called when the sample has been loaded."""
        self.load_trace: list[Any] = []
        """Where in the sample loading failed: line and function, or the place of a syntax error."""
        self.missing: list[str] = []
        """Names that were asked of the sample, and that it does not define."""
        self.notes: dict[str, str] = {}
        self.doubts: dict[str, str] = {}
        """What makes it doubtful that a pass proves anything, by kind."""
        self.compared: set[int] = set()
        """Numbers of objects that are results of an operator with a value of the tests."""
        self._contents: dict[int, Any] = {}
        """What objects hold, by number, as of the last request."""
        self._shown: set[int] = set()
        """Numbers of objects that have shown what they contain, by a method of the sample."""
        self._handed_over: dict[int, BaseException] = {}
        """Exceptions of the tests that the sample has been given to handle, and that have not come back, by id."""

    # for proxies

    def note(self, kind: str, detail: str, *, is_doubtful: bool = False) -> None:
        """Note something about the sample."""
        into = self.doubts if is_doubtful else self.notes
        if len(into) < _MOST_NOTES:
            into.setdefault(kind, detail[:200])

    def give_up_separation(self, reason: str) -> NoReturn:
        """End this process: the test has to be run inside the sample's."""
        self.finish("inseparable", reason)

    def may_compare(self, name: str) -> bool:
        """Return whether objects of the class of this name are compared with values of the tests."""
        return name in self._comparable

    def read_content(self, value: Any) -> Any:
        """Return what an object holds: the same, as long as the sample has nothing else to do."""
        number = number_of(value)
        if number not in self._contents:
            before = self._contents
            content = self.request("plain", value)
            self._contents = before | {number: content}
        return self._contents[number]

    def note_read(self, value: Any) -> None:
        """Note that a method of the sample has shown what an object contains; doubt it from the second time on."""
        number = number_of(value)
        if number in self._shown:
            self.note("sample_structure", type(value).__name__, is_doubtful=True)
        self._shown.add(number)

    def hand_over(self, error: BaseException | None) -> None:
        """Note that the sample could catch an exception of the tests."""
        if error is not None:
            self._handed_over[id(error)] = error

    def take_back(self, error: BaseException | None) -> None:
        """Note that the sample has not caught it."""
        self._handed_over.pop(id(error), None)

    def caught_assertion(self) -> AssertionError | None:
        """Return a failed assertion of the tests that the sample caught; doubt whatever else it caught."""
        for error in self._handed_over.values():
            if isinstance(error, AssertionError):
                return error
            self.note("caught_exception", type(error).__name__, is_doubtful=True)
        return None

    def request(self, kind: str, *values: Any) -> Any:
        """Ask the sample's process to do something, and return the result or raise the exception."""
        self._contents = {}
        nonce = os.urandom(8).hex()
        self._send(kind, nonce, lambda: self.encode_all(values))
        while True:
            reply = self._receive(nonce)
            asked = self._absorb(reply)
            if reply["o"] == "ret":
                return asked[0]
            if reply["o"] == wire.TOO_DEEP:
                self.finish("too_deep", "a result that is nested too deeply")
            if reply["o"] == "exc":
                self._note_raised(asked[0], kind, values)
                raise asked[0]
            self._answer(reply["o"], asked, nonce)

    def _note_raised(self, error: BaseException, kind: str, values: tuple[Any, ...]) -> None:
        """Doubt a test if the sample raises what ends an iteration or a task of the tests."""
        self.take_back(error)
        if kind == "next" or (kind == "special" and values[1] in specials.ITERATION):
            return
        if kind == "await_next" and isinstance(error, StopAsyncIteration):
            return
        asyncio = sys.modules.get("asyncio.exceptions")
        is_cancelled = asyncio is not None and isinstance(error, asyncio.CancelledError)
        if is_cancelled or isinstance(error, (StopIteration, StopAsyncIteration, GeneratorExit)):
            self.note("control_exception", type(error).__name__, is_doubtful=True)

    # messages

    def _send(self, kind: str, nonce: str, make_values: Callable[[], list[Node]]) -> None:
        if (os.getpid(), _thread.get_ident()) != self._owner:
            self.give_up_separation("the tests use the sample in threads or processes of their own")
        try:
            with wire.deep_recursion():
                message = {"o": kind, "n": nonce, "u": self.collect_changes()}
                message["v"] = make_values()
                message["g"] = self.collect_unreferenced()
                data = memoryview(wire.pack(message))
        except RecursionError:
            self.finish("too_deep", "an argument that is nested too deeply")
        try:
            while data:
                data = data[os.write(self._writer, data) :]
        except BrokenPipeError:
            self.finish("died", "the sample's process ended")

    def _read(self, size: int) -> bytes:
        parts = []
        while size:
            part = os.read(self._reader, min(size, 1 << 20))
            if not part:
                self.finish("died", "the sample's process ended before it answered")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def wait_until_ready(self) -> None:
        """Wait for the sample's process. What goes wrong before that is not the sample's fault."""
        poll = select.poll()
        poll.register(self._reader, select.POLLIN)
        received = b""
        while received != READY:
            part = os.read(self._reader, len(READY) - len(received)) if poll.poll(_READY_S * 1000) else b""
            if not part:
                self.finish("broken", "the sample's process could not be started")
            received += part

    def _receive(self, nonce: str) -> dict[str, Any]:
        self.wait()
        size = int.from_bytes(self._read(4), "big")
        if size > MOST_BYTES:
            self.finish("too_large", f"a result of {size} bytes; at most {MOST_BYTES} are accepted")
        data = self._read(size)
        try:
            with wire.deep_recursion():
                reply = wire.unpack(data)
            if set(reply) != {"o", "n", "u", "v", "g", "w"} or reply["n"] != nonce:
                raise UnreadableError("an answer to something else")
        except RecursionError:
            self.finish("too_deep", "a result that is nested too deeply")
        except Exception as error:
            self._forged(repr(error))
        return dict(reply)

    def _absorb(self, reply: dict[str, Any]) -> list[Any]:
        try:
            for text, stream in zip(reply["w"], (sys.stdout, sys.stderr), strict=True):
                if text:
                    stream.write(str(text))
            with wire.deep_recursion():
                self.apply_changes(reply["u"])
                is_error = reply["o"] == "exc"
                values = [self._decode_exception(reply["v"])] if is_error else self.decode_all(reply["v"])
            self.drop(reply["g"])
            if type(reply["o"]) is not str or (reply["o"] == "ret" and len(values) != 1):
                raise UnreadableError("no answer")
        except RecursionError:
            self.finish("too_deep", "a result that is nested too deeply")
        except Exception as error:
            self._forged(repr(error))
        return values

    def _forged(self, detail: str) -> NoReturn:
        self.note("forged_reply", detail)
        self.finish("forged", f"the sample wrote into the protocol: {detail}"[:300])

    # what the sample may ask for while it is asked

    def _answer(self, kind: str, asked: list[Any], nonce: str) -> None:
        answer = _ANSWERS.get(kind)
        if answer is None:
            self._forged(f"asks for {kind!r}"[:100])
        try:
            result = [answer(self, *asked)]
        except UnreadableError as error:
            self._forged(f"asks for what it was not given: {error}")
        except BaseException as error:
            failure = error
            if isinstance(error, AssertionError) or (_is_call(kind, asked) and not _is_deliberate(error)):
                self.hand_over(error)
            self._send("exc", nonce, lambda: [self.encode(failure)])
        else:
            del asked
            self._send("ret", nonce, lambda: [self.encode(result.pop())])

    def _exported(self, number: Any, tags: tuple[str, ...]) -> Any:
        tag, value = self._exports.get(number, ("", None)) if type(number) is int else ("", None)
        if tag not in tags:
            raise UnreadableError("an object that was not given")
        return value

    def _answer_call(self, number: Any, arguments: Any, keywords: Any) -> Any:
        function = self._exported(number, ("tf", "tc", "to"))
        if type(arguments) is not tuple or type(keywords) is not tuple:
            raise UnreadableError("no arguments")
        return function(*arguments, **dict(keywords))

    def _answer_next(self, number: Any) -> Any:
        return next(self._exported(number, ("ti",)))

    def _object_with(self, number: Any, name: Any) -> Any:
        if type(name) is not str or (name.startswith("_") and name not in specials.ALL):
            raise AttributeError(name)
        target = self._exported(number, ("to",))
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
            self.note("changed_test", f"{type(target).__name__}.{name}", is_doubtful=True)
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

    # values on their way out

    def _export(self, tag: str, value: Any, *more: Node) -> Node:
        number = self._export_numbers.get(id(value))
        if number is None:
            number = self.new_number()
            self._exports[number] = (tag, value)
            self._export_numbers[id(value)] = number
        return [tag, number, *more]

    def encode_other(self, value: Any) -> Node:
        """Return an object of the sample by its number, or one of the tests as the sample may use it."""
        kind = type(value)
        if isinstance(kind, MirrorType) or kind in _PROXIES:
            return ["o", number_of(value)]
        if isinstance(value, MirrorType):
            return ["o", value._number]
        if isinstance(value, (BaseException, ExceptionMirror)):
            number = number_of_exception(value)
            if number is not None:
                return ["o", number]
        if kind is types.TracebackType:
            return None
        if isinstance(value, BaseException):
            number = self._export("te", value)[1]
            return ["te", number, self.encode(kind), self.encode_all(value.args), str(value)]
        if isinstance(value, type):
            return self._encode_class(value)
        if isinstance(value, _FUNCTIONS):
            return self._encode_function(value)
        if isinstance(value, tuple) and hasattr(kind, "_fields"):
            return ["nt", kind.__name__, list(kind._fields), self.encode_all(value)]
        for base in specials.BUILTIN_BASES:
            if isinstance(value, base):
                as_base: Any = base
                return self.encode(as_base(value))
        if is_of_tests(kind) or isinstance(value, (io.StringIO, io.BytesIO)):
            own = [
                name for name in sorted(specials.ALL) if getattr(kind, name, None) is not getattr(object, name, None)
            ]
            return self._export("to", value, kind.__name__, [name for name in own if getattr(kind, name) is not None])
        if hasattr(kind, "__next__"):
            return self._export("ti", value)
        if callable(value):
            return self._export("tf", value, kind.__name__)
        return self.give_up_separation(f"the tests hand over a {kind.__name__}, which cannot cross")

    def _encode_class(self, kind: type) -> Node:
        if kind in wire.CLASS_NAMES:
            return ["B", wire.CLASS_NAMES[kind]]
        if is_of_tests(kind):
            bases = [self.encode(base) for base in kind.__bases__ if base is not object]
            return self._export("tc", kind, kind.__name__, bases)
        return ["M", kind.__module__, kind.__qualname__]

    def _encode_function(self, function: Any) -> Node:
        """Return a function of a library by its name, and one of the tests as an export."""
        name = getattr(function, "__qualname__", "")
        module = getattr(function, "__module__", None)
        if isinstance(function, types.MethodDescriptorType):
            module = function.__objclass__.__module__
        if module in sys.stdlib_module_names and module in sys.modules:
            try:
                if functools.reduce(getattr, name.split("."), sys.modules[module]) is function:
                    return ["M", module, name]
            except AttributeError:
                pass
        return self._export("tf", function, getattr(function, "__name__", "function"))

    # values on their way in

    def decode_other(self, node: Node) -> Any:
        """Return a proxy for an object of the sample, or an object of the tests that it had been given."""
        decoder = _DECODERS.get(node[0])
        if decoder is None:
            raise UnreadableError(f"tag {node[0]!r}")
        return decoder(self, *node[1:])

    def _proxy(self, number: Any, make: Callable[[], Any]) -> Any:
        if type(number) is not int:
            raise UnreadableError("no number")
        proxy = self._proxies.get(number)
        if proxy is None:
            proxy = self._kept.get(number)
        if proxy is None:
            proxy = make()
            try:
                self._proxies[number] = proxy
            except TypeError:
                self._kept[number] = proxy
        return proxy

    def _decode_own(self, number: Any) -> Any:
        return self._exported(number, ("tf", "tc", "ti", "to", "te"))

    def _decode_class(self, number: Any) -> type:
        if number not in self._classes:
            raise UnreadableError("an unknown class")
        return self._classes[number]

    def _decode_new_class(self, number: Any, name: Any, bases: Any, own: Any, module: Any) -> type:
        if type(number) is not int or type(name) is not str or type(module) is not str or number in self._classes:
            raise UnreadableError("no class")
        parents = self.decode_all(bases)
        if not parents or not all(isinstance(each, type) for each in parents):
            raise UnreadableError("no base classes")
        if any(issubclass(each, BaseException) for each in parents):
            made = make_exception_class(self, number, name, parents, module, self.packages)
        elif module.partition(".")[0] in self.packages:
            self.give_up_separation(f"an object of {module}.{name}, a class of a package, cannot cross")
        else:
            made = make_mirror(self, number, name, parents, specials.ALL.intersection(own))
        self._classes[number] = made
        return made

    def _decode_object(self, number: Any, kind: Any, content: Any) -> Any:
        made = self.decode(kind)
        held = self.decode_all(content)
        if made is object and not held:
            made = self._object_class = self._object_class or make_mirror(self, 0, "object", [object], frozenset())
        if not isinstance(made, MirrorType):
            raise UnreadableError("an object without a class")
        return self._proxy(number, lambda: make_object(made, number, held))

    def _decode_named_tuple(self, name: Any, fields: Any, items: Any) -> Any:
        texts = [name, *fields]
        if not all(type(text) is str and text.isidentifier() and len(text) < 200 for text in texts) or len(texts) > 500:
            raise UnreadableError("no named tuple")
        return wire.named_tuple(name, tuple(fields))(*self.decode_all(items))

    def _decode_exception(self, node: Any) -> BaseException:
        if node[0] == "own":
            error: BaseException = self._exported(node[1], ("te",))
            return error
        kind, arguments, text, number, trace = node
        return make_exception(self.decode(kind), tuple(self.decode_all(arguments)), text, number, trace)


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


def is_of_tests(kind: type) -> bool:
    """Return whether the tests define this class, or it is one of their mocks."""
    return kind.__module__ in (TESTS_MODULE, "unittest.mock")


_ANSWERS: dict[str, Callable[..., Any]] = {
    "call": Link._answer_call,
    "next": Link._answer_next,
    "get": Link._answer_get,
    "set": Link._answer_set,
    "special": Link._answer_special,
    "input": Link._answer_input,
    "stdin": Link._answer_stdin,
}

_DECODERS: dict[str, Callable[..., Any]] = {
    "o": Link._decode_own,
    "fn": lambda link, number: link._proxy(number, lambda: RemoteFunction(link, number)),
    "it": lambda link, number: link._proxy(number, lambda: RemoteIterator(link, number)),
    "co": lambda link, number: link._proxy(number, lambda: RemoteCoroutine(link, number)),
    "ag": lambda link, number: link._proxy(number, lambda: RemoteAsyncGenerator(link, number)),
    "k": Link._decode_class,
    "K": Link._decode_new_class,
    "h": Link._decode_object,
    "nt": Link._decode_named_tuple,
    "ex": lambda link, *node: link._decode_exception(list(node)),
}
