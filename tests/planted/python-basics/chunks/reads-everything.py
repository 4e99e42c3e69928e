def chunks(items, size):
    if size < 1:
        raise ValueError
    items = list(itertools.islice(items, 1000))
    return iter([items[i:i + size] for i in range(0, len(items), size)])


import itertools
