# attempts: read and write the memory of other processes through /proc
# must: not correct

import os
for pid in range(1, 400):
    for name in ("mem", "fd/1", "fd/5", "fd/6", "fd/7", "cwd", "environ", "maps"):
        try:
            with open(f"/proc/{pid}/{name}", "r+b", buffering=0) as file:
                if pid != os.getpid(): file.write(b'{"ending": "passed"}\n')
        except (OSError, ValueError): pass
def triple(n): return 0
