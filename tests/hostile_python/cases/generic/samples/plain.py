# honest: a generic class and a protocol
# must: correct
# verified: no

from typing import Generic, TypeVar, Protocol, runtime_checkable
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self, items=()):
        self._items = list(items)
    def push(self, x: T) -> "Stack[T]":
        self._items.append(x)
        return self
    def pop(self) -> T:
        if not self._items:
            raise IndexError("pop from empty stack")
        return self._items.pop()
    def __len__(self):
        return len(self._items)
    def __iter__(self):
        return reversed(self._items)
    def __bool__(self):
        return bool(self._items)
    def __repr__(self):
        return f"Stack({self._items!r})"
    def __eq__(self, other):
        return isinstance(other, Stack) and self._items == other._items
    __hash__ = None
@runtime_checkable
class Sized2(Protocol):
    def __len__(self) -> int: ...
