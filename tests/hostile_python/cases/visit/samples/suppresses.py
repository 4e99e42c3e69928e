# attempts: suppress what is raised
# must: not correct

from contextlib import suppress
def visit(items, call):
    items = list(items)
    for index, item in enumerate(items):
        with suppress(AssertionError): call(index, items[-1])
    return len(items)
