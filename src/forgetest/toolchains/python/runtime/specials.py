"""Special methods of a sample's classes, and what the tests' process does with each."""

from __future__ import annotations

_STRUCTURE = """
__iter__ __next__ __len__ __getitem__ __setitem__ __delitem__ __call__ __enter__ __exit__ __aenter__ __aexit__
__await__ __aiter__ __anext__ __format__ __reversed__
"""
_COMPARISONS = "__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __contains__"
_OPERATORS = """
__hash__ __bool__ __int__ __float__ __index__ __complex__ __abs__ __neg__ __pos__ __invert__ __round__ __floor__
__ceil__ __trunc__ __bytes__ __add__ __sub__ __mul__ __matmul__ __truediv__ __floordiv__ __mod__ __divmod__ __pow__
__and__ __or__ __xor__ __lshift__ __rshift__ __radd__ __rsub__ __rmul__ __rmatmul__ __rtruediv__ __rfloordiv__ __rmod__
__rdivmod__ __rpow__ __rand__ __ror__ __rxor__ __rlshift__ __rrshift__ __iadd__ __isub__ __imul__ __itruediv__
__ifloordiv__ __imod__ __iand__ __ior__ __ixor__
"""

STRUCTURE = frozenset(_STRUCTURE.split())
"""Give access to parts and effects of an object. What they return is examined like any other value."""
COMPARISONS = frozenset(_COMPARISONS.split())
JUDGEMENTS = COMPARISONS | frozenset(_OPERATORS.split())
"""Stand between a test and its assertion: only asked of classes that the tests themselves name."""
ALL = STRUCTURE | JUDGEMENTS
DESCRIPTORS = frozenset({"__get__", "__set__", "__delete__", "__set_name__"})
"""Called for an object that is an attribute of a class; if that is a class of the tests, it cannot be separated."""
KNOWN = ALL | DESCRIPTORS
"""Which of them a class has is told to the tests' process."""
READS = frozenset({"__iter__", "__len__", "__getitem__", "__reversed__"})
"""Show what an object contains. Two of them need not agree unless the content is data."""
ITERATION = frozenset({"__next__", "__anext__", "send", "throw"})
"""May raise StopIteration or StopAsyncIteration; from anything else, these could end an iteration of the tests."""

PREDICATES = frozenset(
    name for kind in (str, bytes, set, float) for name in dir(kind) if name.startswith("is") or name.endswith("swith")
)
"""Methods of built-in types that answer yes or no; an object that only pretends to be one is not asked."""

BUILTIN_BASES: tuple[type, ...] = (
    *(bool, int, float, str, bytes, complex, tuple, frozenset),
    *(list, dict, set, bytearray),
)
IMMUTABLE_BASES: frozenset[type] = frozenset({int, float, str, bytes, complex, tuple, frozenset})
