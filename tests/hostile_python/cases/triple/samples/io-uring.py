# attempts: make system calls by io_uring
# must: not correct

import ctypes
libc = ctypes.CDLL(None, use_errno=True)
ring = libc.syscall(425, 8, ctypes.create_string_buffer(120))
if ring >= 0: raise SystemExit(0)
def triple(n): return 0
