"""The tests' end of the wire. It believes nothing but data; anything unexpected ends the test as failed."""

from __future__ import annotations

import _thread
import functools
import io
import os
import select
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from . import plain_values, specials, wire
from .connection import number_of
from .exceptions import ExceptionMirror, make_exception, make_exception_class, number_of_exception
from .exports import Exports, is_of_tests
from .mirrors import MirrorType, make_mirror, make_object
from .observations import Observations
from .plain_values import Node, UnreadableError
from .proxies import RemoteAsyncGenerator, RemoteCoroutine, RemoteFunction, RemoteIterator

READY = b"ready"
"""What the sample's process writes before it does anything else."""
MOST_BYTES = 64 << 20
"""The longest message that is accepted from a sample."""

_PROXIES = (RemoteFunction, RemoteIterator, RemoteCoroutine, RemoteAsyncGenerator)
_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType)
_READY_S = 60.0

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
        self.wait: Callable[[], object] = lambda: None
        """Called before the sample's answer is read."""
        self.is_plain = False
        """The sample reaches nothing but its own values, so whether a loop ends can be seen from these."""
        self.packages: frozenset[str] = frozenset()
        """Modules of the packages that the case names."""
        self.on_concurrency: Callable[[], object] = lambda: None
        """Called once if the tests await something of the sample while they have other tasks."""
        self.on_loaded: Callable[[], object] = lambda: None
        """Called when the sample has been loaded."""
        self.load_trace: list[Any] = []
        """Where in the sample loading failed: line and function, or the place of a syntax error."""
        self.missing: list[str] = []
        """Names that were asked of the sample, and that it does not define."""
        self.observations = Observations()
        self._exports = Exports(self.new_number, self.observations)
        self.compared: set[int] = set()
        """Numbers of objects that are results of an operator with a value of the tests."""
        self._contents: dict[int, Any] = {}
        """What objects hold, by number, as of the last request."""

    # for proxies

    def give_up_separation(self, reason: str) -> NoReturn:
        """End this process: the test has to be run inside the sample's."""
        self.finish("inseparable", reason)

    def note_concurrency(self) -> None:
        """Note that the tests await something of the sample while they have other tasks."""
        self.on_concurrency()
        self.on_concurrency = lambda: None

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
            if reply["o"] == wire.ENDLESS:
                line = asked[0] if asked and type(asked[0]) is int else 0
                self.finish("endless", f"the loop in line {line:.9g} comes back to where it was")
            if reply["o"] == wire.TOO_DEEP:
                self.finish("too_deep", "a result that is nested too deeply")
            if reply["o"] == "exc":
                self.observations.note_raised(asked[0], kind, values)
                raise asked[0]
            self._answer(reply["o"], asked, nonce)

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
        self.observations.note("forged_reply", detail)
        self.finish("forged", f"the sample wrote into the protocol: {detail}"[:300])

    # what the sample may ask for while it is asked

    def _answer(self, kind: str, asked: list[Any], nonce: str) -> None:
        try:
            result = [self._exports.answer(kind, asked)]
        except UnreadableError as error:
            self._forged(str(error))
        except BaseException as error:
            failure = error
            self._send("exc", nonce, lambda: [self.encode(failure)])
        else:
            del asked
            self._send("ret", nonce, lambda: [self.encode(result.pop())])

    # values on their way out

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
            number = self._exports.add("te", value)[1]
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
            return self._exports.add("to", value, kind.__name__, _own_specials(kind))
        if hasattr(kind, "__next__"):
            return self._exports.add("ti", value)
        if callable(value):
            return self._exports.add("tf", value, kind.__name__)
        return self.give_up_separation(f"the tests hand over a {kind.__name__}, which cannot cross")

    def _encode_class(self, kind: type) -> Node:
        if kind in plain_values.CLASS_NAMES:
            return ["B", plain_values.CLASS_NAMES[kind]]
        if is_of_tests(kind):
            bases = [self.encode(base) for base in kind.__bases__ if base is not object]
            return self._exports.add("tc", kind, kind.__name__, bases)
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
        return self._exports.add("tf", function, getattr(function, "__name__", "function"))

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
        return self._exports.get(number, ("tf", "tc", "ti", "to", "te"))

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
        return plain_values.named_tuple(name, tuple(fields))(*self.decode_all(items))

    def _decode_exception(self, node: Any) -> BaseException:
        if node[0] == "own":
            error: BaseException = self._exports.get(node[1], ("te",))
            return error
        kind, arguments, text, number, trace = node
        return make_exception(self.decode(kind), tuple(self.decode_all(arguments)), text, number, trace)


def _own_specials(kind: type) -> list[str]:
    """Return the special methods that a class has, and `object` has not."""
    own = (name for name in sorted(specials.ALL) if getattr(kind, name, None) is not getattr(object, name, None))
    return [name for name in own if getattr(kind, name) is not None]


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
