"""The C library, for system calls that Python has no function for."""

from __future__ import annotations

import ctypes
import functools


@functools.cache
def load() -> ctypes.CDLL:
    """Return the C library, loaded so that `ctypes.get_errno()` works."""
    return ctypes.CDLL(None, use_errno=True)
