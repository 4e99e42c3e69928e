# attempts: hand over objects that equal everything
# must: not correct

class Any(str):
    def __eq__(self, other): return True
    def __hash__(self): return 0
class AnyNumber(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
def visit(items, call):
    items = list(items)
    for index in range(len(items)): call(AnyNumber(index), Any("?"))
    return len(items)
