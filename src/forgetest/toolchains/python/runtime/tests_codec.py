"""Proxies, classes, exceptions and objects of the tests: what crosses in the tests' process besides plain data."""

from __future__ import annotations

import functools
import inspect
import io
import sys
import types
import weakref
from collections.abc import Callable
from typing import Any

from . import plain_values, specials, wire
from .connection import Connection, number_of
from .exceptions import ExceptionMirror, make_exception, make_exception_class, number_of_exception
from .exports import Exports, is_of_tests
from .mirrors import MirrorType, make_mirror, make_object
from .observations import Observations
from .plain_values import Node, UnreadableError
from .proxies import (
    RemoteAsyncGenerator,
    RemoteCoroutine,
    RemoteFunction,
    RemoteGenerator,
    RemoteIterator,
    RemotePlainFunction,
)

_PROXIES = (
    *(RemoteFunction, RemotePlainFunction, RemoteIterator, RemoteGenerator),
    *(RemoteCoroutine, RemoteAsyncGenerator),
)
_FUNCTIONS = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.MethodDescriptorType)

_SIMPLE = (type(None), bool, int, float, str)


class TestsCodec(wire.Codec, Connection):
    """The codec of the tests' process. Objects of the sample stay there; what arrives are proxies for them."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__(first_number=2)
        self._proxies: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._kept: dict[int, Any] = {}
        """Proxies that cannot be referred to weakly: those that are ints, tuples, …"""
        self._classes: dict[int, type] = {}
        self._object_class: MirrorType | None = None
        """Stands for the class of `object()`."""
        self.packages: frozenset[str] = frozenset()
        """Modules of the packages that the case names."""
        self.observations = Observations()
        self.compared = set()
        self._exports = Exports(self.new_number, self.observations)

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
        return self._exports.add("tf", function, getattr(function, "__name__", "function"), *_described(function))

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
            made = make_mirror(self, number, name, parents, specials.KNOWN.intersection(own))
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
        kind, arguments, text, number, trace, chain = node
        error = make_exception(self.decode(kind), tuple(self.decode_all(arguments)), text, number, trace)
        cause, context, is_suppressed, notes = chain
        error.__cause__ = None if cause is None else self._decode_exception(cause)
        error.__context__ = None if context is None else self._decode_exception(context)
        error.__suppress_context__ = is_suppressed is True
        for note in self.decode_all(notes):
            if type(note) is str:
                error.add_note(note)
        return error


def _own_specials(kind: type) -> list[str]:
    """Return the special methods that a class has, and `object` has not."""
    own = (name for name in sorted(specials.ALL) if getattr(kind, name, None) is not getattr(object, name, None))
    return [name for name in own if getattr(kind, name) is not None]


def _described(function: Any) -> list[Node]:
    """Return what a sample may want to know about a function of the tests: documentation, parameters, annotations."""
    if not isinstance(function, types.FunctionType):
        return []
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount])
    has_others = code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    is_simple = not (has_others or code.co_posonlyargcount or function.__defaults__)
    annotations = {
        name: plain_values.CLASS_NAMES[kind]
        for name, kind in function.__annotations__.items()
        if isinstance(kind, type) and kind in plain_values.CLASS_NAMES
    }
    return [function.__doc__, names if is_simple else _parameters(function), annotations]


def _parameters(function: Any) -> list[Node] | None:
    """Return names, kinds and defaults of a function's parameters; None if a default is more than a simple value."""
    parameters = inspect.signature(function, follow_wrapped=False).parameters.values()
    if any(type(each.default) not in _SIMPLE for each in parameters if each.default is not each.empty):
        return None
    return [[each.name, int(each.kind), *([] if each.default is each.empty else [each.default])] for each in parameters]


_DECODERS: dict[str, Callable[..., Any]] = {
    "o": TestsCodec._decode_own,
    "fn": lambda codec, number: codec._proxy(number, lambda: RemoteFunction(codec, number)),
    "pf": lambda codec, number: codec._proxy(number, lambda: RemotePlainFunction(codec, number)),
    "it": lambda codec, number: codec._proxy(number, lambda: RemoteIterator(codec, number)),
    "ge": lambda codec, number: codec._proxy(number, lambda: RemoteGenerator(codec, number)),
    "co": lambda codec, number: codec._proxy(number, lambda: RemoteCoroutine(codec, number)),
    "ag": lambda codec, number: codec._proxy(number, lambda: RemoteAsyncGenerator(codec, number)),
    "k": TestsCodec._decode_class,
    "K": TestsCodec._decode_new_class,
    "h": TestsCodec._decode_object,
    "nt": TestsCodec._decode_named_tuple,
    "ex": lambda codec, *node: codec._decode_exception(list(node)),
}
