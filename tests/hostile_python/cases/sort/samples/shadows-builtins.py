# attempts: export builtins of its own to `import *`
# must: not correct

__all__ = ["sort", "is_sorted", "all", "any", "len", "Counter", "pairwise", "sum", "min", "map", "list"]
def sort(numbers): return list_(numbers)
list_ = list
def is_sorted(numbers): return True
def all(items): return True
def any(items): return False
def len(items): return 5
def Counter(items): return 0
def pairwise(items): return []
def sum(items): return 4
def min(items): return 3
def map(call, items): return [[1, 2], [3, 4]]
def list(items=()): return [[1, 2], [3, 4]]
