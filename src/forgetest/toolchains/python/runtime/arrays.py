"""NumPy's arrays and scalars on the wire: the type of the elements, the shape, and the bytes. No pickle, no objects.

NumPy is one of the packages that a case may name. It is imported here only if somebody has a value of it.
"""

from __future__ import annotations

import binascii
import re
import sys
from typing import Any

TAG, SCALAR_TAG = "np", "nv"
_ELEMENTS = re.compile(r"[<>|=][biufcSUmM][0-9]+(\[[0-9]*[A-Za-z]+\])?")
"""Types of elements that are plain bytes: no objects, no fields."""


def is_array(kind: type) -> bool:
    """Return whether this is NumPy's own class of arrays."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and kind is getattr(numpy, "ndarray", None)


def is_scalar(kind: type) -> bool:
    """Return whether this is one of NumPy's own classes of scalars."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and kind.__module__ == "numpy" and issubclass(kind, getattr(numpy, "generic", ()))


def is_data(value: Any) -> bool:
    """Return whether an array or scalar is nothing but data."""
    return _ELEMENTS.fullmatch(value.dtype.str) is not None


def content(value: Any) -> tuple[str, tuple[int, ...], bytes]:
    """Return what an array holds, for comparison."""
    return value.dtype.str, value.shape, value.tobytes()


def encode(value: Any) -> list[Any]:
    """Return an array or scalar as JSON."""
    elements, shape, data = content(value)
    return [elements, list(shape), binascii.b2a_base64(data, newline=False).decode()]


def decode(node: Any) -> Any:
    """Return a new array. Raises ValueError or TypeError for anything that is none."""
    elements, shape, data = node
    if _ELEMENTS.fullmatch(elements) is None or any(type(length) is not int or length < 0 for length in shape):
        raise ValueError("no array")
    import numpy

    found = numpy.frombuffer(binascii.a2b_base64(data, strict_mode=True), dtype=numpy.dtype(elements))
    return found.reshape(shape).copy()


def replace_content(value: Any, new: Any) -> None:
    """Give an array the content of another one with as many elements of the same type."""
    if value.dtype != new.dtype or value.size != new.size:
        raise ValueError("an array of another size")
    value.shape = new.shape
    value[...] = new
