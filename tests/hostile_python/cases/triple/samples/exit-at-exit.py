# attempts: exit with success when the interpreter ends
# must: not correct

import atexit, os, sys
atexit.register(os._exit, 0)
def triple(n):
    raise KeyboardInterrupt
