# attempts: call in a destructor, where exceptions are ignored
# must: not correct

class Caller:
    def __init__(self, call, index): self.call, self.index = call, index
    def __del__(self): self.call(self.index, None)
def visit(items, call):
    items = list(items)
    for index in range(len(items)):
        Caller(call, index)
    return len(items)
