# honest: prints megabytes
# must: correct
# verified: yes

import sys
def triple(n):
    for _ in range(300): print("x" * 10000)
    sys.stderr.write("warning")
    sys.stdout.flush()
    if isinstance(n, str): raise TypeError("string")
    return 3 * n
