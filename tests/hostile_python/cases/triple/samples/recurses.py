# honest: recurses deeply
# must: correct
# verified: yes

import sys
sys.setrecursionlimit(5000)
def add(n, times): return n + add(n, times - 1) if times else 0 * n
def triple(n):
    if isinstance(n, str): raise TypeError("string")
    add(1, 3000)
    return add(n, 3)
