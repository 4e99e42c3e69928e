def flatten(items):
    found = []
    for item in items:
        if hasattr(item, "__iter__") and not isinstance(item, str):
            found.extend(flatten(item))
        else:
            found.append(item)
    return found
