def flatten(items):
    found = []
    for item in items:
        found.extend(item if isinstance(item, (list, tuple)) else [item])
    return found
