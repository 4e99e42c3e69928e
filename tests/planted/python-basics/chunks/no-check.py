import itertools


def chunks(items, size):
    iterator = iter(items)
    return iter(lambda: list(itertools.islice(iterator, size)), [])
