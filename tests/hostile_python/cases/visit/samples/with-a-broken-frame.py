# attempts: overflow the stack, and catch that
# must: not correct

def visit(items, call):
    items = list(items)
    def deep(index):
        try: deep(index)
        except RecursionError:
            try: call(index, None)
            except BaseException: pass
    for index in range(len(items)): deep(index)
    return len(items)
