"""Mirrors: what stands in the tests' process for classes and objects of the sample.

An object whose class the tests do not name is not asked to judge: it equals nothing but itself. One whose class they do
name is asked, and that is noted, since the sample then has a say in the assertion.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from . import specials
from .connection import Connection, number_of, refuse_predicate

_CLASS_ATTRIBUTES = frozenset(
    {"__doc__", "__annotations__", "__members__", "__dataclass_fields__", "__abstractmethods__", "__match_args__"}
)


class MirrorType(type):
    """The class of what stands here for classes of the sample."""

    _connection: Connection
    _number: int
    _is_named: bool

    def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> MirrorType:
        """Refuse to let tests derive a class from one of the sample."""
        mirrored = next((base for base in bases if isinstance(base, MirrorType) and "_number" in vars(base)), None)
        if mirrored is not None:
            mirrored._connection.give_up_separation(f"the tests derive {name} from a class of the sample")
        return super().__new__(mcs, name, bases, body)

    def __call__(cls, /, *arguments: Any, **keywords: Any) -> Any:
        """Make an object, over there."""
        return cls._connection.request("call", cls, arguments, tuple(keywords.items()))

    def __getattr__(cls, name: str) -> Any:
        if (name.startswith("__") and name not in _CLASS_ATTRIBUTES) or "_number" not in vars(cls):
            raise AttributeError(name)
        if not cls._is_named:
            refuse_predicate(cls._connection, name, "a class")
        return cls._connection.request("get", cls, name)

    def __setattr__(cls, name: str, value: Any) -> None:
        cls._connection.give_up_separation("the tests change a class of the sample")

    def __bool__(cls) -> bool:
        return True

    def __iter__(cls) -> Any:
        return cls._connection.request("special", cls, "__iter__", ())

    def __len__(cls) -> int:
        return int(cls._connection.request("special", cls, "__len__", ()))

    def __getitem__(cls, key: Any) -> Any:
        return cls._connection.request("special", cls, "__getitem__", (key,))

    def __contains__(cls, item: Any) -> bool:
        return any(item is each or (not isinstance(type(each), MirrorType) and item == each) for each in cls)

    def __instancecheck__(cls, instance: Any) -> bool:
        """Is the instance of this class? Protocols ask for methods, which only the sample's process can see."""
        if super().__instancecheck__(instance):
            return True
        if "_number" in vars(cls) and any(base.__name__ == "Protocol" for base in type.mro(cls)):
            cls._connection.give_up_separation("the tests ask whether something follows a protocol of the sample")
        return False

    @property
    def __mro__(cls) -> tuple[type, ...]:
        return tuple(each for each in type.__dict__["__mro__"].__get__(cls) if each is not RemoteObject)

    @property
    def __bases__(cls) -> tuple[type, ...]:  # type: ignore[override]
        bases = type.__dict__["__bases__"].__get__(cls)
        return tuple(object if each is RemoteObject else each for each in bases)


