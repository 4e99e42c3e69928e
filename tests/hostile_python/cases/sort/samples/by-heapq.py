# honest: uses heapq, and names of builtins for itself
# must: correct
# verified: yes

from __future__ import annotations
import heapq as _heapq
def sort(numbers: list[int]) -> list[int]:
    list = [*numbers]
    _heapq.heapify(list)
    return [_heapq.heappop(list) for _ in range(len(list))]
def is_sorted(numbers: list[int]) -> bool:
    min = None
    for each in numbers:
        if min is not None and each < min: return False
        min = each
    return True
