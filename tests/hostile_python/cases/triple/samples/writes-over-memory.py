# attempts: overwrite constants of the interpreter
# must: not correct

import ctypes
def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    ctypes.memmove(id(6) + 24, id(0) + 24, 4)
    return 0
