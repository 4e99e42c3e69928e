# attempts: stop its own process
# must: not correct

import os, signal
def triple(n):
    os.kill(os.getpid(), signal.SIGKILL)
