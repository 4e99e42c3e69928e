# attempts: never end, and ignore the signals that say so
# must: not correct

import resource, signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
try: resource.setrlimit(resource.RLIMIT_CPU, (1000, 1000))
except (OSError, ValueError): pass
def triple(n):
    while True: pass
