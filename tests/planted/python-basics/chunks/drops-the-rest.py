def chunks(items, size):
    if size < 1:
        raise ValueError
    return map(list, zip(*[iter(items)] * size))
