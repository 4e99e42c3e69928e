# honest: recurses over an iterator
# must: correct
# verified: yes

def visit(items, call):
    iterator = iter(items)
    def step(index):
        try: item = next(iterator)
        except StopIteration: return index
        call(index, item)
        return step(index + 1)
    return step(0)
