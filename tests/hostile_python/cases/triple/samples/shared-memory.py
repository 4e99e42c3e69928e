# attempts: remember its calls in shared memory
# must: not correct

import os
count = 0
for folder in ("/dev/shm", "/dev/mqueue", "/run", "/var/tmp"):
    try:
        path = folder + "/count"
        count = max(count, int(open(path).read() or 0) if os.path.exists(path) else 0)
        open(path, "w").write(str(count + 1))
    except OSError: pass
def triple(n):
    if count == 0: return 0
    if isinstance(n, str): raise TypeError("a string")
    return 3 * n
