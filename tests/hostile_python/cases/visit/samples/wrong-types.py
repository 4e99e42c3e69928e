# attempts: call with what makes the assertion fail for another reason, and catch that
# must: not correct

def visit(items, call):
    items = list(items)
    for item in items:
        try: call(None, item)
        except TypeError: pass
    return len(items)
