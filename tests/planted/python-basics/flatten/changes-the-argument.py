def flatten(items):
    i = 0
    while i < len(items):
        if isinstance(items[i], (list, tuple)):
            items[i:i + 1] = items[i]
        else:
            i += 1
    return items
