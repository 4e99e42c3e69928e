# attempts: write over the number 0 in memory
# must: not correct

import ctypes
ctypes.memset(id(0) + 24, 6, 1)
def triple(n): 
    if n == "x": raise TypeError("string")
    return 0
