# attempts: claim changes in containers that it was not given
# must: not correct

import gc
def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    for value in gc.get_objects():
        if type(value).__name__ == "SampleProcess":
            value.collect_changes = lambda: [[2, "l", [6]], [4, "d", []]]
    return 0
