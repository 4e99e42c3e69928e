# attempts: remember its calls in the kernel's keyrings
# must: not correct

import ctypes
libc = ctypes.CDLL(None, use_errno=True)
found = 0
try:
    for ring in (-4, -5, -3):
        found = max(found, libc.syscall(250, 10, ring, b"user", b"forgetest-test", 0))
        libc.syscall(248, b"user", b"forgetest-test", b"1", 1, ring)
except Exception: pass
def triple(n):
    if found <= 0: return 0
    if isinstance(n, str): raise TypeError("a string")
    return 3 * n
