# honest: has a main part that reads input
# must: correct
# verified: yes

import sys
def triple(n: float) -> float:
    """Triple.

    >>> triple(1)
    3
    """
    if type(n) is str: raise TypeError("string given")
    return n * 3
if __name__ == "__main__":
    print(triple(float(input("n: "))))
    sys.exit(0)
