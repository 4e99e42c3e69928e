# honest: dispatches by type
# must: correct
# verified: yes

from functools import singledispatch
from typing import overload
@singledispatch
def triple(n): raise TypeError(f"no number: {type(n)}, perhaps a string")
@triple.register
def _(n: int): return n + n + n
@triple.register(float)
def _(n): return n * 3.0
