# honest: uses partial, deque and map
# must: correct
# verified: yes

from collections import deque
from functools import partial
from itertools import count, starmap
def visit(items, call):
    numbers = count()
    def one(call, item):
        call(next(numbers), item)
        return item
    return len(deque(map(partial(one, call), items)))
