def group_by(items, key):
    items = list(items)
    return {key(i): [j for j in items if key(j) == key(i)] for i in items}