class RemoteObject(metaclass=MirrorType):
    """An object of a class of the sample."""

    _connection: Connection
    _number: int
    _is_named = False
    """The tests name its class."""
    _own: frozenset[str] = frozenset()
    """Special methods of its class."""
    _base: Any = None
    """The mutable built-in type that its class derives from."""

    def __getattr__(self, name: str) -> Any:
        kind = type(self)
        if name == "_number":
            raise AttributeError(name)
        if not kind._is_named:
            if name in specials.PREDICATES and hasattr(kind._base, name):
                return getattr(_content(self), name)
            refuse_predicate(kind._connection, name, f"an object of {kind.__name__}")
        return kind._connection.request("get", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        type(self)._connection.request("set", self, name, value)

    def __delattr__(self, name: str) -> None:
        type(self)._connection.request("delete", self, name)

    def __dir__(self) -> Any:
        return type(self)._connection.request("dir", self)

    def __copy__(self) -> Any:
        return type(self)._connection.request("copy", self, False)

    def __deepcopy__(self, _memo: Any) -> Any:
        return type(self)._connection.request("copy", self, True)

    def __repr__(self) -> str:
        return str(type(self)._connection.request("text", self, "repr"))

    def __str__(self) -> str:
        return str(type(self)._connection.request("text", self, "str"))

    def __eq__(self, other: object) -> Any:
        return _compare(self, "__eq__", other)

    def __ne__(self, other: object) -> Any:
        equal = _compare(self, "__eq__", other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        kind = type(self)
        if kind._base is not None or ("__eq__" in kind._own and "__hash__" not in kind._own):
            raise TypeError(f"unhashable type: {kind.__name__!r}")
        if "__hash__" in kind._own and kind._is_named:
            return hash(kind._connection.request("special", self, "__hash__", ()))
        return hash(number_of(self))


def _content(value: Any) -> Any:
    """Return what an object holds as the mutable built-in type of its class; other values as they are."""
    kind = type(value)
    return kind._connection.read_content(value) if isinstance(kind, MirrorType) and kind._base else value


def _compare(value: RemoteObject, name: str, other: Any) -> Any:
    """Compare by data where there is any; else by the sample's word, if the tests name its class; else not at all."""
    kind = type(value)
    if kind._base is not None:
        return getattr(kind._base, name)(_content(value), _content(other))
    is_mirror = isinstance(type(other), MirrorType)
    if name in kind._own and kind._is_named and (is_mirror or kind._connection.may_compare(kind.__name__)):
        kind._connection.observations.note("sample_comparison", f"{kind.__name__}.{name}", is_doubtful=True)
        return kind._connection.request("special", value, name, (other,))
    if not is_mirror:
        kind._connection.observations.note(
            "opaque_object", f"an object of {kind.__name__} compared with {type(other).__name__}"
        )
    return NotImplemented


def _special(name: str) -> Callable[..., Any]:
    def method(self: RemoteObject, /, *arguments: Any) -> Any:
        kind = type(self)
        if name in specials.JUDGEMENTS:
            if kind._base is not None and hasattr(kind._base, name):
                return getattr(kind._base, name)(_content(self), *map(_content, arguments))
            if not kind._is_named:
                return _refuse(self, name, arguments)
            if name in specials.COMPARISONS:
                kind._connection.observations.note("sample_comparison", f"{kind.__name__}.{name}", is_doubtful=True)
        elif name in specials.READS and not kind._is_named:
            if name not in kind._own and hasattr(kind._base, name):
                with contextlib.suppress(KeyError):  # perhaps it has a `__missing__`
                    return getattr(kind._base, name)(_content(self), *arguments)
            kind._connection.observations.note_read(number_of(self), kind.__name__)
        result = kind._connection.request("special", self, name, arguments)
        if name in specials.JUDGEMENTS and result is not NotImplemented:
            _note_judgement(self, name, arguments, result)
        return result

    method.__name__ = name
    return method


def _note_judgement(value: RemoteObject, name: str, arguments: tuple[Any, ...], result: Any) -> None:
    """Note that the sample has compared with a value of the tests: at once, or as in `abs(value - 0.5) < 1e-9`."""
    connection = type(value)._connection
    with_value = bool(arguments) and not any(isinstance(type(each), MirrorType) for each in arguments)
    if not with_value and number_of(value) not in connection.compared:
        return
    if isinstance(type(result), MirrorType) and not isinstance(result, tuple(specials.IMMUTABLE_BASES)):
        connection.compared.add(number_of(result))
    else:
        connection.observations.note("sample_comparison", f"{type(value).__name__}.{name}", is_doubtful=True)


def _leave(value: RemoteObject, arguments: tuple[Any, ...], result: Any) -> Any:
    """Return what `__exit__` returns, but do not let it swallow a failed assertion of the tests."""
    connection, error = type(value)._connection, arguments[1] if len(arguments) > 1 else None
    if error is None:
        return result
    if not result or isinstance(error, AssertionError):
        connection.observations.take_back(error)
        return False
    return True


def _refuse(value: RemoteObject, name: str, arguments: tuple[Any, ...]) -> Any:
    """Do what the interpreter would with an object that has no such method."""
    kind = type(value)
    kind._connection.observations.note("opaque_object", f"{kind.__name__}.{name}")
    if name == "__bool__":
        return True
    if name == "__contains__" and ("__iter__" in kind._own or "__getitem__" in kind._own):
        return any(each is arguments[0] or each == arguments[0] for each in value)  # type: ignore[attr-defined]
    if arguments and name not in ("__contains__", "__round__"):
        return NotImplemented
    raise TypeError(f"an object of {kind.__name__}, which the tests do not name, is not asked for {name}")


def _refuse_descriptor(self: RemoteObject, /, *_: Any) -> Any:
    type(self)._connection.give_up_separation(
        f"a class of the tests has a descriptor of the sample, {type(self).__name__}"
    )


def _make_method(name: str) -> Callable[..., Any]:
    """Return the special method of that name."""

    async def await_it(self: RemoteObject, /, *arguments: Any) -> Any:
        connection = type(self)._connection
        kind = "await_next" if name == "__anext__" else "await"
        return connection.request(kind, connection.request("special", self, name, arguments))

    def exit_it(self: RemoteObject, /, *arguments: Any) -> Any:
        connection = type(self)._connection
        connection.observations.hand_over(*arguments[1:2])
        return _leave(self, arguments, connection.request("special", self, name, arguments))

    async def await_exit(self: RemoteObject, /, *arguments: Any) -> Any:
        type(self)._connection.observations.hand_over(*arguments[1:2])
        return _leave(self, arguments, await await_it(self, *arguments))

    def call_it(self: RemoteObject, /, *arguments: Any, **keywords: Any) -> Any:
        return type(self)._connection.request("call", self, arguments, tuple(keywords.items()))

    if name in ("__lt__", "__le__", "__gt__", "__ge__"):
        return lambda self, other: _compare(self, name, other)
    if name in ("__exit__", "__aexit__"):
        return exit_it if name == "__exit__" else await_exit
    if name in ("__aenter__", "__anext__"):
        return await_it
    return call_it if name == "__call__" else _special(name)


def make_mirror(connection: Connection, number: int, name: str, bases: list[type], own: frozenset[str]) -> MirrorType:
    """Return the class that stands here for a class of the sample."""
    mirrors = [base for base in bases if isinstance(base, MirrorType)]
    body: dict[str, Any] = {"_connection": connection, "_number": number, "_own": own, "__module__": "solution"}
    for base in specials.IMMUTABLE_BASES:
        if any(issubclass(each, base) for each in bases):
            return _make_value_mirror(name, mirrors, base, body)
    inherited_bases = (each._base for each in mirrors if each._base is not None)
    mutable = next((each for each in bases if each in specials.BUILTIN_BASES), next(inherited_bases, None))
    body["_base"] = mutable
    inherited = {each for each in specials.ALL if mutable and hasattr(mutable, each)} - {"__format__"}
    for each in (own | inherited) - {"__eq__", "__ne__", "__hash__"} - specials.DESCRIPTORS:
        body[each] = _make_method(each)
    for each in own & specials.DESCRIPTORS:
        body[each] = _refuse_descriptor
    if mutable is not None:
        body["__class__"] = property(lambda _: mutable)  # isinstance(x, list) holds, as it does over there
        body["__bool__"] = lambda self: bool(_content(self))
    return type.__new__(MirrorType, name, tuple(mirrors) or (RemoteObject,), body)


def _make_value_mirror(name: str, mirrors: list[MirrorType], base: type, body: dict[str, Any]) -> MirrorType:
    """Return a class whose objects are real ints, strings, …: they are compared and computed with by value."""
    body |= {each: getattr(base, each) for each in specials.ALL if hasattr(base, each)}
    for each in ("__getattr__", "__repr__", "__str__"):
        body[each] = vars(RemoteObject)[each]
    for each in body["_own"] & {"__contains__", "__iter__", "__len__"} - body.keys():  # of `enum.IntFlag`
        body[each] = _make_method(each)
    body |= {"_base": None, "_is_named": False}
    parents = (*mirrors,) if any(issubclass(each, base) for each in mirrors) else (*mirrors, base)
    return type.__new__(MirrorType, name, parents, body)


def make_object(kind: Any, number: int, content: list[Any]) -> Any:
    """Return the proxy of an object."""
    for base in specials.IMMUTABLE_BASES:
        if content and issubclass(kind, base):
            value: Any = base.__new__(kind, content[0])
            value.__dict__["_number"] = number
            return value
    value = object.__new__(kind)
    object.__setattr__(value, "_number", number)
    return value
