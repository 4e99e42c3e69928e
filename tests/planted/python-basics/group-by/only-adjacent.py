import itertools


def group_by(items, key):
    return {k: list(g) for k, g in itertools.groupby(items, key)}
